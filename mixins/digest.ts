import { hash } from "node:crypto";

/** A digest of what is written as JSON; the order of an object's fields makes no difference. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
  return hash("sha256", text, "base64url");
}
