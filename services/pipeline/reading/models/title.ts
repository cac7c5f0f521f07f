import type { PageFindings } from "../findings.ts";

const NAMES_A_MANUAL = /\b(?:manual|catalog(?:ue)?|parts? list|parts book|handbook|guide|breakdown)\b/i;
const LONGEST = 120;

/** Its name on the first page, else the file's. */
export function titleOfManual(first: PageFindings | undefined, filename: string): string {
  const lines = (first?.text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line) && line.length <= LONGEST);
  return lines.slice(0, 12).find((line) => NAMES_A_MANUAL.test(line)) ?? lines[0] ?? filename.replace(/\.pdf$/i, "");
}
