import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type PdfFacts, readFacts } from "./facts.ts";
import { isPdfHead } from "./head.ts";
import { OpeningPdf } from "./opening.ts";
import "./operator-copies.ts";
import type { KeptImages } from "./page-pictures.ts";
import type { ReaderLimits, Refusal } from "./protocol.ts";
import { warningsDuring } from "./warnings.ts";

const pdfjs = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
/** pdf.js requires the slash. */
const folder = (name: string): string => `${join(pdfjs, name)}/`;

export interface OpenPdf {
  file: string;
  pdf: PDFDocumentProxy;
  facts: PdfFacts;
  /** Images of several pages. */
  keptImages: KeptImages;
  close(): Promise<void>;
}

export async function openPdf(file: string, { maxPages, maxPixels }: ReaderLimits): Promise<OpenPdf | Refusal> {
  const bytes = await readFile(file);
  if (bytes.length === 0) return { code: "EMPTY", reason: "The file is empty" };
  if (!isPdfHead(bytes)) return { code: "NOT_A_PDF", reason: "The file is not a PDF" };
  const opening = new OpeningPdf({
    // Shares the memory: files may have 100 MB.
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    verbosity: VerbosityLevel.WARNINGS,
    cMapUrl: folder("cmaps"),
    standardFontDataUrl: folder("standard_fonts"),
    wasmUrl: folder("wasm"),
    iccUrl: folder("iccs"),
    // Ours: raw-jpegs.ts.
    isImageDecoderSupported: true,
    maxImageSize: maxPixels,
    // Includes fonts' names, which say bold.
    fontExtraProperties: true,
  });
  const close = (): Promise<void> => opening.destroy();
  try {
    const { value: facts } = await warningsDuring(() => readFacts(opening));
    const { pages } = facts;
    if (pages >= 1 && pages <= maxPages)
      return { file, pdf: await opening.document, facts, keptImages: new Map(), close };
    await close();
    return pages < 1
      ? { code: "EMPTY", reason: "The file has no page" }
      : { code: "TOO_MANY_PAGES", reason: `The file has ${pages} pages; at most ${maxPages} are read` };
  } catch (error) {
    await close();
    if ((error as Error).name === "PasswordException")
      return { code: "ENCRYPTED", reason: "The file is encrypted, and no password is known" };
    return { code: "DAMAGED", reason: `The file is damaged: ${(error as Error).message}` };
  }
}
