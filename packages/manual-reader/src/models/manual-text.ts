import { fold } from "@partline/parts-language";
import { NAMES_A_MANUAL } from "./machine-words.ts";

/** First pages, and last ones, on which a manual says what it is and who made it. */
const FIRST_PAGES = 3;
const LAST_PAGES = 2;
/** Further back, a label may be of a component. */
const COVER_PAGES = 2;
/** Lines at the top and the bottom of a page that may run through the manual. */
const EDGE_LINES = 3;
const RUNNING_SHARE = 0.3;
const FEWEST_RUNNING = 3;

export function isOuterPage(index: number, pages: number): boolean {
  return index < FIRST_PAGES || index >= pages - LAST_PAGES;
}

export function isFirstPage(index: number): boolean {
  return index < FIRST_PAGES;
}

/** Whether it is the cover, or its back. */
export function isCover(index: number): boolean {
  return index < COVER_PAGES;
}

export function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Lists the lines at the top and bottom of pages. */
export function listEdges(text: string): string[] {
  const lines = splitLines(text);
  return lines.length <= 2 * EDGE_LINES ? lines : [...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)];
}

/** Words of sentences that send to a manual. */
const SENDS =
  /\b(?:please|refer|see|use|read|keep|bitte|siehe|lesen|voir|lire|consulte[rz]?|v[ée]ase|leer?|vedere|leggere|leia|se)\b/iu;
const GOES_ON = /[.;] \p{Lu}/u;
const LONGEST_TITLE = 90;

/** Finds the lines that name a manual, and on its first pages those above and below: a title has several. */
export function findTitles(lines: readonly string[], page: number): { line: string; isNear: boolean }[] {
  const isTitle = (line: string): boolean =>
    line.length <= LONGEST_TITLE &&
    NAMES_A_MANUAL.test(fold(line)) &&
    !SENDS.test(line) &&
    !GOES_ON.test(line) &&
    !/\.{4}|(?: \.){4}|^\p{Ll}/u.test(line);
  return lines.flatMap((line, index) => {
    if (!isTitle(line)) return [];
    const neighbours = isCover(page) ? [-2, -1, 1, 2].flatMap((distance) => lines[index + distance] ?? []) : [];
    return [
      { line, isNear: false },
      ...neighbours
        .filter(({ length }) => length <= LONGEST_TITLE)
        .map((neighbour) => ({ line: neighbour, isNear: true })),
    ];
  });
}

/** Whether what is on so many pages runs through the manual. */
export function isRunning(count: number, pages: number): boolean {
  return count >= Math.max(FEWEST_RUNNING, RUNNING_SHARE * pages);
}

/** Returns a file's name as words: without its ending, and the number that it is filed under. */
export function toFileWords(filename: string): string {
  return filename
    .replace(/\.[a-z0-9]{2,4}$/i, "")
    .replace(/^\d{1,3}[_. -]+(?=\D)/, "")
    .replace(/[_+]+|%20/g, " ")
    .trim();
}
