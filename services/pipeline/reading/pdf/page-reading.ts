import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PageFindings } from "../findings.ts";
import type { PageContent } from "../page.ts";
import { readPage } from "../read-page.ts";
import { findTables } from "../tables/find-tables.ts";
import { type OpenPdf, warningsDuring } from "./document.ts";
import { drawPage } from "./draw.ts";
import { imageFiles } from "./images.ts";
import { readContent } from "./page-walk.ts";
import type { Drawing, PageRead, ReaderLimits } from "./protocol.ts";
import { recognisedTexts } from "./recognition.ts";

/** pdf.js's warning. */
const LEFT_OUT = "Image exceeded maximum allowed size";

export function readPageOf(open: OpenPdf, number: number, limits: ReaderLimits): Promise<PageRead> {
  return withPage(open, number, async (page) => {
    const { value, warnings } = await warningsDuring(async () =>
      readContent(page, await open.pdf.getOptionalContentConfig()),
    );
    const { content, sources } = value;
    const findings = await findingsOf(page, content, limits.ocr);
    const images = await imageFiles(page, content.images, sources, open.kept);
    const refusedImages = warnings
      .filter((warning) => warning.includes(LEFT_OUT))
      .map(() => `The image has more than ${limits.maxPixels / 1_000_000} megapixels`);
    return { page: number, findings, images, refusedImages };
  });
}

export function drawPageOf(open: OpenPdf, number: number, width: number): Promise<Drawing> {
  return withPage(open, number, (page) => drawPage(page, width));
}

/** Frees what pdf.js keeps of the page. */
async function withPage<T>({ pdf }: OpenPdf, number: number, work: (page: PDFPageProxy) => Promise<T>): Promise<T> {
  const page = await pdf.getPage(number);
  try {
    return await work(page);
  } finally {
    page.cleanup();
  }
}

async function findingsOf(page: PDFPageProxy, content: PageContent, ocr: boolean): Promise<PageFindings> {
  const findings = readPage(content, findTables(content));
  if (!findings.isScanned || !ocr) return findings;
  const recognised = {
    ...content,
    texts: [...content.texts.filter(({ hidden }) => hidden), ...(await recognisedTexts(page, content))],
  };
  return { ...readPage(recognised, findTables(recognised)), isScanned: true, isRecognised: true };
}
