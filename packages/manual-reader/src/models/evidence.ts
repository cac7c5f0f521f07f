import { fold } from "@partline/parts-language";
import { NAMES_A_MANUAL } from "./machine-words.ts";

/** A name that a manual may mean, and how sure that is: 0 to 1. */
export interface Candidate {
  name: string;
  confidence: number;
}

/** What says which machine a manual is for, and who made it. */
export interface ManualText {
  filename: string;
  /** The file's own. */
  title?: string;
  author?: string;
  /** Titles of its outline. */
  chapters?: readonly string[];
  pages: readonly PageText[];
  /** Numbers of parts in lists, without dashes: no models, unless a label says so. */
  listed?: ReadonlySet<string>;
}

export interface PageText {
  page: number;
  text: string;
  /** Lines in large letters. */
  headlines?: readonly string[];
  /** Models of columns and labels. */
  models?: readonly string[];
}

/** Collects sightings of names: each source counts once for a name, by its greatest weight. */
export class Evidence {
  readonly #names = new Map<string, { spellings: Map<string, number>; weights: Map<string, number> }>();

  readonly #toKey: (name: string) => string;

  constructor(toKey: (name: string) => string) {
    this.#toKey = toKey;
  }

  add(name: string, source: string, weight: number): void {
    const key = this.#toKey(name);
    if (key === "" || weight <= 0) return;
    const entry = this.#names.get(key) ?? { spellings: new Map(), weights: new Map() };
    this.#names.set(key, entry);
    entry.spellings.set(name, (entry.spellings.get(name) ?? 0) + weight);
    entry.weights.set(source, Math.max(entry.weights.get(source) ?? 0, weight));
  }

  keys(): string[] {
    return [...this.#names.keys()];
  }

  /** Counts what is known of one name for another, and forgets the first. */
  merge(from: string, into: string): void {
    const [gone, kept] = [this.#names.get(from), this.#names.get(into)];
    if (!gone || !kept || from === into) return;
    for (const [source, weight] of gone.weights)
      kept.weights.set(source, Math.max(kept.weights.get(source) ?? 0, weight));
    this.#names.delete(from);
  }

  /** Lists the names by confidence: what speaks for one adds up, and never reaches 1. */
  rank(): (Candidate & { key: string })[] {
    return [...this.#names]
      .map(([key, { spellings, weights }]) => ({
        key,
        name: [...spellings].sort((a, b) => b[1] - a[1])[0]![0],
        confidence:
          Math.round(100 * (1 - [...weights.values()].reduce((doubt, weight) => doubt * (1 - weight), 1))) / 100,
      }))
      .sort((a, b) => b.confidence - a.confidence);
  }
}

/** First pages, and last ones, on which a manual says what it is and who made it. */
const FIRST_PAGES = 3;
const LAST_PAGES = 2;
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
  /\b(?:please|refer|see|use|read|keep|bitte|siehe|lesen|voir|lire|consulte[rz]?|v[ée]ase|leer?|vedere|leggere|leia|se)\b|[.;:] \p{Lu}/iu;
const LONGEST_TITLE = 90;

/** Lists the lines that name a manual, and on its first pages those above and below: a title has several. */
export function listTitles(lines: readonly string[], page: number): { line: string; isNear: boolean }[] {
  const isTitle = (line: string): boolean =>
    line.length <= LONGEST_TITLE &&
    NAMES_A_MANUAL.test(fold(line)) &&
    !SENDS.test(line) &&
    !/\.{4}|(?: \.){4}|^\p{Ll}/u.test(line);
  return lines.flatMap((line, at) => {
    if (!isTitle(line)) return [];
    const around = page < 2 ? [at - 2, at - 1, at + 1, at + 2].flatMap((near) => lines[near] ?? []) : [];
    return [
      { line, isNear: false },
      ...around.filter((near) => near.length <= LONGEST_TITLE).map((near) => ({ line: near, isNear: true })),
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
