import { FITS, isSaid, isSmall, isTellingNumber, isWords, LEAST_FITTING, looksLikeNumber } from "./cell-kinds.ts";
import { isCode, isCutCode, splitNumbers } from "./cells.ts";
import { findFamily } from "./families.ts";
import {
  isBareNumber,
  isItemNumber,
  isMakersNumber,
  isVague,
  mayHeadInstead,
  mayHeadNumbers,
  type Role,
  findRole,
} from "./headers.ts";
import { isDesignator, isOtherKind } from "./other-kinds.ts";
import { findShape, isTelling } from "./shapes.ts";
import { findMarks, findModelCodes, findNumberModels, type ModelColumn, modelsInHeader } from "./model-columns.ts";

type Row = readonly string[];

/** One list; two lists side by side have two. */
export interface Columns {
  partNumber: number;
  /**
   * Shapes of the numbers that fill a cell, if a header says so: a piece of another cell is a number if it is alike.
   */
  shapes?: ReadonlySet<string>;
  /** Whether so many numbers have words that one behind a number, `97095-06012 BOLT`, is no name. */
  hasWords?: boolean;
  /** Whether codes that are too short elsewhere are numbers: `P 8` among `P 10` and `P 7CW`. */
  hasShortCodes: boolean;
  /** Number columns of models, the first of which is `partNumber`; empty if all models have the same. */
  numbers: ModelColumn[];
  reference?: number;
  description?: number;
  /** In place of names, what sets the parts of a list apart: `1.5 m`. */
  measure?: number;
  /** Columns without header, right of the description, that go on with it: it was parted at an indent. */
  goesOn: number[];
  quantity?: number;
  /** Columns of counts without header, if there are several: a row's quantity is that on which they agree. */
  counts: number[];
  /** Quantity columns of models. */
  models: ModelColumn[];
  /** Quantity columns of models that have marks in place of names: `(A)`. */
  marks: ModelColumn[];
  /** Has the successor. */
  replacement?: number;
  /** Others, which may have notes. */
  notes: number[];
  /** Whether a header says what the column is, and not the content alone. */
  isHeaded: boolean;
}

/** Rows that may precede headers. */
const LAST_HEADER_ROW = 6;
const MOST_HEADER_ROWS = 3;

interface Header {
  roles: (Role | undefined)[];
  texts: string[];
  models: ModelColumn[];
  marks: ModelColumn[];
  /** First row of the body, and the row after its last. */
  from: number;
  end: number;
}

/** Columns and body of a table whose headers name a part number. */
export function columnsByHeader(rows: readonly Row[]): { columns: Columns[]; from: number; end: number } | undefined {
  const [header] = [findHeader(rows), findFooter(rows)]
    .filter((candidate) => candidate !== undefined)
    .toSorted((first, second) => countColumns(second) - countColumns(first));
  if (!header) return undefined;
  const { from, end } = header;
  const body = rows.slice(from, end);
  const numbers = findNumberModels(
    header.texts.map((text, column) => (header.roles[column] === "partNumber" ? text : "")),
  );
  const groups = findGroups(header.roles, numbers);
  const columns = groups.flatMap(({ roles, first }, index): Columns[] => {
    const next = groups[index + 1]?.first ?? header.roles.length;
    const isWithin = ({ column }: ModelColumn): boolean => column >= first && column < next;
    const headed = {
      texts: header.texts,
      models: header.models.filter(isWithin),
      marks: header.marks.filter(isWithin),
    };
    const range = { first, end: next };
    return roles.has("partNumber") ? [completed(roles, range, body, numbers.filter(isWithin), headed)] : [];
  });
  return columns.length > 0 ? { columns, from, end } : undefined;
}

/** The rows that name most columns. */
function findHeader(rows: readonly Row[]): Header | undefined {
  let best: { header: Header; score: number } | undefined;
  for (let from = 0; from < Math.min(LAST_HEADER_ROW, rows.length - 1); from++) {
    for (let end = from + 1; end <= Math.min(from + MOST_HEADER_ROWS, rows.length - 1); end++) {
      if (rows[end - 1]!.some((cell) => findFamily(cell) !== undefined && modelsInHeader(cell).length === 0)) break;
      if (isSpelledAs(rows[end - 1]!, rows[end]!)) break;
      const [headers, body] = [rows.slice(from, end), rows.slice(end)];
      const texts = joinHeaders(headers);
      // Only such a header makes a list; the rest looks at all of the body.
      const numbered = findNumbersUnderModels(texts, body);
      if (numbered.length === 0 && !texts.some((text) => findRole(text) === "partNumber" || mayHeadNumbers(text)))
        continue;
      const models = modelColumns(texts, body).filter(({ column }) => !numbered.includes(column));
      const marks = models.length > 0 ? [] : findMarks(texts, (column) => getColumn(body, column).every(isSmall));
      const perModel = [...models, ...marks];
      const roles = findRoles(texts, body).map((role, column): Role | undefined => {
        if (numbered.includes(column)) return "partNumber";
        return perModel.some((modelColumn) => modelColumn.column === column) ? undefined : role;
      });
      // A quantity outweighs a single model column; a title above headers is none.
      const score = roles.includes("partNumber")
        ? 2 * (roles.filter((role) => role !== undefined).length + perModel.length) -
          Math.sign(perModel.length) -
          (end - from) / LAST_HEADER_ROW
        : 0;
      if (score > 0 && score > (best?.score ?? 0))
        best = { header: { roles, texts, models, marks, from: end, end: rows.length }, score };
    }
  }
  return best?.header;
}

/** Rows above a footer; times the numbers below it, such as those of a drawing's title block. */
const FEWEST_ABOVE = 2;
const MORE_ABOVE = 10;

/** Whether several cells of a row are numbers that are spelled as those below them: no header is. */
function isSpelledAs(row: Row, below: Row): boolean {
  const isAlike = (cell: string, column: number): boolean =>
    isTelling(cell) && splitNumbers(cell).length > 0 && findShape(cell) === findShape(below[column] ?? "");
  return row.filter(isAlike).length > 1;
}

/** Finds the header below the rows of a list that reads upwards, as one in a corner of a drawing does. */
function findFooter(rows: readonly Row[]): Header | undefined {
  const countNumbers = (body: readonly Row[], column: number): number =>
    getColumn(body, column).filter((cell) => splitNumbers(cell).length > 0).length;
  for (let end = rows.length - 1; end >= FEWEST_ABOVE; end -= 1) {
    const texts = rows[end] ?? [];
    const wordRoles = texts.map(findRole);
    const column = wordRoles.indexOf("partNumber");
    const isCounted = wordRoles.includes("quantity") || wordRoles.includes("reference");
    if (column === -1 || !wordRoles.includes("description") || !isCounted) continue;
    const above = countNumbers(rows.slice(0, end), column);
    if (above < FEWEST_ABOVE || above < MORE_ABOVE * countNumbers(rows.slice(end + 1), column)) continue;
    const roles = findRoles(texts, rows.slice(0, end));
    if (roles.includes("partNumber")) return { roles, texts: [...texts], models: [], marks: [], from: 0, end };
  }
  return undefined;
}

/** Counts the columns that a header explains. */
function countColumns({ roles, models, marks }: Header): number {
  return roles.filter((role) => role !== undefined && role !== "other").length + models.length + marks.length;
}

/** Column by column. A header over several columns, each with a line of its own below, is the header of each. */
function joinHeaders(headers: readonly Row[]): string[] {
  const cells = headers.map((row, n) => {
    const below = headers.slice(n + 1);
    const isDivided = (column: number): boolean => below.some((cells) => (cells[column] ?? "") !== "");
    return row.reduce<string[]>((cells, cell, column) => {
      const isShared = cell === "" && column > 0 && isDivided(column) && isDivided(column - 1);
      return [...cells, isShared ? (cells[column - 1] ?? "") : cell];
    }, []);
  });
  return (headers[0] ?? []).map((_, column) => getColumn(cells, column).join(" "));
}

/** Digits alone are models only if several columns have them. */
function modelColumns(texts: readonly string[], body: readonly Row[]): ModelColumn[] {
  const columnsWithModels = texts
    .map((text, column): ModelColumn => ({ column, models: modelsInHeader(text) }))
    .filter(({ models }) => models.length > 0);
  if (columnsWithModels.length === 0)
    return findModelCodes(texts, (column) => computeShare(getColumn(body, column), isSmall) >= 0.6);
  return columnsWithModels.length > 1
    ? columnsWithModels
    : columnsWithModels.filter(({ models }) => models.some((model) => /[A-Z]/.test(model)));
}

/** Least share of the cells under a model that are numbers of parts. */
const LEAST_NUMBERS = 0.8;

/** Finds the columns of numbers that models head, `ST524` and `ST624`, in a list that calls none a part number. */
function findNumbersUnderModels(texts: readonly string[], body: readonly Row[]): number[] {
  const words = texts.map(findRole);
  if (words.includes("partNumber") || !words.includes("description")) return [];
  const columns = texts.flatMap((text, column) => {
    const cells = getColumn(body, column).filter(isSaid);
    const isNumbered = cells.length > 1 && computeShare(cells, isTellingNumber) >= LEAST_NUMBERS;
    return isNumbered && modelsInHeader(text).length > 0 ? [column] : [];
  });
  return columns.length > 1 ? columns : [];
}

function findRoles(texts: readonly string[], body: readonly Row[]): Header["roles"] {
  const cells = (column: number): string[] => getColumn(body, column);
  const roles = dropSizes(texts).map((text, column) => {
    const role = findRole(text);
    return role !== undefined &&
      FITS[role] !== undefined &&
      cells(column).length > 0 &&
      computeShare(cells(column), FITS[role]) < (role === "partNumber" ? LEAST_FITTING / 3 : LEAST_FITTING)
      ? undefined
      : role;
  });
  for (const [column, role] of roles.entries())
    if (role === "partNumber" && !listsNumbers(texts, roles, column, cells(column))) roles[column] = undefined;
  dropSecondNumbers(texts, roles, cells);
  findNumbersBesidePositions(texts, roles, cells);
  const isClear = texts.some((text, column) => roles[column] === "partNumber" && !isVague(text));
  // "Item No." heads part numbers if no other header does and its column looks like them.
  const isMissing = !roles.includes("partNumber") && !nameFaults(texts);
  for (const [column, text] of texts.entries()) {
    if (isClear && roles[column] === "partNumber" && isVague(text)) roles[column] = undefined;
    if (isMissing && mayHeadNumbers(text) && areNumbers(text, roles, cells(column).filter(isSaid)))
      roles[column] = "partNumber";
  }
  findBareQuantity(texts, roles, cells);
  return roles;
}

/** Least share of cells that differ under a word for types or materials, of which several parts may be. */
const LEAST_DISTINCT = 0.7;

/**
 * Whether cells are numbers under a header that may head any: in a list of names and counts, codes of each spelling.
 */
function areNumbers(text: string, roles: Header["roles"], cells: readonly string[]): boolean {
  if (findRole(text) === "reference") return computeShare(cells, looksLikeNumber) >= 0.5;
  // Otherwise they are what parts are made of: `S235JR`.
  if (/^material$/i.test(text)) return areCatalogued(cells) && cells.every(isTelling) && !cells.some(isOtherKind);
  const isList = roles.includes("description") && (roles.includes("quantity") || roles.includes("reference"));
  const isNumber = (cell: string): boolean =>
    looksLikeNumber(cell) || (isList && (splitNumbers(cell).length > 0 || isCutCode(cell)));
  return computeShare(cells, isNumber) >= 0.5 && new Set(cells).size >= LEAST_DISTINCT * cells.length;
}

/** Several headers of part numbers may end in sizes: `Part No. 3`, `Part No. 20`; the end of one alone is anything. */
function dropSizes(texts: readonly string[]): readonly string[] {
  const plainTexts = texts.map((text) => text.replace(/\s+\d{1,4}$/, ""));
  const isSized = (text: string, column: number): boolean => text !== texts[column] && findRole(text) === "partNumber";
  return plainTexts.filter(isSized).length > 1 ? plainTexts : texts;
}

/**
 * Leaves the numbers of the parts, where a list has others: the maker's, or those of a shop's own items beside these. A
 * column that a list leaves empty has none.
 */
function dropSecondNumbers(
  texts: readonly string[],
  roles: Header["roles"],
  cells: (column: number) => readonly string[],
): void {
  const numbered = roles.flatMap((role, column) => (role === "partNumber" ? [column] : []));
  const columns = numbered.filter((column) => cells(column).length > 0);
  if (columns.length > 0) for (const column of numbered) if (!columns.includes(column)) roles[column] = undefined;
  const makers = columns.filter((column) => isMakersNumber(texts[column] ?? ""));
  const rest = columns.filter((column) => !makers.includes(column));
  const isOfItems = rest.every((column) => isItemNumber(texts[column] ?? ""));
  if (makers.length > 0) for (const column of isOfItems ? rest : makers) roles[column] = undefined;
}

/** Where what is called part numbers are positions, `R12` or `3`, those beside them that look like numbers are. */
function findNumbersBesidePositions(
  texts: readonly string[],
  roles: Header["roles"],
  cells: (column: number) => string[],
): void {
  const isPosition = (cell: string): boolean => isDesignator(cell) || isSmall(cell);
  const positions = roles.findIndex(
    (role, column) => role === "partNumber" && computeShare(cells(column), isPosition) >= 0.5,
  );
  if (positions === -1) return;
  const numbers = texts.findIndex(
    (text, column) =>
      column !== positions &&
      (roles[column] === "partNumber" || mayHeadInstead(text)) &&
      computeShare(cells(column), (cell) => splitNumbers(cell).some(isTelling)) >= 0.5,
  );
  if (numbers === -1) return;
  roles[positions] = "reference";
  roles[numbers] = "partNumber";
}

/** Under `Number`, right of the part numbers, are the pieces if they are in no order. */
function findBareQuantity(texts: readonly string[], roles: Header["roles"], cells: (column: number) => string[]): void {
  const partNumber = roles.indexOf("partNumber");
  if (partNumber === -1 || roles.includes("quantity")) return;
  const isInOrder = (counts: readonly string[]): boolean =>
    counts.every((count, n) => n === 0 || Number.parseInt(count, 10) >= Number.parseInt(counts[n - 1] ?? "", 10));
  const column = roles.findIndex(
    (role, place) =>
      role === "reference" && place > partNumber && isBareNumber(texts[place] ?? "") && !isInOrder(cells(place)),
  );
  if (column !== -1) roles[column] = "quantity";
}

/** Least share of cells long enough for numbers under a word alone, `Code`, if nothing is counted beside them. */
const LEAST_TELLING = 0.6;
const FAULTS =
  /\b(?:remed(?:y|ies)|causes?|solutions?|faults?|errors?|alarms?|symptoms?|troubles?|diagnos\w+|dtc|abhilfe|ursachen?|fehler|storung|remedio|causas?|solucion|solucao|rimedi?o|cause|depannage|oorzaak|oplossing|orsak|atgard|przyczyna|usterka)\b/i;

/**
 * Whether the column under a header has part numbers: under a word alone, no codes of faults, and no designators of a
 * circuit, `R23`.
 */
function listsNumbers(
  texts: readonly string[],
  roles: Header["roles"],
  column: number,
  cells: readonly string[],
): boolean {
  if (!isVague(texts[column] ?? "")) return true;
  if (computeShare(cells, isDesignator) >= LEAST_TELLING) return false;
  if (nameFaults(texts)) return false;
  const isCounted = roles.includes("quantity") || roles.includes("reference");
  return isCounted || computeShare(cells, (cell) => splitNumbers(cell).some(isTelling)) >= LEAST_TELLING;
}

/** Whether headers are those of a table of faults. */
export function nameFaults(texts: readonly string[]): boolean {
  return texts.some((text) => FAULTS.test(text.normalize("NFKD").replace(/\p{M}/gu, "")));
}

/**
 * A repeated role begins the next list. Another quantity does not, nor a second description before the number, as
 * `Part Name, Description, Part No`, and a second number of parts that have their names
 * does not: `Worksaver Part No., Description, Sov. Code No., Qty`.
 */
function findGroups(
  roles: Header["roles"],
  numbers: readonly ModelColumn[],
): { roles: Map<Role, number>; first: number }[] {
  const groups: { roles: Map<Role, number>; first: number }[] = [];
  for (const [column, role] of roles.entries()) {
    let group = groups.at(-1);
    const isAgain =
      role !== undefined &&
      role !== "other" &&
      role !== "quantity" &&
      group?.roles.has(role) &&
      !(role === "description" && !group.roles.has("partNumber")) &&
      !(role === "partNumber" && numbers.some((model) => model.column === column) && roles[column - 1] === role) &&
      !(role === "partNumber" && group.roles.has("description") && !roles.slice(column).includes("description")) &&
      roles.slice(column).includes("partNumber");
    if (!group || isAgain) groups.push((group = { roles: new Map(), first: column }));
    if (role !== undefined && role !== "other" && !group.roles.has(role)) group.roles.set(role, column);
  }
  return groups;
}

export function columnsByContent(body: readonly Row[]): Columns[] {
  const width = Math.max(0, ...body.map((row) => row.length));
  const likely = Array.from({ length: width }, (_, column) => ({ column, cells: getColumn(body, column) }))
    .map(({ column, cells }) => ({
      column,
      count: cells.length,
      families: computeShare(cells, (cell) => findFamily(cell) !== undefined),
      numbers: computeShare(cells, looksLikeNumber),
    }))
    .filter(({ count, families, numbers }) => count >= 2 && (families >= 0.6 || numbers >= 0.9))
    .sort((a, b) => b.families - a.families || b.numbers - a.numbers);
  const [best] = likely;
  if (!best) return [];
  const knownColumns = likely
    .filter(({ families }) => families >= 0.6)
    .map(({ column }) => column)
    .sort((a, b) => a - b);
  const numbers = findSharedNumbers(body, best.column, likely);
  const period = numbers.length === 0 && knownColumns.length > 1 ? knownColumns[1]! - knownColumns[0]! : 0;
  const starts = period > 1 ? knownColumns.map((_, half) => half * period) : [0];
  return starts.flatMap((first, half): Columns[] => {
    const partNumber = period > 1 ? knownColumns[half]! : (numbers[0]?.column ?? best.column);
    const end = starts[half + 1] ?? width;
    const list = completed(new Map([["partNumber", partNumber]]), { first, end }, body, numbers);
    const isCounted =
      list.reference !== undefined || (list.quantity !== undefined && areCatalogued(getColumn(body, partNumber)));
    const isList = list.description !== undefined && (best.families >= 0.6 || isCounted);
    return isList ? [list] : [];
  });
}

/** Least share of the rows in which two columns have the same number. */
const LEAST_SHARED = 0.15;

/** Finds columns side by side that have the same number in many rows: those of models, whose headers say no number. */
function findSharedNumbers(body: readonly Row[], best: number, likely: readonly { column: number }[]): ModelColumn[] {
  const isLikely = (column: number): boolean => likely.some((candidate) => candidate.column === column);
  let [first, end] = [best, best + 1];
  while (isLikely(first - 1)) first -= 1;
  while (isLikely(end)) end += 1;
  const isShared = (row: Row): boolean => {
    const cells = row.slice(first, end).filter((cell) => cell !== "" && isSaid(cell));
    return new Set(cells).size < cells.length;
  };
  const isOfModels = body.filter(isShared).length >= Math.max(2, LEAST_SHARED * body.length);
  return isOfModels ? Array.from({ length: end - first }, (_, n) => ({ column: first + n, models: [] })) : [];
}

/** Rows of a list without headers or references; share of its numbers that are spelled alike, and differ. */
const FEWEST_CATALOGUED = 5;
const CATALOGUED = 0.9;
const YEAR = /^(?:19|20)\d{2}$/;

/** Whether cells are numbers of one spelling, each its own, and no years. */
function areCatalogued(cells: readonly string[]): boolean {
  const shapes = [...Map.groupBy(cells, findShape).values()].map(({ length }) => length);
  return (
    cells.length >= FEWEST_CATALOGUED &&
    Math.max(...shapes) >= CATALOGUED * cells.length &&
    new Set(cells).size >= CATALOGUED * cells.length &&
    computeShare(cells, (cell) => YEAR.test(cell)) < CATALOGUED
  );
}

/** Least share of the rows with a number that a column of references or counts fills. */
const LEAST_FILLED = 0.2;
/** The same of names without a header: fewer may be a text beside the list. */
const LEAST_NAMED = 0.5;

/** Fills in columns without header by content. If headers name several counting columns, none is the quantity. */
function completed(
  roles: ReadonlyMap<Role, number>,
  { first, end }: { first: number; end: number },
  body: readonly Row[],
  numbers: ModelColumn[],
  header?: Pick<Header, "texts" | "models" | "marks">,
): Columns {
  const partNumber = roles.get("partNumber")!;
  const models = header?.models ?? [];
  const marks = header?.marks ?? [];
  const takenColumns = new Set([...roles.values(), ...[...models, ...marks, ...numbers].map(({ column }) => column)]);
  const rows = getColumn(body, partNumber).length;
  const free = Array.from({ length: end - first }, (_, index) => ({
    column: first + index,
    cells: getColumn(body, first + index),
  })).filter(({ column, cells }) => !takenColumns.has(column) && cells.length > 0);
  const measureLength = (cells: readonly string[]): number =>
    cells.reduce((sum, { length }) => sum + length, 0) / cells.length;
  const description =
    roles.get("description") ??
    free
      .filter(({ cells }) => cells.length >= LEAST_NAMED * rows && computeShare(cells, isWords) >= 0.6)
      .sort((a, b) => measureLength(b.cells) - measureLength(a.cells))[0]?.column;
  const goesOn =
    header && description !== undefined && header.texts[description] !== ""
      ? findContinuing(description, free, header.texts)
      : [];
  const small = free.filter(
    ({ column, cells }) =>
      column !== description && computeShare(cells, isSmall) >= 0.6 && cells.length >= LEAST_FILLED * rows,
  );
  const reference =
    roles.get("reference") ??
    (
      small.find(({ column, cells }) => column < partNumber && isCounted(cells)) ??
      (roles.has("quantity") || small.length > 1 ? small.find(({ cells }) => isCounted(cells)) : undefined)
    )?.column;
  const counting = small.filter(({ column }) => column !== reference);
  const isUnclear =
    models.length > 0 || counting.filter(({ column }) => (header?.texts[column] ?? "") !== "").length > 1;
  const countable = marks.length > 0 ? marks : isUnclear ? [] : counting;
  const counts = roles.has("quantity") ? [] : countable.map(({ column }) => column);
  const quantity = roles.get("quantity") ?? counts[0];
  const isUnnamed = header !== undefined && description === undefined && reference === undefined && models.length === 0;
  const measured = isUnnamed ? free.find(({ cells }) => computeShare(cells, isMeasure) >= MOST_MEASURES) : undefined;
  const used = new Set([partNumber, description, ...goesOn, reference, quantity, ...counts, roles.get("replacement")]);
  return {
    partNumber,
    ...(header &&
      !isVague(header.texts[partNumber] ?? "") && {
        shapes: findWholeShapes(getColumn(body, partNumber)),
        hasWords: hasNumbersInWords(getColumn(body, partNumber)),
      }),
    hasShortCodes:
      header !== undefined &&
      !isVague(header.texts[partNumber] ?? "") &&
      computeShare(getColumn(body, partNumber), (cell) => isCode(cell) && splitNumbers(cell).length > 0) >= MOST_CODES,
    numbers,
    models,
    marks,
    counts: counts.length > 1 ? counts : [],
    isHeaded: header !== undefined,
    notes: free.map(({ column }) => column).filter((column) => !used.has(column)),
    reference,
    description,
    goesOn,
    quantity,
    ...(measured && { measure: measured.column }),
    ...(roles.has("replacement") && { replacement: roles.get("replacement")! }),
  };
}

const MOST_MEASURES = 0.8;
const isMeasure = (cell: string): boolean =>
  /^\d[\d.,/ x×-]*\s?(?:mm|cm|dm|m|in(?:ch)?|ft|k?g|lbs?|m?l|bar|k?[VWA]|["″'°])\.?$/i.test(cell);

/** Of a column's cells: letters with a figure that are long enough for numbers. */
const MOST_CODES = 0.5;

/** Of a column's cells: those that are one number, and those of several words. */
const LEAST_WHOLE = 0.8;
const LEAST_CUT = 0.4;
const FEWEST_WHOLE = 4;

const isWholeNumber = (cell: string): boolean => splitNumbers(cell).join() === cell;

function hasNumbersInWords(cells: readonly string[]): boolean {
  const cut = cells.filter((cell) => isCutCode(cell));
  const numbers = cells.filter(isWholeNumber).length + cut.length;
  return numbers >= Math.max(FEWEST_WHOLE, LEAST_WHOLE * cells.length) && cut.length >= LEAST_CUT * cells.length;
}

function findWholeShapes(cells: readonly string[]): ReadonlySet<string> {
  return new Set(cells.filter(isWholeNumber).map(findShape));
}

function findContinuing(
  description: number,
  free: readonly { column: number; cells: readonly string[] }[],
  headers: readonly string[],
): number[] {
  const following: number[] = [];
  for (let column = description + 1; headers[column] === ""; column += 1) {
    const next = free.find((candidate) => candidate.column === column);
    if (next && computeShare(next.cells, isWords) < 0.5) break;
    if (next) following.push(column);
  }
  return following;
}

export function getColumn(body: readonly Row[], column: number): string[] {
  return body.map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "");
}

function computeShare(cells: readonly string[], holds: (cell: string) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length;
}

/** References differ from row to row; quantities repeat. */
function isCounted(cells: readonly string[]): boolean {
  return cells.length > 1 && new Set(cells).size >= 0.7 * cells.length;
}
