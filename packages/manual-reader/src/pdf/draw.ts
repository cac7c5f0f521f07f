import { createCanvas, type Canvas } from "@napi-rs/canvas";
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import type { Drawing } from "./protocol.ts";
import { decodeShared } from "./raw-jpegs.ts";
import { warningsDuring } from "./warnings.ts";

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

export async function drawn(page: PDFPageProxy, width: number): Promise<Canvas> {
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
