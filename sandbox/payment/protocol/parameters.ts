import { invalidParameter, invalidRequest, missingParameter } from "./errors.ts";

/** A decoded form: text at the leaves. Objects have no prototype: no name of a request means anything to JavaScript. */
export type FormValue = string | FormObject | FormValue[];
export type FormObject = { [name: string]: FormValue };

const MAX_DEPTH = 10;
const MAX_PAIRS = 5_000;

/**
 * Decodes `a=1&b[c]=2&d[0][e]=3&f[]=4`, the encoding of the provider's requests and queries, into `{ a: "1", b: { c:
 * "2" }, d: [{ e: "3" }], f: ["4"] }`. A level whose names are 0 to n-1 is a list. Throws ApiError 400 for a name that
 * is used both as a value and as a container, or that nests deeper than ten levels.
 */
export function decodeForm(text: string): FormObject {
  const root = emptyObject();
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > MAX_PAIRS) throw invalidRequest(`Invalid request: more than ${MAX_PAIRS} parameters`);
    if (!assign(root, name, value)) {
      const shown = JSON.stringify(name.slice(0, 100));
      throw invalidRequest(
        `Invalid request: parameter ${shown} is malformed, nests too deeply or is a value elsewhere`,
      );
    }
  }
  return withLists(root) as FormObject;
}

/** Returns whether the name could be given the value. */
function assign(root: FormObject, name: string, value: string): boolean {
  const open = name.indexOf("[", 1);
  const rest = open < 0 ? "" : name.slice(open);
  if (!/^(\[[^[\]]*\])*$/.test(rest)) return false;
  const path = rest === "" ? [name] : [name.slice(0, open), ...rest.slice(1, -1).split("][")];
  if (path.length > MAX_DEPTH) return false;
  let level = root;
  for (const [index, segment] of path.entries()) {
    const key = segment === "" ? String(Object.keys(level).length) : segment;
    const existing = level[key];
    if (index === path.length - 1) {
      if (isContainer(existing)) return false;
      level[key] = value;
    } else {
      if (existing !== undefined && !isContainer(existing)) return false;
      level = existing ?? (level[key] = emptyObject());
    }
  }
  return true;
}

function withLists(value: FormValue): FormValue {
  if (!isContainer(value)) return value;
  // Only names 0 to n-1 are a list: metadata may have a key that is a number.
  const names = Object.keys(value);
  if (names.length > 0 && names.every((_, index) => Object.hasOwn(value, String(index))))
    return names.map((_, index) => withLists(value[String(index)] as FormValue));
  for (const name of names) value[name] = withLists(value[name] as FormValue);
  return value;
}

function isContainer(value: FormValue | undefined): value is FormObject {
  return typeof value === "object" && !Array.isArray(value);
}

function emptyObject(): FormObject {
  return Object.create(null) as FormObject;
}

/** Reads one parameter from the form, or refuses it (ApiError 400 that names `param`). */
export type Field<T> = (value: FormValue, param: string) => T;

export type Shape = Record<string, Field<unknown> | Required<unknown>>;
type Required<T> = { required: Field<T> };
type Read<F> = F extends Required<infer T> ? T : F extends Field<infer T> ? T | undefined : never;

/** What a shape reads: required parameters are always there, others may be `undefined`. */
export type Parameters<S extends Shape> = { [K in keyof S]: Read<S[K]> };

export function required<T>(field: Field<T>): Required<T> {
  return { required: field };
}

/** An object with the parameters of `shape` and no others. At the top level `param` is empty. */
export function object<S extends Shape>(shape: S): Field<Parameters<S>> {
  return (value, param) => {
    if (typeof value === "string" || Array.isArray(value)) throw invalidObject(param);
    const unknown = Object.keys(value)
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) => nested(param, name));
    if (unknown.length > 0) {
      const message = `Received unknown parameter${unknown.length > 1 ? "s" : ""}: ${unknown.join(", ")}`;
      throw invalidParameter("parameter_unknown", unknown[0] ?? "", message);
    }
    const read = Object.entries(shape).map(([name, spec]) => {
      const given = value[name];
      const path = nested(param, name);
      if (given !== undefined)
        return [name, typeof spec === "function" ? spec(given, path) : spec.required(given, path)];
      if (typeof spec !== "function") throw missingParameter(path);
      return [name, undefined];
    });
    return Object.fromEntries(read) as Parameters<S>;
  };
}

export function list<T>(field: Field<T>, { max = Infinity } = {}): Field<T[]> {
  return (value, param) => {
    if (!Array.isArray(value)) throw invalidParameter("parameter_invalid_array", param, "Invalid array");
    if (value.length > max)
      throw invalidParameter("array_too_large", param, `Array ${param} exceeded maximum ${max} allowed elements.`);
    return value.map((entry, index) => field(entry, `${param}[${index}]`));
  };
}

/** Text that is not empty: the provider takes the empty text as an attempt to unset (`unsettable`). */
export function text({ max = 5_000 } = {}): Field<string> {
  return (value, param) => {
    if (typeof value !== "string")
      throw invalidParameter("parameter_invalid_string", param, `Invalid string: ${param}`);
    if (value === "") {
      const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset.`;
      throw invalidParameter("parameter_invalid_empty", param, message);
    }
    if (value.length > max) {
      const message = `Invalid string: ${value.slice(0, 8)}...; must be at most ${max} characters`;
      throw invalidParameter("parameter_invalid_string", param, message);
    }
    return value;
  };
}

/** A parameter that the empty text sets to null. */
export function unsettable<T>(field: Field<T>): Field<T | null> {
  return (value, param) => (value === "" ? null : field(value, param));
}

export function integer({ min = -Infinity, max = Infinity } = {}): Field<number> {
  return (value, param) => {
    const invalid = (message: string) => invalidParameter("parameter_invalid_integer", param, message);
    if (typeof value !== "string" || !/^-?\d{1,15}$/.test(value))
      throw invalid(`Invalid integer: ${typeof value === "string" ? value.slice(0, 40) : param}`);
    const number = Number(value);
    if (number < min) throw invalid(`This value must be greater than or equal to ${min}.`);
    if (number > max) throw invalid(`This value must be less than or equal to ${max}.`);
    return number;
  };
}

export function oneOf<const T extends string>(...choices: T[]): Field<T> {
  return (value, param) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw invalidParameter("parameter_invalid", param, `Invalid ${param}: must be one of ${choices.join(", ")}`);
  };
}

export const boolean: Field<boolean> = (value, param) => {
  if (value === "true" || value === "false") return value === "true";
  const message = `Invalid boolean: ${typeof value === "string" ? value.slice(0, 40) : param}`;
  throw invalidParameter("parameter_invalid_boolean", param, message);
};

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

/** Up to 50 keys of at most 40 characters with values of at most 500; an empty value removes its key. */
export const metadata: Field<Record<string, string>> = (value, param) => {
  if (typeof value === "string" || Array.isArray(value)) throw invalidObject(param);
  for (const [key, entry] of Object.entries(value)) {
    const at = nested(param, key);
    const invalid = (message: string) => invalidParameter("parameter_invalid_string", at, message);
    if (typeof entry !== "string") throw invalid("Metadata values must be strings.");
    if (key.length > MAX_METADATA_KEY_LENGTH)
      throw invalid(`Metadata keys must be at most ${MAX_METADATA_KEY_LENGTH} characters: '${key.slice(0, 60)}'`);
    if (entry.length > MAX_METADATA_VALUE_LENGTH)
      throw invalid(`Metadata values must be at most ${MAX_METADATA_VALUE_LENGTH} characters, as '${key}' is not.`);
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
  const kept = Object.entries({ ...current, ...change }).filter(([, value]) => value !== "");
  if (kept.length <= MAX_METADATA_KEYS) return Object.fromEntries(kept);
  throw invalidParameter("metadata_too_many_keys", "metadata", `Metadata can have at most ${MAX_METADATA_KEYS} keys.`);
}

/** An http(s) URL. `{CHECKOUT_SESSION_ID}` in it stays as it is. */
export const webAddress: Field<string> = (value, param) => {
  const given = text()(value, param);
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given;
  throw invalidParameter("url_invalid", param, "Not a valid URL: a scheme (such as https) must be provided.");
};

export const email: Field<string> = (value, param) => {
  const given = text({ max: 512 })(value, param);
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(given)) return given;
  throw invalidParameter("email_invalid", param, `Invalid email address: ${given.slice(0, 80)}`);
};

/** The one currency of the sandbox's account. */
export const currency: Field<"usd"> = (value, param) => {
  const given = text()(value, param).toLowerCase();
  if (given === "usd") return "usd";
  const message = `Invalid currency: ${given.slice(0, 10)}. The sandbox's account takes usd.`;
  throw invalidParameter("parameter_invalid", param, message);
};

/** Cents, up to the provider's largest amount. */
export const cents = integer({ min: 0, max: 99_999_999 });

export const methodType = oneOf("card", "us_bank_account");

export const automaticMethods = object({
  allow_redirects: oneOf("always", "never"),
  enabled: required(boolean),
});

const period = object({ gt: integer(), gte: integer(), lt: integer(), lte: integer() });

/** `created=N` or `created[gte]=N&created[lt]=M`, in unix seconds. */
const createdFilter: typeof period = (value, param) =>
  period(typeof value === "string" ? { gte: value, lte: value } : value, param);

/** Parameters of every list. */
export const paging = {
  created: createdFilter,
  ending_before: text(),
  limit: integer({ min: 1, max: 100 }),
  starting_after: text(),
};

function nested(param: string, name: string): string {
  return param === "" ? name : `${param}[${name}]`;
}

function invalidObject(param: string) {
  return invalidParameter("parameter_invalid_object", param, "Invalid object");
}
