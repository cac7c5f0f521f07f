import { ownAddress } from "./format.ts";

/** The API's link into a manual. */
export const PDF_LINK = /\/api\/manuals\/([0-9a-f]{64})\/source\.pdf#page=(\d+)$/;

/** The shop's page of a link into a manual: the page drawn, with the part's number marked. */
export function manualAddress(pdfLink: string, partNumber?: string | null): string {
  const [, sha256, page] = PDF_LINK.exec(pdfLink) ?? [];
  if (sha256 === undefined) return ownAddress(pdfLink);
  return `/manuals/${sha256}/pages/${page}${partNumber ? `?part=${encodeURIComponent(partNumber)}` : ""}`;
}
