import { hasDigit, isSize, isStopWord } from "@partline/parts-language/terms";
import { fold } from "@partline/parts-language";

/** Words at the end of a head for how a thing is sold, built or placed. */
const HOW_IT_IS = new Set(
  `assembly assy comp complete genuine oem new replacement pair standard std left right lh rh front rear
   upper lower inner outer`.split(/\s+/),
);
/** Words that are a unit behind a number. */
const UNITS = new Set(
  "in inch inches ft mm cm hp rpm psi ply volt amp watt lb oz qt gal micron tooth degree series".split(" "),
);

/** A comma, colon or dash between digits is part of a number. */
const MARK = /(?<!\d)[,:]|[,:](?!\d)|[;()]|(?<!\d)\s[-–—]\s|\s[-–—]\s(?!\d)/u;
const END_OF_HEAD = new RegExp(`${MARK.source}|\\s(?:for|fits|with|without|w(?=/))(?![\\p{L}\\p{N}])`, "iu");

/**
 * Cuts a title behind its head, which names the part: `Oil Filter` of `Oil Filter, Short`, `FILTER` of `FILTER,OIL`,
 * `Gasket` of `Gasket for Carburetor`, `Turf Tire` of `Turf Tire 23x8.50-12 Turf Saver`.
 */
export function cutTitle(title: string): { head: string; rest: string } {
  const end = END_OF_HEAD.exec(title)?.index ?? title.length;
  const cut = startOfSize(title.slice(0, end)) ?? end;
  return { head: title.slice(0, cut), rest: title.slice(cut) };
}

/** Returns the place where a size begins after a word. */
function startOfSize(head: string): number | undefined {
  if (!hasDigit(head)) return undefined;
  const chunks = [...head.matchAll(/\S+/g)];
  return chunks.find(({ 0: chunk, index }) => isSize(chunk) && /\p{L}{2}/u.test(head.slice(0, index)))?.index;
}

/** Cuts what follows a head at commas, dashes and brackets. */
export function splitSegments(rest: string): string[] {
  return rest.split(MARK);
}

/** The things that a head names, folded: `bearing` of `Wheel Bearing`; both of `Tire and Wheel Assembly`. */
export function findThings(head: string): string[] {
  return fold(head)
    .split(/\sand\s/)
    .flatMap((segment) => findLastThing(segment) ?? []);
}

/** @param furtherWords further words that never name a thing */
export function findLastThing(head: string, furtherWords: ReadonlySet<string> = new Set()): string | undefined {
  const words = fold(head).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.findLast((word, index) => {
    if (word.length === 1 || hasDigit(word) || isStopWord(word) || HOW_IT_IS.has(word) || furtherWords.has(word))
      return false;
    return !(UNITS.has(word) && hasDigit(words[index - 1] ?? ""));
  });
}
