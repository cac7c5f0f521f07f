import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A row that a person sees on a page; alternatives of a number are separated by `|`. */
interface TrueRow {
  file: string;
  page: number;
  number: string;
  description: string;
  quantity: string;
}

/** The findings of a person on the pages that were judged. */
export interface RealTruth {
  rows: TrueRow[];
  /** Pages that list no parts. */
  without: { file: string; page: number }[];
  /** Texts that are no part numbers. */
  others: { file: string; page: number; text: string }[];
  /** Numbers that a page has beside those of its parts. */
  allowed: { file: string; page: number; pattern: RegExp }[];
}

/** A part as a reader found it. */
export interface ReadRow {
  partNumber: string;
  description?: string;
  quantity?: number;
}

export type RealScore = ReturnType<typeof createScore>;

const createScore = () => ({
  seen: 0,
  right: 0,
  extra: 0,
  names: 0,
  rightNames: 0,
  quantities: 0,
  rightQuantities: 0,
  junk: 0,
  remarks: [] as string[],
});

/** Reads `parts.tsv` and, where they are there, `noparts.tsv`, `notparts.tsv` and `altnumbers.tsv` of a folder. */
export function readTruth(folder: string): RealTruth {
  return {
    rows: readTable(folder, "parts").map(({ file = "", page, number = "", description = "", quantity = "" }) => ({
      file,
      page: Number(page),
      number,
      description,
      quantity,
    })),
    without: readTable(folder, "noparts").map(({ file = "", page }) => ({ file, page: Number(page) })),
    others: readTable(folder, "notparts").map(({ file = "", page, text = "" }) => ({ file, page: Number(page), text })),
    allowed: readTable(folder, "altnumbers").map(({ file = "", page, regex = "" }) => ({
      file,
      page: Number(page),
      pattern: new RegExp(regex),
    })),
  };
}

function readTable(folder: string, name: string): Record<string, string>[] {
  const file = join(folder, `${name}.tsv`);
  if (!existsSync(file)) return [];
  const [head = "", ...lines] = readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  const columns = head.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? ""]));
  });
}

/** Compares what was read of a file's judged pages with the truth. */
export function scoreFile(file: string, truth: RealTruth, readPage: (page: number) => readonly ReadRow[]): RealScore {
  const score = createScore();
  const isHere = (row: { file: string }): boolean => row.file === file;
  const rows = truth.rows.filter(isHere);
  const pages = new Set([...rows, ...truth.without.filter(isHere)].map(({ page }) => page));
  for (const page of pages) {
    const trueRows = rows.filter((row) => row.page === page);
    const main = ({ number }: TrueRow): string => normalize(number.split("|")[0] ?? "");
    const alias = new Map(
      trueRows.flatMap((row) => row.number.split("|").map((number) => [normalize(number), main(row)])),
    );
    const readRows = Map.groupBy(
      readPage(page),
      ({ partNumber }) => alias.get(normalize(partNumber)) ?? normalize(partNumber),
    );
    const numbers = new Set(trueRows.map(main));
    score.seen += numbers.size;
    for (const number of numbers) {
      if (readRows.has(number)) score.right += 1;
      else score.remarks.push(`page ${page} missed ${number}`);
    }
    const allowed = truth.allowed.filter((row) => isHere(row) && row.page === page);
    for (const [number, [first]] of readRows) {
      if (numbers.has(number) || allowed.some(({ pattern }) => pattern.test(number))) continue;
      score.extra += 1;
      score.remarks.push(`page ${page} wrong ${first?.partNumber}`);
    }
    const used = new Set<ReadRow>();
    for (const row of trueRows) {
      const best = findBest(row, readRows.get(main(row)) ?? [], used);
      if (best) compareRow(score, row, best);
    }
  }
  for (const { page, text } of truth.others.filter(isHere)) {
    if (!readPage(page).some(({ partNumber }) => normalize(partNumber) === normalize(text))) continue;
    score.junk += 1;
    score.remarks.push(`page ${page} is no part: ${text}`);
  }
  return score;
}

function findBest(row: TrueRow, candidates: readonly ReadRow[], used: Set<ReadRow>): ReadRow | undefined {
  const rank = (candidate: ReadRow): number =>
    (hasSameWords(candidate.description, row.description) ? 2 : 0) +
    (String(candidate.quantity ?? "") === row.quantity ? 1 : 0) -
    (used.has(candidate) ? 0.5 : 0);
  const [best] = candidates.toSorted((first, second) => rank(second) - rank(first));
  if (best) used.add(best);
  return best;
}

function compareRow(score: RealScore, row: TrueRow, readRow: ReadRow): void {
  const where = `page ${row.page} ${row.number}`;
  if (splitWords(row.description).length > 0) {
    score.names += 1;
    if (hasSameWords(readRow.description, row.description)) score.rightNames += 1;
    else
      score.remarks.push(`${where}: ${JSON.stringify(row.description)} read as ${JSON.stringify(readRow.description)}`);
  }
  const quantity = /^(\d+)m?$/.exec(row.quantity)?.[1];
  if (quantity === undefined) return;
  score.quantities += 1;
  if (readRow.quantity === Number(quantity)) score.rightQuantities += 1;
  else score.remarks.push(`${where}: quantity ${quantity} read as ${readRow.quantity}`);
}

/** Adds a file's counts. */
export function addScore(sum: RealScore, score: RealScore): void {
  for (const key of Object.keys(score) as (keyof RealScore)[]) if (key !== "remarks") sum[key] += score[key];
}

export const emptyScore = createScore;

function normalize(number: string): string {
  return number
    .toUpperCase()
    .normalize("NFKD")
    .replace(/[^A-Z0-9]/g, "");
}

function splitWords(text: string): string[] {
  const plain = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns whether 80 % of the true words were read, and half of what was read is among them. */
function hasSameWords(description: string | undefined, truth: string): boolean {
  const trueWords = splitWords(truth);
  const readWords = splitWords(description ?? "");
  const left = [...readWords];
  const hits = trueWords.filter((word) => {
    const index = left.indexOf(word);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  }).length;
  return (
    trueWords.length > 0 && readWords.length > 0 && hits >= 0.8 * trueWords.length && hits >= 0.5 * readWords.length
  );
}
