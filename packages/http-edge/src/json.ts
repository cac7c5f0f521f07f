import { isSafeText } from "@partline/parts-language";
import { CodedError } from "@partline/toolkit";

/** Bounds recursion; deeper than any contract. */
const MAX_DEPTH = 32;

/** Maximum number of names in an object: checking more would block the event loop. */
const MAX_NAMES = 10_000;

/** Maximum number of values in a body: more empty objects would block the event loop for a quarter of a second. */
const MAX_VALUES = 100_000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON object; an empty body is an empty one. Refuses by name what could harm an object or a store, or change
 * on its way (1e400). @throws INVALID_JSON, VALIDATION_FAILED
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  const parsed = body.length === 0 ? {} : parseJson(body);
  if (Array.isArray(parsed)) throw new CodedError("INVALID_JSON", "The body must be a JSON object");
  return parsed as Record<string, unknown>;
}

/** Parses a JSON object or list, with the same refusals. @throws INVALID_JSON, VALIDATION_FAILED */
export function parseJson(body: Buffer): object {
  if (hasMoreValues(body, MAX_VALUES)) throw createFieldError("body", `has more than ${MAX_VALUES} values`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new CodedError("INVALID_JSON", "The body is not valid JSON", undefined, { cause: error });
  }
  if (typeof parsed !== "object" || parsed === null)
    throw new CodedError("INVALID_JSON", "The body must be a JSON object");
  refuseUnsafe(parsed, []);
  return parsed;
}

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = ['"', "\\", ",", "{", "["].map((sign) => sign.charCodeAt(0));

/**
 * Parses a JSON value, refused by name as that of a body is.
 * @throws SyntaxError, VALIDATION_FAILED
 */
export function parseSafeJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  refuseUnsafe(parsed, []);
  return parsed;
}

/** Counts, without parsing, commas and beginnings of objects and lists. */
function hasMoreValues(json: Buffer, most: number): boolean {
  // Each value takes at least a byte.
  if (json.length <= most) return false;
  let values = 0;
  let isText = false;
  for (let index = 0; index < json.length && values <= most; index += 1) {
    const sign = json[index];
    if (isText) {
      if (sign === BACKSLASH) index += 1;
      else if (sign === QUOTE) isText = false;
    } else if (sign === QUOTE) isText = true;
    else if (sign === COMMA || sign === BRACE || sign === BRACKET) values += 1;
  }
  return values > most;
}

/** `path` has the keys and indexes that lead to the value. */
function refuseUnsafe(value: unknown, path: (string | number)[]): void {
  if (typeof value === "string" && !isSafeText(value)) {
    throw createFieldError(toFieldName(path), "must not contain null characters or broken Unicode");
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw createFieldError(toFieldName(path), "must be a number that a double (IEEE 754) holds");
  if (typeof value !== "object" || value === null) return;
  if (path.length >= MAX_DEPTH) throw createFieldError(toFieldName(path), "is nested too deep");
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) refuseWithin(value[index], index, path);
    return;
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_NAMES) throw createFieldError(toFieldName(path) || "body", `has more than ${MAX_NAMES} names`);
  for (const key of keys) {
    const child = (value as Record<string, unknown>)[key];
    if (key === "__proto__" || (key === "constructor" && hasOwn(child, "prototype")))
      throw createFieldError(toFieldName([...path, key]), "is not allowed");
    if (!isSafeText(key))
      throw createFieldError(toFieldName(path) || "body", "has a field name with null characters or broken Unicode");
    refuseWithin(child, key, path);
  }
}

function refuseWithin(value: unknown, step: string | number, path: (string | number)[]): void {
  path.push(step);
  refuseUnsafe(value, path);
  path.pop();
}

function toFieldName(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function hasOwn(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

export function createFieldError(field: string, why: string): CodedError {
  const name = field.slice(0, 200);
  const message = `The '${name}' field ${why}.`;
  return new CodedError("VALIDATION_FAILED", message, [{ field: name, message }]);
}
