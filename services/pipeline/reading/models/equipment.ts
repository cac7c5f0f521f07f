import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import type { PageFindings } from "../findings.ts";

/** Pages that name the manual's equipment. */
const FIRST_PAGES = 2;
/** Share of pages with a model, if the first name none. */
const OFTEN = 0.3;
const MOST = 40;

/** Models on the first pages, else those on many. */
export function equipmentOf(pages: readonly PageFindings[]): string[] {
  const first = unique(pages.slice(0, FIRST_PAGES).flatMap(({ models }) => models));
  if (first.length > 0) return first.slice(0, MOST);
  const counts = new Map<string, number>();
  for (const { models } of pages)
    for (const model of models)
      counts.set(normalizePartNumber(model), (counts.get(normalizePartNumber(model)) ?? 0) + 1);
  return unique(pages.flatMap(({ models }) => models))
    .filter((model) => counts.get(normalizePartNumber(model))! >= Math.max(1, OFTEN * pages.length))
    .slice(0, MOST);
}

function unique(models: readonly string[]): string[] {
  const named = new Map<string, string>();
  for (const model of models) if (!named.has(normalizePartNumber(model))) named.set(normalizePartNumber(model), model);
  return [...named.values()];
}
