import { familyOf, normalOf } from "../generators/manuals/number-families.ts";
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
      const named = new Map(
        parts.map(({ replacedBy, ...part }) => [
          part.pnNorm,
          { ...part, ...(replacedBy !== undefined && isPrinted(replacedBy) && { replacedBy }) },
        ]),
      );
      const found = new Map((pages.find((each) => each.page === page)?.parts ?? []).map((part) => [part.pnNorm, part]));
      return [...new Set([...named.keys(), ...found.keys()])].map((pnNorm): Judged => {
        const [known, seen] = [named.get(pnNorm), found.get(pnNorm)];
        const number = known?.partNumber ?? seen!.partNumber;
        return {
          manual: truth.filename,
          page,
          layout,
          number,
          family: known?.family ?? familyOf(number),
          ...(known && { truth: known, ledBy: known.ledBy }),
          ...(seen && { found: seen }),
        };
      });
    });
}

/** Rows that say a fact, of which the reading says the same; as counts. */
export interface Agreement {
  told: number;
  same: number;
}

export const FACTS = {
  quantity: ({ quantity }: PartTruth, found: FoundPart) => [quantity, found.quantity],
  description: ({ description }: PartTruth, found: FoundPart) => [
    description && folded(description),
    found.description && folded(found.description),
  ],
  reference: ({ reference }: PartTruth, found: FoundPart) => [reference, found.reference],
  figure: ({ figure }: PartTruth, found: FoundPart) => [figure && (figure.label || figure.title), found.figure],
  "replaced by": ({ replacedBy }: PartTruth, found: FoundPart) => [
    replacedBy && normalOf(replacedBy),
    found.replacedBy && normalOf(found.replacedBy),
  ],
  vendor: ({ vendor }: PartTruth, found: FoundPart) => [vendor, found.vendor],
} as const satisfies Record<string, (truth: PartTruth, found: FoundPart) => readonly [unknown, unknown]>;

export type Fact = keyof typeof FACTS;

/**
 * How often a fact of a found part is as printed; a quantity that the page leaves open and the reading does not counts
 * as different.
 */
export function agreementOf(fact: Fact, judged: readonly Judged[]): Agreement {
  const pairs = judged
    .flatMap(({ truth, found }) =>
      truth && found && truth.ledBy === "column-header" ? [FACTS[fact](truth, found)] : [],
    )
    .filter(([told, seen]) => told !== undefined || seen !== undefined);
  return { told: pairs.length, same: pairs.filter(([told, seen]) => told === seen).length };
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();
