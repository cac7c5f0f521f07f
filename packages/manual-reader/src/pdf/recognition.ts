import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Worker } from "tesseract.js";
import { loadOnce } from "@partline/toolkit";
import type { PageContent, TextBox } from "../page.ts";
import { drawn } from "./draw.ts";

/** 300 dpi on paper. */
const WIDTH = 2_500;
/** Percent. */
const LEAST_SURE = 40;
/** Of a word's height. */
const FONT_SIZE = 0.9;

const worker = loadOnce(startWorker);

/** Words by OCR; the model comes as a package. */
export async function recognisedTexts(page: PDFPageProxy, content: PageContent): Promise<TextBox[]> {
  const canvas = await drawn(page, WIDTH);
  const { data } = await (await worker()).recognize(canvas.toBuffer("image/png"), {}, { blocks: true, text: false });
  const scale = content.width / canvas.width;
  const words = (data.blocks ?? []).flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words)),
  );
  return words
    .filter(({ text, confidence }) => text.trim() !== "" && confidence >= LEAST_SURE)
    .map(({ text, bbox: { x0, y0, x1, y1 } }) => ({
      text,
      x: x0 * scale,
      y: y0 * scale,
      width: (x1 - x0) * scale,
      height: (y1 - y0) * scale,
      fontSize: (y1 - y0) * scale * FONT_SIZE,
      angle: 0,
      isBold: false,
    }));
}

async function startWorker(): Promise<Worker> {
  const { createWorker, OEM } = await import("tesseract.js");
  const data = dirname(createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json"));
  return createWorker("eng", OEM.LSTM_ONLY, {
    langPath: join(data, "4.0.0_best_int"),
    cacheMethod: "none",
    gzip: true,
  });
}
