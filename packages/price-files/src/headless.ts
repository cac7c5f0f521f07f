import { readPartNumber } from "./part-number.ts";
import { Remark } from "./remarks.ts";
import { type Columns, findColumns, foldColumnName, type Mapping, rankAs, type RawRow } from "./columns.ts";
import { isCostHeader, type ListRole } from "./column-headers.ts";
import { readAmount } from "./decimal-sign.ts";
import { findReplacement } from "./replacement.ts";

/** What the cells of a column are like, shares of those that are not empty. */
interface Profile {
  index: number;
  /** Share of the rows that have a cell there. */
  filled: number;
  amounts: number;
  /** Amounts that are not zero, share of all rows. */
  positive: number;
  /** Part numbers that can be read, share of all rows. */
  numbers: number;
  /** Amounts with a fraction or a currency. */
  priced: number;
  codes: number;
  /** Codes that have letters or hyphens beside digits. */
  mixed: number;
  words: number;
  sizes: number;
  barcodes: number;
  distinct: number;
  length: number;
  median: number;
  isCounter: boolean;
  /** The same in each row. */
  isConstant: boolean;
}

const CODE = /^(?=.*\d)[\p{L}\p{N}](?:[\p{L}\p{N}./_-]| (?! )){1,28}[\p{L}\p{N}]$/u;
const WORDS = /\p{L}{3}/u;
/** `300X400` */
const SIZE = /^\d+(?:[.,]\d+)?\s?[x×*]\s?\d/iu;
/** A column that fewer rows fill is not what its header says, if another is; one that more fill may be that other. */
const MOSTLY = 0.5;
const NEARLY_ALL = 0.9;
/** Share of rows with a number, in a list without a header: others are headings. */
const LISTED = 0.75;
/** Fewer rows show nothing. */
const LEAST_ROWS = 3;
const MOST_ROWS = 200;

/**
 * Finds what the columns of a file without a header, or with one whose words are unknown, are by what they hold:
 * numbers are codes that differ, titles the longest words, prices amounts with fractions, or the larger ones. `from` is
 * the first row of the list. Undefined if no column holds part numbers, or if the header has known words, none of them
 * for these.
 */
export function inferColumns(
  rows: readonly RawRow[],
  knownColumns: Columns,
  mapping: Mapping = {},
): { columns: (string | undefined)[]; from: number } | undefined {
  if (!Object.hasOwn(knownColumns, "list_price")) return undefined;
  const from = rows.length > LEAST_ROWS && rows[0] && isHeader(rows[0]) ? 1 : 0;
  const names = from === 1 ? (rows[0]?.cells ?? []) : [];
  const namedColumns = findColumns(knownColumns, names).filter((column) => column !== undefined);
  if (namedColumns.length > 0 && !namedColumns.includes("part_number")) return undefined;
  const sample = rows.slice(from, MOST_ROWS);
  const width = Math.max(0, ...sample.map(({ cells }) => cells.length));
  const positions = Object.fromEntries(Object.entries(mapping).filter(([, place]) => typeof place === "number"));
  const columns = findColumns(
    {},
    Array.from({ length: width }, () => ""),
    positions,
  );
  if (sample.length < LEAST_ROWS && !columns.includes("part_number")) return undefined;
  const profiles = columns.map((_, index) => computeProfile(index, sample));
  const take = (column: string, pick: (free: Profile[]) => Profile | undefined): void => {
    if (Object.hasOwn(mapping, column)) return;
    const picked = pick(profiles.filter(({ index }) => columns[index] === undefined));
    if (picked) columns[picked.index] = column;
  };
  take("part_number", (free) =>
    findBest(
      free.filter(
        ({ filled, codes, distinct, isCounter, priced, barcodes }) =>
          filled >= LISTED && codes >= 0.7 && distinct >= 0.5 && priced < 0.3 && barcodes < 0.5 && !isCounter,
      ),
      ({ codes, mixed, distinct, length }) => codes + mixed + distinct + Math.min(length, 8) / 8,
    ),
  );
  if (!columns.includes("part_number")) return undefined;
  take("title", (free) =>
    findBest(
      free.filter(({ words, distinct, isConstant }) => words >= 0.6 && distinct > 0.1 && !isConstant),
      ({ length }) => length,
    ),
  );
  take("barcode", (free) =>
    findBest(
      free.filter(({ barcodes }) => barcodes >= 0.6),
      ({ barcodes }) => barcodes,
    ),
  );
  take("list_price", (free) =>
    findBest(
      free.filter(
        ({ amounts, isCounter, priced, median }) => amounts >= 0.8 && !isCounter && (priced > 0.1 || median >= 20),
      ),
      ({ priced, median }) => 3 * priced + Math.log10(median + 1),
    ),
  );
  take("stock", (free) =>
    findBest(
      free.filter(({ amounts, isCounter, priced }) => amounts >= 0.8 && priced < 0.1 && !isCounter),
      ({ median }) => -median,
    ),
  );
  take("brand", (free) =>
    findBest(
      free.filter(({ words, distinct }) => words >= 0.6 && distinct < 0.6),
      ({ distinct }) => -distinct,
    ),
  );
  return { columns, from };
}

/** Headers of codes that number no part. */
const NO_NUMBER =
  /^(?:bins?|loc(?:ation)?s?|shelf|rack|aisle|lagerort|platz|emplacement|ubicacion|ubicazione|date|year|phone|serial|models?|machine)\b/i;

/** Finds the column of part numbers below a header that calls none so: the first whose cells are codes that differ. */
export function inferNumber(
  rows: readonly RawRow[],
  names: readonly string[],
  columns: readonly (string | undefined)[],
): number | undefined {
  const sample = rows.slice(0, MOST_ROWS);
  if (sample.length < LEAST_ROWS) return undefined;
  const number = columns.findIndex((column, index) => {
    if (column !== undefined || NO_NUMBER.test(names[index] ?? "")) return false;
    return isNumbered(computeProfile(index, sample));
  });
  return number === -1 ? undefined : number;
}

/** Whether nearly all cells are codes that differ. */
function isNumbered({ numbers, codes, distinct, priced, barcodes, length, isCounter }: Profile): boolean {
  return (
    Math.min(numbers, codes, distinct) >= NEARLY_ALL && priced < 0.1 && barcodes < 0.5 && length >= 3 && !isCounter
  );
}

/**
 * Corrects, by what the rows hold, what the header's words say: titles, numbers, prices or counts that most rows lack
 * are in another column if that has them. Columns that the file or a person names to the letter stay.
 */
export function correctColumns(
  rows: readonly RawRow[],
  names: readonly string[],
  columns: readonly (string | undefined)[],
  mapping: Mapping = {},
): (string | undefined)[] {
  // A record of many lines may be parted among the first rows.
  const sample = rows.filter(({ cells }) => cells.length === names.length).slice(0, MOST_ROWS);
  if (sample.length < LEAST_ROWS) return [...columns];
  const profiles = columns.map((_, index) => computeProfile(index, sample));
  const corrected = [...columns];
  const correct = (
    column: string,
    share: (profile: Profile) => number,
    pick: (free: Profile[]) => Profile | undefined,
  ) => {
    const index = corrected.indexOf(column);
    const profile = profiles[index];
    const isSettled = Object.hasOwn(mapping, column) || foldColumnName(names[index] ?? "") === column;
    if (!profile || isSettled || share(profile) >= MOSTLY) return;
    const isOpen = (name: string | undefined): boolean =>
      name === undefined || (column === "title" && name === "description" && !Object.hasOwn(mapping, name));
    const betterProfile = pick(profiles.filter(({ index }) => isOpen(corrected[index])));
    if (!betterProfile) return;
    const isDescribed = corrected.includes("description");
    corrected[betterProfile.index] = column;
    corrected[index] = column === "title" && !isDescribed ? "description" : undefined;
  };
  const pickByHeader = (role: ListRole, isFit: (profile: Profile) => boolean) => (free: Profile[]) =>
    findBest(
      free.filter((profile) => isFit(profile) && rankAs(role, names[profile.index] ?? "") !== undefined),
      ({ index }) => -(rankAs(role, names[index] ?? "") ?? 0),
    );
  correct(
    "title",
    ({ filled, distinct }) => (distinct > 0.1 ? filled : 0),
    (free) =>
      findBest(
        free.filter(({ filled, words, distinct }) => filled >= NEARLY_ALL && words >= 0.6 && distinct > 0.5),
        ({ length }) => length,
      ),
  );
  correct(
    "part_number",
    ({ numbers }) => numbers,
    (free) => findBest(free.filter(isNumbered), ({ mixed, distinct }) => mixed + distinct),
  );
  correct(
    "list_price",
    ({ positive }) => positive,
    pickByHeader("price", ({ positive }) => positive >= MOSTLY),
  );
  correct(
    "stock",
    ({ amounts }) => amounts,
    pickByHeader("stock", ({ filled, amounts }) => Math.min(filled, amounts) >= NEARLY_ALL),
  );
  const [cost, price] = ["cost", "list_price"].map((column) => corrected.indexOf(column));
  const isCheaper = (profiles[cost ?? -1]?.median ?? 0) < (profiles[price ?? -1]?.median ?? Infinity);
  const isOpenCost = !Object.hasOwn(mapping, "cost") && !isCostHeader(names[cost ?? -1] ?? "");
  if (cost !== undefined && cost !== -1 && isOpenCost && !isCheaper) corrected[cost] = undefined;
  return corrected;
}

/** Finds the column that titles can be in if no header says so: the one with the longest words, else one of sizes. */
export function inferTitle(rows: readonly RawRow[], columns: readonly (string | undefined)[]): number | undefined {
  const sample = rows.slice(0, MOST_ROWS);
  const profiles = columns.flatMap((column, index) => (column === undefined ? [computeProfile(index, sample)] : []));
  const wordy = profiles.filter(({ words, distinct, isConstant }) => words >= 0.6 && distinct > 0.1 && !isConstant);
  const titles = findBest(wordy, ({ length }) => length);
  return (titles ?? profiles.find(({ sizes, distinct }) => sizes >= NEARLY_ALL && distinct > 0.1))?.index;
}

/** Finds an unknown column with cells that say in words which part replaces theirs. */
export function inferReplacement(
  rows: readonly RawRow[],
  columns: readonly (string | undefined)[],
): number | undefined {
  const sample = rows.slice(0, MOST_ROWS);
  const isReplacement = (index: number): boolean => sample.some(({ cells }) => findReplacement(cells[index] ?? ""));
  const place = columns.findIndex((column, index) => column === undefined && isReplacement(index));
  return place === -1 ? undefined : place;
}

/** Whether a first row is a header: words without a digit. */
function isHeader({ cells }: RawRow): boolean {
  return cells.filter((cell) => cell !== "").length > 1 && !cells.some((cell) => /\d/.test(cell));
}

function findBest(profiles: readonly Profile[], score: (profile: Profile) => number): Profile | undefined {
  return profiles.reduce<Profile | undefined>(
    (first, next) => (first === undefined || score(next) > score(first) ? next : first),
    undefined,
  );
}

function computeProfile(index: number, rows: readonly RawRow[]): Profile {
  const cells = rows.map((row) => (row.cells[index] ?? "").trim()).filter((cell) => cell !== "");
  const share = (test: (cell: string) => boolean): number => cells.filter(test).length / Math.max(1, cells.length);
  const amounts = cells.flatMap((cell) => {
    const amount = readAmount(cell, undefined);
    if (amount === "ambiguous") return [Number(cell.replace(/[^\d]/g, ""))];
    return typeof amount === "string" ? [] : [Number(amount.amount)];
  });
  const sorted = amounts.toSorted((left, right) => left - right);
  return {
    index,
    filled: cells.length / Math.max(1, rows.length),
    amounts: amounts.length / Math.max(1, cells.length),
    numbers: cells.filter((cell) => !(readPartNumber(cell) instanceof Remark)).length / Math.max(1, rows.length),
    positive: amounts.filter((amount) => amount > 0).length / Math.max(1, rows.length),
    priced: share((cell) => /\d[.,]\d{1,2}$|\p{Sc}/u.test(cell) && typeof readAmount(cell, undefined) !== "string"),
    codes: share((cell) => CODE.test(cell)),
    mixed: share((cell) => CODE.test(cell) && /[\p{L}-]/u.test(cell)),
    words: share((cell) => WORDS.test(cell) && !/^\S*(?:\d|:\/\/)\S*$/.test(cell)),
    sizes: share((cell) => SIZE.test(cell)),
    barcodes: share((cell) => /^\d{12,14}$/.test(cell)),
    distinct: new Set(cells).size / Math.max(1, cells.length),
    length: cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length),
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    isConstant: cells.length > 1 && cells.every((cell) => cell === cells[0]),
    isCounter:
      cells.length > 1 && cells.every((cell, index) => index === 0 || Number(cell) === Number(cells[index - 1]) + 1),
  };
}
