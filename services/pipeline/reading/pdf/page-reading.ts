import { readPage } from "../read-page.ts";
import { findTables } from "../tables/find-tables.ts";
import type { OpenPdf } from "./document.ts";
import { readContent } from "./page-content.ts";
import type { PageRead, ReaderLimits } from "./protocol.ts";

/** A page from its drawing to what is found on it; what pdf.js keeps for it is let go. */
export async function readPageOf({ pdf }: OpenPdf, number: number, _limits: ReaderLimits): Promise<PageRead> {
  const page = await pdf.getPage(number);
  try {
    const { content } = await readContent(page, await pdf.getOptionalContentConfig());
    return { page: number, findings: readPage(content, findTables(content)), images: [], refusedImages: [] };
  } finally {
    page.cleanup();
  }
}
