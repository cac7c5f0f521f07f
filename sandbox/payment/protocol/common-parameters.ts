import { invalidParameter } from "./errors.ts";
import type { Field } from "./parameters.ts";
import { integer, list, object, required, text, unsettable } from "./parameters.ts";

/** A metadata change: a value of "" removes its key. `clear` (metadata sent as "") removes all. */
export type MetadataChange = { clear: boolean; values: Record<string, string> };

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

/**
 * Up to 50 keys of at most 40 characters (no square brackets) with values of at most 500, as the provider documents.
 */
export const metadata: Field<MetadataChange> = (value, param) => {
  if (value === "") return { clear: true, values: {} };
  if (typeof value === "string") throw invalidParameter("parameter_invalid_object", param, "Invalid object");
  const values: [string, string][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const at = `${param}[${key}]`;
    if (typeof entry !== "string")
      throw invalidParameter("parameter_invalid_string", at, "Metadata values must be strings.");
    if (key.length > MAX_METADATA_KEY_LENGTH) {
      const message = `Metadata keys must be at most ${MAX_METADATA_KEY_LENGTH} characters, but '${key.slice(0, 60)}' is ${key.length}.`;
      throw invalidParameter("parameter_invalid_string", at, message);
    }
    if (entry.length > MAX_METADATA_VALUE_LENGTH) {
      const message = `Metadata values must be at most ${MAX_METADATA_VALUE_LENGTH} characters, but the value of '${key}' is ${entry.length}.`;
      throw invalidParameter("parameter_invalid_string", at, message);
    }
    values.push([key, entry]);
  }
  if (values.length > MAX_METADATA_KEYS) {
    throw invalidParameter("metadata_too_many_keys", param, `Metadata can have at most ${MAX_METADATA_KEYS} keys.`);
  }
  return { clear: false, values: Object.fromEntries(values) };
};

/** The metadata of something new, where there is nothing to clear. */
export const newMetadata: Field<MetadataChange> = (value, param) => {
  if (value === "") throw invalidParameter("parameter_invalid_object", param, "Invalid object");
  return metadata(value, param);
};

/** The metadata after a change, keys with empty values removed. */
export function applyMetadata(
  current: Record<string, string>,
  change: MetadataChange | undefined,
): Record<string, string> {
  if (!change) return current;
  const merged = change.clear ? {} : { ...current, ...change.values };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
  if (Object.keys(kept).length > MAX_METADATA_KEYS) {
    throw invalidParameter(
      "metadata_too_many_keys",
      "metadata",
      `Metadata can have at most ${MAX_METADATA_KEYS} keys.`,
    );
  }
  return kept;
}

const addressFields = {
  city: unsettable(text()),
  country: unsettable(text()),
  line1: unsettable(text()),
  line2: unsettable(text()),
  postal_code: unsettable(text()),
  state: unsettable(text()),
};

export const address = object(addressFields);

/** A shipping address with its name; `line1` is required, as for a payment made through Checkout. */
export const shippingWithLine1 = object({
  address: required(object({ ...addressFields, line1: required(text()) })),
  carrier: unsettable(text()),
  name: required(text()),
  phone: unsettable(text()),
  tracking_number: unsettable(text()),
});

export const shipping = object({
  address: required(address),
  carrier: unsettable(text()),
  name: required(text()),
  phone: unsettable(text()),
  tracking_number: unsettable(text()),
});

/** An address as the provider shows it: every part there, null where it was not given. */
export function fullAddress(given: Partial<Record<keyof typeof addressFields, string | null | undefined>>) {
  return {
    city: given.city || null,
    country: given.country || null,
    line1: given.line1 || null,
    line2: given.line2 || null,
    postal_code: given.postal_code || null,
    state: given.state || null,
  };
}

/** An http(s) URL. `{CHECKOUT_SESSION_ID}` and the like stay as they are. */
export const webAddress: Field<string> = (value, param) => {
  const given = text()(value, param);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(given)) {
    throw invalidParameter("url_invalid", param, "Invalid URL: An explicit scheme (such as https) must be provided.");
  }
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
    throw invalidParameter("url_invalid", param, "Not a valid URL");
  return given;
};

export const email: Field<string> = (value, param) => {
  const given = text({ max: 512 })(value, param);
  if (!/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(given))
    throw invalidParameter("email_invalid", param, `Invalid email address: ${given.slice(0, 80)}`);
  return given;
};

/** A three-letter currency in lower case. The sandbox's account settles in US dollars and takes no other. */
export const currency: Field<"usd"> = (value, param) => {
  const given = text()(value, param).toLowerCase();
  if (given !== "usd")
    throw invalidParameter(
      "parameter_invalid",
      param,
      `Invalid currency: ${given.slice(0, 10)}. The sandbox's account takes usd.`,
    );
  return "usd";
};

/** Cents, from 0 up to the provider's largest amount. */
export const cents = integer({ min: 0, max: 99_999_999 });

export const expand = list(text());

const range = object({ gt: integer(), gte: integer(), lt: integer(), lte: integer() });

/** `created=N` or `created[gte]=N&created[lt]=M`, in unix seconds. */
const createdFilter: Field<{ gt?: number; gte?: number; lt?: number; lte?: number }> = (value, param) => {
  if (typeof value === "string") {
    const exact = integer()(value, param);
    return { gte: exact, lte: exact };
  }
  return range(value, param);
};

/** What every list takes. */
export const paging = {
  created: createdFilter,
  ending_before: text(),
  expand,
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
};

export const nullableText = unsettable(text());
