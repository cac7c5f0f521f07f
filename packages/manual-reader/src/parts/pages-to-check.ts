import { isOfRow, type PageFindings } from "../findings.ts";
import { hasListHeader } from "./unread-lists.ts";

export interface PageToCheck {
  page: number;
  /** The page is a scan without text, has a list as a picture, or begins a list of which no part was read. */
  reason: "scanned" | "list_picture" | "list_without_parts";
}

/** Lists the pages that somebody should look at, since what they have may be missing. */
export function listPagesToCheck(
  pages: readonly Pick<
    PageFindings,
    "page" | "text" | "tables" | "parts" | "isScanned" | "isRecognised" | "hasListPictures"
  >[],
): PageToCheck[] {
  return pages.flatMap(({ page, isScanned, isRecognised, hasListPictures, ...findings }): PageToCheck[] => {
    if (hasListPictures) return [{ page, reason: "list_picture" }];
    if (isScanned && !isRecognised) return [{ page, reason: "scanned" }];
    return hasListHeader(findings) && !findings.parts.some(isOfRow) ? [{ page, reason: "list_without_parts" }] : [];
  });
}
