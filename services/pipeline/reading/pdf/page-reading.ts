import type { PageFindings } from "../findings.ts";
import type { PageContent } from "../page.ts";
import type { OpenPdf } from "./document.ts";
import { readContent } from "./page-content.ts";
import type { PageRead, ReaderLimits } from "./protocol.ts";

/** A page from its drawing to what is found on it; what pdf.js keeps for it is let go. */
export async function readPageOf({ pdf }: OpenPdf, number: number, _limits: ReaderLimits): Promise<PageRead> {
  const page = await pdf.getPage(number);
  try {
    const { content } = await readContent(page, await pdf.getOptionalContentConfig());
    return { page: number, findings: findingsOf(content), images: [], refusedImages: [] };
  } finally {
    page.cleanup();
  }
}

function findingsOf(content: PageContent): PageFindings {
  const text = content.texts.filter(({ hidden }) => !hidden).map(({ text }) => text).join("\n");
  return { page: content.number, text, hiddenText: content.texts.filter(({ hidden }) => hidden).map(({ text }) => text).join("\n"), isScanned: false, isRecognised: false, tables: [], parts: [], figures: [], models: [] };
}
