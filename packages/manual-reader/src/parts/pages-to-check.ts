import { isOfRow, type PageFindings } from "../findings.ts";
import { hasListHeader } from "./unread-lists.ts";

export interface PageToCheck {
  page: number;
  /** The page is a scan without text, has a list as a picture, or begins a list of which no part was read or kept. */
  reason: "scanned" | "list_picture" | "list_without_parts";
}

/** Lists the pages that somebody should look at, since what they have may be missing. */
export function listPagesToCheck(
  pages: readonly Pick<
    PageFindings,
    "page" | "text" | "tables" | "parts" | "isScanned" | "isRecognised" | "isMisread" | "hasListPictures"
  >[],
): PageToCheck[] {
  return pages.flatMap(({ page, isScanned, isRecognised, isMisread, hasListPictures, ...findings }): PageToCheck[] => {
    if (hasListPictures) return [{ page, reason: "list_picture" }];
    if (isScanned && !isRecognised) return [{ page, reason: "scanned" }];
    const isUnread = isMisread || (hasListHeader(findings) && !findings.parts.some(isOfRow));
    return isUnread ? [{ page, reason: "list_without_parts" }] : [];
  });
}
