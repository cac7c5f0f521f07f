import { findFamily, normalize } from "../generators/manuals/number-families.ts";
import type { Layout, PartTruth } from "../generators/manuals/truth.ts";
import type { FoundPart } from "../../../../manual-reader/src/findings.ts";
import type { ReadManual } from "./read-set.ts";

/** A number that a page has, finds, or both. */
export interface Judged {
  manual: string;
  page: number;
  layout: Layout;
  family: string;
  ledBy?: PartTruth["ledBy"];
  number: string;
  truth?: PartTruth;
  found?: FoundPart;
}

/**
 * Each number once a page: a page names it or does not. Scanned pages are left out: without OCR they have no numbers to
 * find.
 */
export function judgeParts({ truth, pages }: ReadManual): Judged[] {
  return truth.pages
    .filter(({ isScanned }) => !isScanned)
    .flatMap(({ page, layout }) => {
      const parts = truth.parts.filter((part) => part.page === page);
      // A list without remarks does not say what replaces its parts, though it is known.
      const isPrinted = (number: string): boolean => parts.some(({ partNumber }) => partNumber === number);
      const namedParts = new Map(
        parts.map(({ replacedBy, ...part }) => [
          part.pnNorm,
          { ...part, ...(replacedBy !== undefined && isPrinted(replacedBy) && { replacedBy }) },
        ]),
      );
      const foundParts = new Map(
        (pages.find((findings) => findings.page === page)?.parts ?? []).map((part) => [part.pnNorm, part]),
      );
      return [...new Set([...namedParts.keys(), ...foundParts.keys()])].map((pnNorm): Judged => {
        const [namedPart, foundPart] = [namedParts.get(pnNorm), foundParts.get(pnNorm)];
        const number = namedPart?.partNumber ?? foundPart!.partNumber;
        return {
          manual: truth.filename,
          page,
          layout,
          number,
          family: namedPart?.family ?? findFamily(number),
          ...(namedPart && { truth: namedPart, ledBy: namedPart.ledBy }),
          ...(foundPart && { found: foundPart }),
        };
      });
    });
}

/** Rows that say a fact, of which the reading says the same; as counts. */
export interface Agreement {
  compared: number;
  same: number;
}

export const FACTS = {
  quantity: ({ quantity }: PartTruth, part: FoundPart) => [quantity, part.quantity],
  description: ({ description }: PartTruth, part: FoundPart) => [
    description && folded(description),
    part.description && folded(part.description),
  ],
  reference: ({ reference }: PartTruth, part: FoundPart) => [reference, part.reference],
  figure: ({ figure }: PartTruth, part: FoundPart) => [figure && (figure.label || figure.title), part.figure],
  "replaced by": ({ replacedBy }: PartTruth, part: FoundPart) => [
    replacedBy && normalize(replacedBy),
    part.replacedBy && normalize(part.replacedBy),
  ],
  vendor: ({ vendor }: PartTruth, part: FoundPart) => [vendor, part.vendor],
} as const satisfies Record<string, (truth: PartTruth, part: FoundPart) => readonly [unknown, unknown]>;

export type Fact = keyof typeof FACTS;

/**
 * How often a fact of a found part is as printed; a quantity that the page leaves open and the reading does not counts
 * as different.
 */
export function computeAgreement(fact: Fact, judged: readonly Judged[]): Agreement {
  const pairs = judged
    .flatMap(({ truth, found }) =>
      truth && found && truth.ledBy === "column-header" ? [FACTS[fact](truth, found)] : [],
    )
    .filter(([expected, actual]) => expected !== undefined || actual !== undefined);
  return { compared: pairs.length, same: pairs.filter(([expected, actual]) => expected === actual).length };
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();
