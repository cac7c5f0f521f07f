import type { Line } from "../text/lines.ts";
import { descriptionOf, quantityOf, referenceOf } from "./cells.ts";
import { ANY_FAMILY } from "./families.ts";

/** A line of a list, as `12 691035 Gasket, carburetor 2`. */
export interface RowLine {
  number: string;
  /** In the line. */
  start: number;
  reference?: string;
  quantity?: number;
  description: string;
}

const LONGEST_DESCRIPTION = 60;
const LONGEST_LINE = 120;

/** A single one is no list. */
export function rowLines(lines: readonly Line[]): Map<Line, RowLine> {
  const rows = new Map(
    lines.flatMap((line): [Line, RowLine][] => {
      const row = rowOf(line.text);
      return row ? [[line, row]] : [];
    }),
  );
  return rows.size >= 2 ? rows : new Map<Line, RowLine>();
}

function rowOf(text: string): RowLine | undefined {
  const match = text.length <= LONGEST_LINE ? [...text.matchAll(ANY_FAMILY)][0] : undefined;
  if (!match) return undefined;
  const before = text.slice(0, match.index).trim();
  const [, words = "", last = ""] = /^(.*?)(?:\s+(\(?\d{1,3}\)?|A\/?R))?$/i.exec(
    text.slice(match.index + match[0].length).trim(),
  )!;
  const description = descriptionOf(words);
  const reference = referenceOf(before);
  const quantity = quantityOf(last);
  if (
    !description ||
    description.length > LONGEST_DESCRIPTION ||
    /^\p{Ll}|[.!?]$/u.test(description) ||
    (before !== "" && !reference)
  )
    return undefined;
  if (reference === undefined && last === "") return undefined;
  return {
    number: match[0],
    start: match.index,
    description,
    ...(reference && { reference }),
    ...(quantity !== undefined && { quantity }),
  };
}
