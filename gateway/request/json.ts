import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { isSafeText } from "../../mixins/safe-text.ts";

/** Deeper nesting than any contract has; it bounds recursion here and in everything behind. */
const MAX_DEPTH = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON object; an empty body is an empty one. What could poison an object or a store on its way (prototype
 * keys, null characters, lone surrogates, endless nesting), or become something else there (1e400), is refused by name.
 * @throws INVALID_JSON, VALIDATION_FAILED
 */
export function parseJsonObject(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new PartlineError("INVALID_JSON", "The body is not valid JSON", undefined, { cause: error });
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new PartlineError("INVALID_JSON", "The body must be a JSON object");
  }
  refuseUnsafe(parsed, "", 1);
  return parsed as Record<string, unknown>;
}

function refuseUnsafe(value: unknown, path: string, depth: number): void {
  if (typeof value === "string" && !isSafeText(value)) {
    throw refused(path, "must not contain null characters or broken Unicode");
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw refused(path, "must be a number that a double (IEEE 754) holds");
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_DEPTH) throw refused(path, "is nested too deep");
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnsafe(item, `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    const childPath = path === "" ? key : `${path}.${key}`;
    if (key === "__proto__" || (key === "constructor" && hasOwn(child, "prototype")))
      throw refused(childPath, "is not allowed");
    if (!isSafeText(key)) throw refused(path || "body", "has a field name with null characters or broken Unicode");
    refuseUnsafe(child, childPath, depth + 1);
  }
}

function hasOwn(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

/** 400 naming a field that the client made up, cut to a length that can be answered. */
export function refused(field: string, why: string): PartlineError {
  const name = field.slice(0, 200);
  return validationFailed({ field: name, message: `The '${name}' field ${why}.` });
}
