import { isOfRow, type FoundPart, type PageFindings } from "../findings.ts";

/** Pages, and share of them. */
const FEWEST_PAGES = 4;
const SHARE = 0.5;

/** Removes numbers at the same place of most pages: the manual's, a form's, a telephone. */
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
