import { fold } from "../../../../mixins/fold.ts";
import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import type { KnownModel } from "../sources/sources.ts";
import { spansIn } from "../../spans.ts";

interface ModelSpan {
  from: number;
  to: number;
  models: KnownModel[];
}

const MOST_MODEL_WORDS = 6;

/**
 * Where the words name equipment: all of its name, with its manufacturer or without, or the part of it that has its
 * digits.
 */
export function modelSpans(words: readonly string[], named: readonly KnownModel[]): ModelSpan[] {
  return spansIn(words, (from) => longestSpan(words, from, named));
}

function longestSpan(words: readonly string[], from: number, named: readonly KnownModel[]): ModelSpan | undefined {
  for (let to = Math.min(words.length, from + MOST_MODEL_WORDS); to > from; to -= 1) {
    const key = normalizePartNumber(words.slice(from, to).join(""));
    const models = named.filter((model) => isSpelling(key, model));
    if (models.length > 0) return { from, to, models };
  }
  return undefined;
}

function isSpelling(key: string, { equipment, manufacturer = "" }: KnownModel): boolean {
  if (key.length < 3) return false;
  const whole = normalizePartNumber(equipment);
  const maker = normalizePartNumber(manufacturer);
  const bare =
    maker !== "" && whole.startsWith(maker) && whole.length > maker.length ? whole.slice(maker.length) : whole;
  if (key === whole || key === bare || key === maker + bare) return true;
  // `GT 2254` of `GT 2254 Garden Tractor`.
  const designation = /^[A-Z]{0,4}\d[A-Z0-9]*?\d?(?=[A-Z]{4,}|$)/.exec(bare)?.[0];
  return designation !== undefined && designation.length >= 3 && (key === designation || key === maker + designation);
}

/** Words of its maker's name in front of a model: `Briggs GT-2254`. */
export function makersBefore(words: readonly string[], from: number, models: readonly KnownModel[]): number {
  const makers = new Set(models.flatMap(({ manufacturer = "" }) => fold(manufacturer).split(/[^\p{L}\p{N}]+/u)));
  let count = 0;
  while (count < from && makers.has(fold(words[from - count - 1]!))) count += 1;
  return count;
}

export function distinctModels(models: readonly KnownModel[]): KnownModel[] {
  return [...new Map(models.map((model) => [`${model.equipment} ${model.manufacturer ?? ""}`, model])).values()];
}
