import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCanvas, type Canvas } from "@napi-rs/canvas";
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import type { Worker } from "tesseract.js";
import { loadOnce } from "../../../../mixins/load-once.ts";
import type { PageContent, TextBox } from "../page.ts";
import { warningsDuring } from "./document.ts";
import type { Drawing } from "./protocol.ts";
import { decodeShared } from "./raw-jpegs.ts";

/** Pixels; larger pages are drawn smaller. */
const MAX_PIXELS = 16_000_000;
/** WebP's limit. */
const MAX_SIDE = 16_383;
const QUALITY = 80;

/** `width` pixels wide, or as the limits allow. */
export async function drawPage(page: PDFPageProxy, width: number): Promise<Drawing> {
  const canvas = await drawn(page, width);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const webp = await sharp(data, { raw: { width: canvas.width, height: canvas.height, channels: 4 } })
    .removeAlpha()
    .webp({ quality: QUALITY })
    .toBuffer();
  return { webp: new Uint8Array(webp), width: canvas.width, height: canvas.height };
}

async function drawn(page: PDFPageProxy, width: number): Promise<Canvas> {
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(
    width / natural.width,
    MAX_SIDE / natural.height,
    Math.sqrt(MAX_PIXELS / (natural.width * natural.height)),
  );
  const viewport = page.getViewport({ scale });
  await decodeShared(page);
  const canvas = createCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
  // pdf.js wants a browser's canvas and uses only this much.
  await warningsDuring(() => page.render({ canvas: canvas as never, viewport, background: "#ffffff" }).promise);
  return canvas;
}

/** 300 dpi on paper. */
const OCR_WIDTH = 2_500;
/** Percent. */
const LEAST_SURE = 40;
/** Of a word's height. */
const FONT_SIZE = 0.9;

const worker = loadOnce(startWorker);

/** Words by OCR; the model comes as a package. */
export async function recognisedTexts(page: PDFPageProxy, content: PageContent): Promise<TextBox[]> {
  const canvas = await drawn(page, OCR_WIDTH);
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
