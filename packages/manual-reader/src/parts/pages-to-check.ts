import { isOfRow, type PageFindings } from "../findings.ts";
import { hasListHeader } from "./unread-lists.ts";

export interface PageToCheck {
  page: number;
  /** It is a picture without text, or a list of parts begins on it and none was read. */
  reason: "scanned" | "list_without_parts";
}

/** Lists the pages that somebody should look at, since what they have may be missing. */
export function listPagesToCheck(
  pages: readonly Pick<PageFindings, "page" | "text" | "tables" | "parts" | "isScanned" | "isRecognised">[],
): PageToCheck[] {
  return pages.flatMap(({ page, isScanned, isRecognised, ...findings }): PageToCheck[] => {
    if (isScanned && !isRecognised) return [{ page, reason: "scanned" }];
    return hasListHeader(findings) && !findings.parts.some(isOfRow) ? [{ page, reason: "list_without_parts" }] : [];
  });
}
