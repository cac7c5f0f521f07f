import { createInvalidParameter, createInvalidRequest, createMissingParameter } from "./errors.ts";

/** A decoded form: text at the leaves. Objects have no prototype: no name of a request means anything to JavaScript. */
type FormValue = string | FormObject;
export type FormObject = { [name: string]: FormValue };

const MAX_DEPTH = 10;

/** Decodes `a=1&b[c]=2&d[0][e]=3` into `{ a: "1", b: { c: "2" }, d: { 0: { e: "3" } } }`. @throws ApiError 400 */
export function decodeForm(pairs: URLSearchParams): FormObject {
  const root = Object.create(null) as FormObject;
  for (const [name, value] of pairs) {
    if (assign(root, splitName(name), value)) continue;
    const quotedName = JSON.stringify(name.slice(0, 100));
    throw createInvalidRequest(
      `Invalid request: parameter ${quotedName} is malformed, nests too deeply or is a value elsewhere`,
    );
  }
  return root;
}

function splitName(name: string): string[] {
  return /^[^[\]]+(\[[^[\]]+\])*$/.test(name) ? name.match(/[^[\]]+/g)! : [];
}

/** Returns whether the name could be given the value. */
function assign(level: FormObject, [key, ...rest]: string[], value: string): boolean {
  if (key === undefined || rest.length >= MAX_DEPTH) return false;
  if (rest.length > 0) {
    const inner = (level[key] ??= Object.create(null) as FormObject);
    return typeof inner === "object" && assign(inner, rest, value);
  }
  if (typeof level[key] === "object") return false;
  level[key] = value;
  return true;
}

/** Reads one parameter from the form, or refuses it (ApiError 400 that names `param`). */
export type Field<T> = (value: FormValue, param: string) => T;

export type Shape = Record<string, Field<unknown> | Required<unknown>>;
type Required<T> = { required: Field<T> };
type FieldValue<F> = F extends Required<infer T> ? T : F extends Field<infer T> ? T | undefined : never;

/** Parameters that are not required may be `undefined`. */
export type Parameters<S extends Shape> = { [K in keyof S]: FieldValue<S[K]> };

export function required<T>(field: Field<T>): Required<T> {
  return { required: field };
}

/** An object with the parameters of `shape` and no others. At the top level `param` is empty. */
export function object<S extends Shape>(shape: S): Field<Parameters<S>> {
  return (value, param) => {
    if (typeof value === "string") throw createInvalidObject(param);
    const unknown = Object.keys(value)
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) => joinName(param, name));
    if (unknown.length > 0) {
      const message = `Received unknown parameter${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`;
      throw createInvalidParameter("parameter_unknown", unknown[0] ?? "", message);
    }
    const entries = Object.entries(shape).map(([name, spec]) => {
      const raw = value[name];
      const path = joinName(param, name);
      if (raw !== undefined) return [name, typeof spec === "function" ? spec(raw, path) : spec.required(raw, path)];
      if (typeof spec !== "function") throw createMissingParameter(path);
      return [name, undefined];
    });
    return Object.fromEntries(entries) as Parameters<S>;
  };
}

/** A list: a level whose names are 0 to n-1. */
export function list<T>(field: Field<T>, { max = Infinity } = {}): Field<T[]> {
  return (value, param) => {
    const names = Object.keys(value);
    if (typeof value === "string" || names.some((name, index) => name !== String(index)))
      throw createInvalidParameter("parameter_invalid_array", param, "Invalid array");
    if (names.length > max)
      throw createInvalidParameter(
        "array_too_large",
        param,
        `Array ${param} exceeded maximum ${max} allowed elements.`,
      );
    return Object.values(value).map((entry, index) => field(entry, `${param}[${index}]`));
  };
}

/** Text that is not empty: the provider takes the empty text as an attempt to unset. */
export function text({ max = 5_000 } = {}): Field<string> {
  return (value, param) => {
    if (value === "")
      throw createInvalidParameter("parameter_invalid_empty", param, `'${param}' cannot be unset by an empty string.`);
    if (typeof value === "string" && value.length <= max) return value;
    const message = `Invalid string: ${param} must be text of at most ${max} characters`;
    throw createInvalidParameter("parameter_invalid_string", param, message);
  };
}

export function integer({ min = -Infinity, max = Infinity } = {}): Field<number> {
  return (value, param) => {
    const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    const message = `Invalid integer: ${param} is not a whole number, or out of its range.`;
    throw createInvalidParameter("parameter_invalid_integer", param, message);
  };
}

export function oneOf<const T extends string>(...choices: T[]): Field<T> {
  return (value, param) => {
    const choice = choices.find((choice) => choice === value);
    if (choice !== undefined) return choice;
    throw createInvalidParameter("parameter_invalid", param, `Invalid ${param}: must be one of ${choices.join(", ")}`);
  };
}

export const boolean: Field<boolean> = (value, param) => {
  if (value === "true" || value === "false") return value === "true";
  throw createInvalidParameter("parameter_invalid_boolean", param, `Invalid boolean: ${param}`);
};

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY = 40;
const MAX_METADATA_VALUE = 500;

/** Up to 50 keys of at most 40 characters with values of at most 500; an empty value removes its key. */
export const metadata: Field<Record<string, string>> = (value, param) => {
  if (typeof value === "string") throw createInvalidObject(param);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string" && key.length <= MAX_METADATA_KEY && entry.length <= MAX_METADATA_VALUE) continue;
    const message = `Metadata has text of at most ${MAX_METADATA_VALUE} characters under keys of at most ${MAX_METADATA_KEY}.`;
    throw createInvalidParameter("parameter_invalid_string", joinName(param, key), message);
  }
  return value as Record<string, string>;
};

/** The metadata of a new resource. */
export const newMetadata: Field<Record<string, string>> = (value, param) => applyMetadata({}, metadata(value, param));

/** Returns the metadata after a change, keys with empty values removed. */
export function applyMetadata(
  current: Record<string, string>,
  change: Record<string, string> = {},
): Record<string, string> {
  const entries = Object.entries({ ...current, ...change }).filter(([, value]) => value !== "");
  if (entries.length <= MAX_METADATA_KEYS) return Object.fromEntries(entries);
  throw createInvalidParameter(
    "metadata_too_many_keys",
    "metadata",
    `Metadata can have at most ${MAX_METADATA_KEYS} keys.`,
  );
}

function createTextField(fits: (candidate: string) => boolean, code: string, problem: string): Field<string> {
  return (value, param) => {
    const candidate = text()(value, param);
    if (fits(candidate)) return candidate;
    throw createInvalidParameter(code, param, `${problem}: ${candidate.slice(0, 80)}`);
  };
}

/** An http(s) URL. `{CHECKOUT_SESSION_ID}` in it stays as it is. */
export const webAddress = createTextField(
  (candidate) => /^https?:\/\//i.test(candidate) && URL.canParse(candidate),
  "url_invalid",
  "Not a valid URL with a scheme (such as https)",
);

/** Top-level domains have two letters or more. */
export const email = createTextField(
  (candidate) => candidate.length <= 512 && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/.test(candidate),
  "email_invalid",
  "Invalid email address",
);

/** Currency of the sandbox's account. */
export const currency = oneOf("usd");

/** Cents, up to the provider's largest amount. */
export const cents = integer({ min: 0, max: 99_999_999 });

export const methodType = oneOf("card", "us_bank_account");

/**
 * Countries of ISO 3166 that are none of the provider's `AllowedCountry`: its hosted page collects no address there.
 */
const NOT_COLLECTED = new Set("AS CC CU CX FM HM IR KP MH MP NF PW SY UM VI".split(" "));

/** A country that the hosted page may collect an address in. */
export const pageCountry = createTextField(
  (candidate) => /^[A-Z]{2}$/.test(candidate) && !NOT_COLLECTED.has(candidate),
  "parameter_invalid",
  "Not a country that an address is collected in",
);

/** A country by ISO 3166. */
export const country = createTextField(
  (candidate) => /^[A-Z]{2}$/.test(candidate),
  "parameter_invalid",
  "Not a country",
);

type Presented<T> = { [K in keyof T]-?: undefined extends T[K] ? NonNullable<T[K]> | null : T[K] };

/** An object as resources show it: null for what was not given. */
function presented<T extends object>(field: Field<T>): Field<Presented<T>> {
  return (value, param) => {
    const parts = Object.entries(field(value, param)).map(([name, part]): [string, unknown] => [name, part ?? null]);
    return Object.fromEntries(parts) as Presented<T>;
  };
}

export const address = presented(
  object({
    city: text(),
    country: required(country),
    line1: text(),
    line2: text(),
    postal_code: text(),
    state: text(),
  }),
);

/** Destination: `shipping` of a customer or an intent. */
export const shipping = presented(object({ address: required(address), name: required(text()), phone: text() }));

const period = object({ gt: integer(), gte: integer(), lt: integer(), lte: integer() });

/** `created=N` or `created[gte]=N&created[lt]=M`, in unix seconds. */
const createdFilter: typeof period = (value, param) =>
  period(typeof value === "string" ? { gte: value, lte: value } : value, param);

/** Parameters of every list. */
export const paging = { limit: integer({ min: 1, max: 100 }), starting_after: text() };
/** The same of stored resources. */
export const pagingByTime = { ...paging, created: createdFilter };

function joinName(param: string, name: string): string {
  return param === "" ? name : `${param}[${name}]`;
}

function createInvalidObject(param: string) {
  return createInvalidParameter("parameter_invalid_object", param, "Invalid object");
}
