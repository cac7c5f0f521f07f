import { hash } from "node:crypto";

/** The JSON of a value with the fields of each object in one order. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}

/** A digest of what is written as JSON; the order of an object's fields makes no difference. */
export function digestOf(value: unknown): string {
  return hash("sha256", sortedJson(value), "base64url");
}
