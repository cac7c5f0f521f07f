import { isOfRow, type FoundPart, type PageFindings } from "../findings.ts";

/** On how many pages, and on what share of them, the same number at the same place belongs to the header or footer. */
const FEWEST_PAGES = 4;
const SHARE = 0.5;

/**
 * Pages without the numbers that stand at the same place of most of them: those of the manual itself, of its form, of
 * its maker's telephone.
 */
export function withoutRunning(pages: readonly PageFindings[]): PageFindings[] {
  const places = new Map<string, Set<number>>();
  for (const { page, parts } of pages) {
    for (const part of parts.filter((each) => !isOfRow(each)))
      places.set(placeOf(part), (places.get(placeOf(part)) ?? new Set()).add(page));
  }
  const isRunning = (part: FoundPart): boolean =>
    !isOfRow(part) && places.get(placeOf(part))!.size >= Math.max(FEWEST_PAGES, SHARE * pages.length);
  return pages.map((page) => ({ ...page, parts: page.parts.filter((part) => !isRunning(part)) }));
}

function placeOf({ pnNorm, box }: FoundPart): string {
  return `${pnNorm} ${Math.round(box.y / 4)}`;
}
