import { fold } from "../fold.ts";
import { hasDigit, isSize, isStopWord } from "./text.ts";

/** Words at the end of a head that say how a thing is sold, built or placed rather than what it is. */
const HOW_IT_IS = new Set([
  "assembly",
  "assy",
  "complete",
  "genuine",
  "oem",
  "new",
  "replacement",
  "pair",
  "standard",
  "std",
  "left",
  "right",
  "lh",
  "rh",
  "front",
  "rear",
  "upper",
  "lower",
  "inner",
  "outer",
]);
/** Words that are a measure behind a number. */
const UNITS = new Set([
  "in",
  "inch",
  "inches",
  "ft",
  "mm",
  "cm",
  "hp",
  "rpm",
  "psi",
  "ply",
  "volt",
  "amp",
  "watt",
  "lb",
  "oz",
  "qt",
  "gal",
  "micron",
  "tooth",
  "degree",
  "series",
]);

/** A comma or colon between digits, and a dash between them, is a part of a number. */
const MARK = /(?<!\d)[,:]|[,:](?!\d)|[;()]|(?<!\d)\s[-–—]\s|\s[-–—]\s(?!\d)/u;
const END_OF_HEAD = new RegExp(`${MARK.source}|\\s(?:for|fits|with|without|w(?=/))(?![\\p{L}\\p{N}])`, "iu");

/**
 * The head is what names the part: `Oil Filter` of `Oil Filter, Short`, `FILTER` of `FILTER,OIL`, `Gasket` of `Gasket
 * for Carburetor`, `Turf Tire` of `Turf Tire 23x8.50-12 Turf Saver`; all of a title that goes on with none of these.
 */
export function cutTitle(title: string): { head: string; rest: string } {
  const end = END_OF_HEAD.exec(title)?.index ?? title.length;
  const cut = startOfSize(title.slice(0, end)) ?? end;
  return { head: title.slice(0, cut), rest: title.slice(cut) };
}

/** Where a size begins behind a word. */
function startOfSize(head: string): number | undefined {
  if (!hasDigit(head)) return undefined;
  const chunks = [...head.matchAll(/\S+/g)];
  return chunks.find(({ 0: chunk, index }) => isSize(chunk) && /\p{L}{2}/u.test(head.slice(0, index)))?.index;
}

/** What stands between the commas, dashes and brackets of what follows a head. */
export function segmentsOf(rest: string): string[] {
  return rest.split(MARK);
}

/**
 * What the part is, the last telling word of a head: `bearing` of `Wheel Bearing`; both of `Tire and Wheel Assembly`.
 * Folded.
 */
export function thingsOf(head: string): string[] {
  return fold(head)
    .split(/\sand\s/)
    .flatMap((each) => lastThing(each) ?? []);
}

/** @param others words beside those that never say what a part is */
export function lastThing(head: string, others: ReadonlySet<string> = new Set()): string | undefined {
  const words = fold(head).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.findLast((word, at) => {
    if (word.length === 1 || hasDigit(word) || isStopWord(word) || HOW_IT_IS.has(word) || others.has(word))
      return false;
    return !(UNITS.has(word) && hasDigit(words[at - 1] ?? ""));
  });
}
