import { validationFailed } from "../../mixins/errors.ts";
import { FIRST_MOMENT, LAST_MOMENT } from "./period.ts";
import { string } from "@partline/api-contracts";

/** Keyset paging: the next page costs what the first does, at any depth. */

/** End of a page: the sort, and the last item's sorted value and id. */
export interface Place {
  sort: string;
  /** A moment, in milliseconds, or an amount. */
  value: number;
  id: string;
}

export const cursorRule = string({
  min: 1,
  max: 500,
  optional: true,
  example: "WyJuZXdlc3QiLDE3NjQxMDgwMDAwMDAsIm9yZF8wMSJd",
  description:
    "The `nextCursor` of the answer before, with the same sort and filters: pages without a count, at the same cost at " +
    "any depth, which what is added meanwhile does not move",
});

export const nextCursorRule = string({ optional: true, description: "Absent on the last page" });

export function toCursor({ sort, value, id }: Place): string {
  return encodeCursor([sort, value, id]);
}

export function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** @throws VALIDATION_FAILED for none of ours, or one of another sort */
export function readCursor(cursor: string, sort: string): Place {
  const [cursorSort, value, id] = decodeCursor(cursor);
  const isValue = Number.isSafeInteger(value) && Number(value) >= FIRST_MOMENT && Number(value) <= LAST_MOMENT;
  if (cursorSort === sort && isValue && typeof id === "string" && id !== "") return { sort, value: Number(value), id };
  const message = `The 'cursor' field must be the nextCursor of an answer with the same sort.`;
  throw validationFailed({ field: "cursor", message });
}

/** Returns none for what is no cursor. */
export function decodeCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
