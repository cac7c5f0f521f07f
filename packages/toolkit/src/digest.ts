import { hash } from "node:crypto";

/** The JSON of a value with the fields of each object in one order. */
export function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** A digest of what is written as JSON; the order of an object's fields makes no difference. */
export function computeDigest(value: unknown): string {
  return hash("sha256", toSortedJson(value), "base64url");
}
