import type { ModelQuantity } from "../../../shared/manual-objects.ts";
import { MODEL } from "../models/models.ts";
import { quantityOf } from "./cells.ts";
import { isNeverPart } from "./other-kinds.ts";

/** A column that says how many parts each model that heads it has. */
export interface ModelColumn {
  column: number;
  models: string[];
}

/** A word of a header that stands beside models. */
const BESIDE_MODELS =
  /^(?:q'?ty|quan(?:tity|tities)?|qnty|req'?d|required|used|no|number|of|per|for|on|models?|and|or|units?|each|menge|anzahl|cant(?:idad)?|qte|quantite|modelle?s?|modelos?)\.?$/i;
const EACH = new RegExp(String.raw`(?<![0-9A-Za-z-])(?:${MODEL}|\d{4,6})(?![0-9A-Za-z]|[-.][0-9A-Z])`, "g");
const IS_MODEL = new RegExp(`^${MODEL}$`);
const YEAR = /^(?:19|20)\d{2}$/;
const ABSENT = /^[-.\u2010-\u2015\u2212\s]*$|^(?:n\/a|none|0+)$/i;
const PRESENT = /^(?:[x\u00d7*\u2022\u25cf\u25cb\u25a0\u2713\u2714]|a\/?r|as req.*|yes|std)$/i;
const LONGEST_HEADER = 60;
/** By how many characters a model that stands after another one's slash is shorter than that, at most. */
const MOST_SHORTER = 2;
/** Of the cells below: so many count. */
const COUNTING = 0.8;

/**
 * The models that a header names, and nothing else beside words for counting: `TK-100`, `Qty TK-100`, `TK-100, TK-150`,
 * `TK-100/150`. Empty where it names other things.
 */
export function modelsInHeader(header: string): string[] {
  const text = header.normalize("NFKD").replace(/\p{M}/gu, "").trim();
  if (!/\d/.test(text) || text.length > LONGEST_HEADER) return [];
  const words = text
    .replace(/\s*\/\s*/g, "/")
    .replace(/[A-Za-z']+\.?/g, (word) => (BESIDE_MODELS.test(word) ? " " : word));
  const found = [...words.matchAll(EACH)].map(([model]) => model);
  const isOther = words.replace(EACH, "").replace(/[\s,;:/&+().#-]/g, "") !== "";
  return isOther ? [] : found.flatMap(eachOf).filter((model) => !YEAR.test(model) && !isNeverPart(model));
}

/** `TK-100/TK-150` and `TK-100/150` are two models, `FR651V/AS` is one. */
function eachOf(given: string): string[] {
  const [first = "", ...others] = given.split("/");
  const stem = /^(.*?)\d+[A-Z]*$/.exec(first)?.[1] ?? "";
  const whole = others.map((other) => (/^\d{2,5}[A-Z]{0,4}$/.test(other) ? stem + other : other));
  return others.length > 0 &&
    whole.every((other) => IS_MODEL.test(other) && other.length >= first.length - MOST_SHORTER)
    ? [first, ...whole]
    : [given];
}

/** Whether what stands below such a header counts parts. */
export function countsParts(cells: readonly string[]): boolean {
  const counting = cells.filter((cell) => ABSENT.test(cell) || PRESENT.test(cell) || quantityOf(cell) !== undefined);
  return cells.length > 0 && counting.length >= COUNTING * cells.length;
}

/**
 * What a row says of the models; undefined where it says nothing of any. `ofRow`: how many its own quantity column says
 * that there are.
 */
export function quantitiesOf(
  columns: readonly ModelColumn[],
  cell: (column: number) => string,
  ofRow: number | undefined,
): ModelQuantity[] | undefined {
  if (columns.every(({ column }) => ABSENT.test(cell(column).trim()))) return undefined;
  return columns.flatMap(({ column, models }) => {
    const text = cell(column).trim();
    const quantity = ABSENT.test(text) ? 0 : (quantityOf(text) ?? ofRow);
    return models.map((model): ModelQuantity => ({ model, ...(quantity !== undefined && { quantity }) }));
  });
}

/** How many there are where all models that have the part have as many. */
export function commonQuantity(quantities: readonly ModelQuantity[]): number | undefined {
  const counts = new Set(quantities.map(({ quantity }) => quantity).filter((quantity) => quantity !== 0));
  return counts.size === 1 ? [...counts][0] : undefined;
}
