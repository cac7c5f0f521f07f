import { texts } from "../texts.ts";

const { refusals } = texts;
const OF_FIELD: Readonly<Record<string, unknown>> = refusals;

/** What the API refused: in our words if there are some for its code or field, otherwise in the API's. */
export function refusalText(code: string, message: string): string {
  if (code === "VERSION_CONFLICT") return refusals.VERSION_CONFLICT;
  // The API counts lines from 0.
  const [, field = "", line, rest = ""] = /^The '(\w+)(?:\[(\d+)\])?' field (.*)$/s.exec(message) ?? [];
  if (field === "lines" && line !== undefined) return refusals.line(Number(line) + 1, rest);
  const fieldText = OF_FIELD[field];
  return typeof fieldText === "string" ? fieldText : message;
}
