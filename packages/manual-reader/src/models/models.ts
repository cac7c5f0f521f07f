import { fold, normalizePartNumber } from "@partline/parts-language";
import { type Box, holds, usualSize } from "../page.ts";
import { isNeverPart, isOtherKind } from "../parts/other-kinds.ts";
import type { Line } from "../text/lines.ts";
import { NAMES_A_MANUAL, NUMBER_LABEL, REVISION } from "./machine-words.ts";
import { readLabels } from "./model-labels.ts";

/** `GT-2254`, `HRX217VKA`, `FR651V-AS00`, `28N707`. */
export const MODEL = String.raw`(?:[A-Z]{1,6}[- ]?\d{2,5}(?:\.\d{1,2})?[A-Z]{0,4}\d{0,2}(?:[-/][A-Z0-9]{1,6})*|\d{1,3}[A-Z]{1,3}\d{2,4}[A-Z]{0,2}|\d{3,6}[A-Z]{1,3})`;
const NAMED = new RegExp(String.raw`(?<![0-9A-Za-z-])${MODEL}(?![0-9A-Za-z]|[-.][0-9A-Z])`, "g");
/** Digits alone may be a part's. */
const MIXED = /^(?=.*\d)(?=.*[A-Z])/;
/** Times the usual size. */
const TITLE_SIZE = 1.35;
const TITLE_PAGES = 2;

/** Models after "Model", in titles of the first pages, and in lines that name the manual. */
export function findModels(page: number, lines: readonly Line[]): string[] {
  const usual = usualSize(lines);
  const names = lines
    .flatMap((line) => {
      const isTitle = page <= TITLE_PAGES && line.fontSize >= TITLE_SIZE * usual && line.text.length <= 80;
      const titled =
        isTitle || NAMES_A_MANUAL.test(fold(line.text))
          ? [...line.text.matchAll(NAMED)]
              .filter(({ index }) => {
                const start = line.text.slice(0, index);
                return !NUMBER_LABEL.test(start) && !REVISION.test(start);
              })
              .map(([model]) => model)
          : [];
      // In titles, `ISO-28J` is a model of Raven's.
      const isOther = isTitle ? isNeverPart : isOtherKind;
      return titled.filter((model) => !isOther(model));
    })
    .concat(
      readLabels(lines.map(({ text }) => text)).flatMap(({ name, isBehind }) =>
        isBehind || !MIXED.test(name) || isOtherKind(name) ? [] : name,
      ),
    )
    .map((model) => model.trim())
    .filter((model) => !/^(?:19|20)\d{2}$/.test(model));
  return distinctModels(names);
}

/** Each in its first spelling. */
export function distinctModels(models: readonly string[]): string[] {
  return [...Map.groupBy(models, normalizePartNumber).values()].map(([first]) => first!);
}

/** Lines of a page that has no more are all headlines. */
const FEW_LINES = 12;
const HEADLINE_PAGES = 3;
const MOST_HEADLINES = 30;
const LONGEST_HEADLINE = 120;

/** Finds the lines in large letters of a first page, outside its tables; all of a page of few lines. */
export function findHeadlines(page: number, lines: readonly Line[], tables: readonly Box[]): string[] {
  if (page > HEADLINE_PAGES) return [];
  const usual = usualSize(lines);
  const outside = lines.filter(({ box }) => !tables.some((table) => holds(table, box)));
  const isFew = outside.length <= FEW_LINES;
  return outside
    .filter(({ fontSize, text }) => (isFew || fontSize >= TITLE_SIZE * usual) && text.length <= LONGEST_HEADLINE)
    .map(({ text }) => text)
    .slice(0, MOST_HEADLINES);
}
