import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { serveParent } from "@partline/toolkit";
import type { PageFindings } from "../findings.ts";
import type { Box } from "../page.ts";
import { joinMentions } from "../parts/join.ts";
import { readPage, revealTextLayer } from "../read-page.ts";
import { findTables } from "../tables/find-tables.ts";
import { openPdf, type OpenPdf } from "./document.ts";
import { drawPage } from "./draw.ts";
import { readPictures, recognizePage } from "./page-pictures.ts";
import { type ReadContent, readContent } from "./page-walk.ts";
import type { Answer, PageRead, ReaderLimits, Request } from "./protocol.ts";
import { warningsDuring } from "./warnings.ts";

/** pdf.js's warning. */
const LEFT_OUT = "Image exceeded maximum allowed size";

const limits = JSON.parse(process.argv[2]!) as ReaderLimits;
/** One file at a time is open. */
let current: OpenPdf | undefined;

serveParent(async (request: Request): Promise<Answer> => {
  if (request.kind === "open") return open(request.file);
  if (current?.file !== request.file) throw new Error("The file is not open");
  const { pdf, keptImages } = current;
  const page = await pdf.getPage(request.page);
  try {
    if (request.kind === "draw") return { drawn: await drawPage(page, request.width) };
    return { read: await readOnePage(page, { pdf, keptImages }) };
  } finally {
    // Frees what pdf.js keeps of the page.
    page.cleanup();
  }
});

async function open(file: string): Promise<Answer> {
  if (current?.file !== file) {
    await current?.close();
    current = undefined;
    const opened = await openPdf(file, limits);
    if ("code" in opened) return { refused: opened };
    current = opened;
  }
  return { opened: current.facts };
}

async function readOnePage(
  page: PDFPageProxy,
  { pdf, keptImages }: Pick<OpenPdf, "pdf" | "keptImages">,
): Promise<PageRead> {
  const { value, warnings } = await warningsDuring(async () => readContent(page, await pdf.getOptionalContentConfig()));
  const layered = revealTextLayer(value.content);
  const content = layered ?? value.content;
  const findings = { ...readPage(content, findTables(content)), isRecognised: layered !== undefined };
  const { isScanned } = findings;
  const { files, lists } = await readPictures(page, { ...value, content }, { isScanned, keptImages });
  const refusedImages = warnings
    .filter((warning) => warning.includes(LEFT_OUT))
    .map(() => `The image has more than ${limits.maxPixels / 1_000_000} megapixels`);
  const { languages } = limits;
  const isRecognised = languages.length > 0 && (lists.length > 0 || isScanned);
  const recognised = isRecognised
    ? keepDrawnNumbers(await recognise(page, value, { pictures: lists, isScanned }), findings)
    : findings;
  return {
    page: findings.page,
    findings: !isRecognised && lists.length > 0 ? { ...findings, hasListPictures: true } : recognised,
    images: files,
    refusedImages,
  };
}

/** Keeps the part numbers that the file writes beside a scanned drawing: what is recognised of that may hide them. */
function keepDrawnNumbers(recognised: PageFindings, live: PageFindings): PageFindings {
  const drawnParts = live.parts.filter(({ partNumber, reference }) => reference === partNumber);
  if (!live.isScanned || drawnParts.length === 0) return recognised;
  const numbers = live.text.split(/[\s()]+/).filter((word) => word !== "");
  const isApart = (text: string): boolean => !numbers.some((number) => text.includes(number));
  return {
    ...recognised,
    parts: joinMentions([...drawnParts, ...recognised.parts]),
    figures: live.figures,
    models: recognised.models.filter(isApart),
    ...(recognised.headlines && { headlines: recognised.headlines.filter(isApart) }),
  };
}

async function recognise(
  page: PDFPageProxy,
  pageContent: ReadContent,
  { pictures, isScanned }: { pictures: readonly Box[]; isScanned: boolean },
): Promise<PageFindings> {
  const content = await recognizePage(page, pageContent, { pictures, isScanned, languages: limits.languages });
  return { ...readPage(content, findTables(content)), isScanned, isRecognised: true };
}
