import { fill } from "../../shared/language.ts";
import { texts } from "../texts.ts";
import { count } from "./format.ts";

interface Coded {
  /** The API's own sentence. */
  reason: string;
  code?: string;
  values?: Record<string, unknown>;
}

const TEXTS: Readonly<Record<string, string | undefined>> = texts.remarks;
const COLUMNS: Readonly<Record<string, string | undefined>> = texts.priceFiles.columns;

/** What a line of a report says, by its code in the page's language; the API's sentence if the code is unknown. */
export function formatRemark({ reason, code = "", values = {} }: Coded): string {
  const text = TEXTS[code];
  if (text === undefined) return reason;
  const { cause, status, ...plainValues } = values;
  const gapTexts: Record<string, string> = Object.fromEntries(
    Object.entries(plainValues).map(([name, value]) => [
      name,
      typeof value === "number" ? count(value) : (name === "column" && COLUMNS[String(value)]) || String(value),
    ]),
  );
  if (typeof cause === "string")
    gapTexts.cause = formatRemark({ reason: cause, code: cause, values: { ...plainValues, status } });
  const filled = fill(text, gapTexts);
  return typeof status === "number" && cause === undefined ? `${filled} (${status})` : filled;
}

/** The notes of a report, each by its code. */
export function listNoteTexts(notes: readonly string[], remarks: readonly Omit<Coded, "reason">[] = []): string[] {
  return notes.map((reason, index) => formatRemark({ reason, ...remarks[index] }));
}
