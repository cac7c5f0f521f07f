import { texts } from "../texts.ts";

const { refusals } = texts;
const OF_NAME: Readonly<Record<string, unknown>> = refusals;

/** Says what the API refused: in our words if there are some for its code or field, otherwise in the API's. */
export function refusalText(code: string, message: string): string {
  const codeText = OF_NAME[code];
  if (typeof codeText === "string") return codeText;
  // The API counts lines from 0.
  const [, field = "", line, rest = ""] = /^The '(\w+)(?:\[(\d+)\])?' field (.*)$/s.exec(message) ?? [];
  if (field === "lines" && line !== undefined) return refusals.line(Number(line) + 1, rest);
  const fieldText = OF_NAME[field];
  return typeof fieldText === "string" ? fieldText : message;
}
