import { texts } from "../texts.ts";

const { refusals } = texts;
const OF_NAME: Readonly<Record<string, unknown>> = refusals;

/** Says what the API refused: in our words if there are some for its code or field, otherwise in the API's. */
export function refusalText(code: string, message: string): string {
  const codeText = OF_NAME[code];
  if (typeof codeText === "string") return codeText;
  // The API counts lines from 0.
  const [, path = "", line, rest = ""] = /^The '([\w.]+)(?:\[(\d+)\])?' field (.*)$/s.exec(message) ?? [];
  if (path === "lines" && line !== undefined) return refusals.line(Number(line) + 1, rest);
  const field = path.replace(/^stock\./, "");
  // Those that need what the API says after its colon: the offers, the part that has the number.
  const [, detail] = /: (.+?)[.]?$/s.exec(rest) ?? [];
  if (detail !== undefined && field === "label.rate") return refusals.listOffers(detail);
  if (detail !== undefined && field === "partNumber") return refusals.nameExisting(detail);
  const fieldText = OF_NAME[field];
  return typeof fieldText === "string" ? fieldText : message;
}
