import { DocumentStoreError } from "../port.ts";
import { MAX_DOCUMENT_BYTES } from "../model/document.ts";
import type { JsonObject } from "../model/paths.ts";
import type { Shape } from "../model/shape.ts";

/** Dates lie in the file as milliseconds since 1970: exact, in order, and quick to turn back. */
export const encodeDate = (date: Date): number => date.getTime();

/** A cleaned document as it is stored. @throws BAD_DOCUMENT when it is too large */
export function toText(document: JsonObject): string {
  const text = JSON.stringify(document);
  // A UTF-16 unit takes three bytes at most, so short texts need no count.
  if (text.length * 3 > MAX_DOCUMENT_BYTES && Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) {
    throw new DocumentStoreError("BAD_DOCUMENT", "The document is larger than 16 MiB");
  }
  return text;
}

/** Turns the declared dates of a stored document back into Date objects, in place. */
export function reviveDates<T extends JsonObject>(shape: Shape, document: T): T {
  for (const segments of shape.dates) {
    let holder: JsonObject | undefined = document;
    const last = segments.length - 1;
    for (let index = 0; index < last && holder; index++) holder = objectIn(holder, segments[index]!);
    const key = segments[last]!;
    const value = holder?.[key];
    if (holder && typeof value === "number") holder[key] = new Date(value);
  }
  return document;
}

function objectIn(holder: JsonObject, key: string): JsonObject | undefined {
  const value = holder[key];
  return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
}
