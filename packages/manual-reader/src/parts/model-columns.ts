import type { ModelQuantity } from "../manual.ts";
import { MODEL } from "../models/models.ts";
import { readQuantity } from "./cells.ts";
import { findRole } from "./headers.ts";
import { isNeverPart } from "./other-kinds.ts";

export interface ModelColumn {
  column: number;
  models: string[];
}

const BESIDE_MODELS =
  /^(?:q'?ty|quan(?:tity|tities)?|qnty|req'?d|required|used|no|number|of|per|for|on|models?|and|or|units?|each|menge|anzahl|cant(?:idad)?|qte|quantite|modelle?s?|modelos?|series?|serie|type|typ)\.?$/i;
const EACH = new RegExp(String.raw`(?<![0-9A-Za-z-])(?:${MODEL}|\d{4,6})(?![0-9A-Za-z]|[-.][0-9A-Z])`, "g");
const IS_MODEL = new RegExp(`^${MODEL}$`);
const YEAR = /^(?:19|20)\d{2}$/;
const ABSENT = /^[-.\u2010-\u2015\u2212\s]*$|^(?:n\/a|none|0+)$/i;
const LONGEST_HEADER = 60;
/** Characters that a model after a slash may lack. */
const MOST_SHORTER = 2;

/** Models of a header of nothing else but counting words: `TK-100`, `Qty TK-100`, `TK-100/150`. */
export function modelsInHeader(header: string): string[] {
  const text = header.normalize("NFKD").replace(/\p{M}/gu, "").trim();
  if (!/\d/.test(text) || text.length > LONGEST_HEADER) return [];
  const words = text
    .replace(/\s*\/\s*/g, "/")
    .replace(/[A-Za-z']+\.?/g, (word) => (BESIDE_MODELS.test(word) ? " " : word));
  const models = [...words.matchAll(EACH)].map(([model]) => model);
  const isOther = words.replace(EACH, "").replace(/[\s,;:/&+().#-]/g, "") !== "";
  return isOther ? [] : models.flatMap(splitModels).filter((model) => !YEAR.test(model) && !isNeverPart(model));
}

const CODE = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9][A-Z0-9-]{1,7}$/;

/** Columns of counts under codes that are spelled alike, as `68V7` and `68W7`; a single one may be anything. */
export function findModelCodes(texts: readonly string[], hasCounts: (column: number) => boolean): ModelColumn[] {
  const codes = texts
    .map((text, column): ModelColumn => ({ column, models: [text] }))
    .filter(({ column, models: [text = ""] }) => CODE.test(text) && !isNeverPart(text) && hasCounts(column));
  const findSpelling = (text: string): string => text.replace(/\d/g, "9").replace(/[A-Z]/g, "A");
  return codes.length > 1 && new Set(codes.map(({ models: [text = ""] }) => findSpelling(text))).size === 1
    ? codes
    : [];
}

/** Columns of counts under marks in the order of the alphabet: `(A)`, `(B)`, or `Qty A`, `Qty B`. */
export function findMarks(texts: readonly string[], mayCount: (column: number) => boolean): ModelColumn[] {
  const marks = texts.flatMap((text, column): ModelColumn[] => {
    const [, prefix = "", bracketed, bare] = /^(.*?)(?:\(([A-Z])\)|\s([A-Z]))$/.exec(text.trim()) ?? [];
    const mark = bracketed ?? (findRole(prefix) === "quantity" ? bare : undefined);
    return mark !== undefined && mayCount(column) ? [{ column, models: [mark] }] : [];
  });
  const first = marks[0]?.models[0]?.charCodeAt(0) ?? 0;
  const isInOrder = marks.every(({ models }, n) => models[0]?.charCodeAt(0) === first + n);
  return marks.length > 1 && isInOrder ? marks : [];
}

const LEGEND = /\(([A-Z])\)[ \t]*[=:][ \t]*(?=\S*\d)(?=\S*[A-Z])([0-9A-Z][0-9A-Z./-]+)(?![^\s,;)])/g;

/** Models by mark, as a page says them: `(A)=TK20-W (B)=TK20C-W`; without marks that it gives to several. */
export function readLegend(text: string): ReadonlyMap<string, string> {
  const entries = [...text.matchAll(LEGEND)].map(([, mark = "", model = ""]) => ({ mark, model }));
  const modelsByMark = Map.groupBy(entries, ({ mark }) => mark);
  return new Map(
    [...modelsByMark.values()].flatMap((same) =>
      new Set(same.map(({ model }) => model)).size === 1
        ? same.map(({ mark, model }): [string, string] => [mark, model])
        : [],
    ),
  );
}

/** Quantity columns under marks of which the legend says the models. */
export function nameMarks(marks: readonly ModelColumn[], legend: ReadonlyMap<string, string>): ModelColumn[] {
  return marks
    .map(({ column, models }) => ({ column, models: models.flatMap((mark) => legend.get(mark) ?? []) }))
    .filter(({ models }) => models.length > 0);
}

/** Digits of a model that is a number alone. */
const SHORTEST_MODEL = 3;
const isSize = (word: string): boolean => /^\d{1,4}$/.test(word);

/**
 * Models in headers of numbers, `PART NO. T25 SERIES`, if each has its own; words that all of them have say nothing.
 * Sizes, `PART NO. 3` and `PART NO. 20`, name no model.
 */
export function findNumberModels(headers: readonly string[]): ModelColumn[] {
  const numbered = headers
    .map((text, column) => ({ column, words: text.split(/[\s,;/&()]+/).filter((word) => word !== "") }))
    .filter(({ words }) => words.length > 0);
  if (numbered.length < 2) return [];
  const ownWords = numbered.map(({ column, words }) => ({
    column,
    words: words.filter((word) => numbered.some((header) => !header.words.includes(word))),
  }));
  const sizes = ownWords.flatMap(({ words }) => (words.length === 1 ? words : []));
  if (sizes.length === ownWords.length && sizes.every(isSize) && sizes.some((size) => size.length < SHORTEST_MODEL))
    return ownWords.map(({ column }) => ({ column, models: [] }));
  const columns = ownWords.map(({ column, words }): ModelColumn => ({
    column,
    models: words.filter((word) => IS_MODEL.test(word) || CODE.test(word) || /^\d{3,6}$/.test(word)),
  }));
  return columns.every(({ models }) => models.length > 0) ? columns : [];
}

/** `TK-100/150` is two models, `FR651V/AS` one. */
function splitModels(name: string): string[] {
  const [first = "", ...endings] = name.split("/");
  const stem = /^(.*?)\d+[A-Z]*$/.exec(first)?.[1] ?? "";
  const names = endings.map((ending) => (/^\d{2,5}[A-Z]{0,4}$/.test(ending) ? stem + ending : ending));
  return endings.length > 0 &&
    names.every((model) => IS_MODEL.test(model) && model.length >= first.length - MOST_SHORTER)
    ? [first, ...names]
    : [name];
}

/** Undefined if no model has the part. `ofRow` is the row's own quantity. */
export function readQuantities(
  columns: readonly ModelColumn[],
  cell: (column: number) => string,
  rowQuantity: number | undefined,
): ModelQuantity[] | undefined {
  if (columns.every(({ column }) => ABSENT.test(cell(column).trim()))) return undefined;
  return columns.flatMap(({ column, models }) => {
    const text = cell(column).trim();
    const quantity = ABSENT.test(text) ? 0 : (readQuantity(text) ?? rowQuantity);
    return models.map((model): ModelQuantity => ({ model, quantity }));
  });
}

/**
 * What a row says of models if each has a number column of its own: whose number this is, and whose it is not;
 * undefined where the columns name no models.
 */
export function countByNumber(
  columns: readonly ModelColumn[],
  hasNumber: (column: number) => boolean,
  quantity: number | undefined,
): ModelQuantity[] | undefined {
  if (columns.every(({ models }) => models.length === 0)) return undefined;
  return columns.flatMap(({ column, models }) =>
    models.map((model): ModelQuantity => ({ model, quantity: hasNumber(column) ? quantity : 0 })),
  );
}

/** The quantity on which all models with the part agree. */
export function commonQuantity(quantities: readonly ModelQuantity[]): number | undefined {
  const counts = new Set(quantities.map(({ quantity }) => quantity).filter((quantity) => quantity !== 0));
  return counts.size === 1 ? [...counts][0] : undefined;
}
