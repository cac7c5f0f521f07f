import { getAt } from "@partline/toolkit";
import sharp, { type Sharp } from "sharp";
import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { type ImageFormat, MAX_AVIF_PIXELS, MAX_PIXELS } from "../limits.ts";
import type { Picture, Variant } from "../variant.ts";

/** Job that renders one file into another. */
export type RenderJob = { input: string; output: string } & (
  | { kind: "original"; format: ImageFormat }
  | { kind: "variant"; original: Pick<Picture, "format" | "pages">; variant: Variant }
);

export interface Rendered extends Picture {
  bytes: number;
  sha256: string;
}

// One image on one core, no cache: the shop needs the rest.
sharp.cache(false);
sharp.concurrency(1);
// Unused loaders are attack surface.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpeg",
    "VipsForeignLoadPng",
    "VipsForeignLoadWebp",
    "VipsForeignLoadHeif",
    "VipsForeignLoadNsgif",
  ],
});

/** Names of formats in sharp's metadata. */
const SHARP_NAMES: Record<ImageFormat, string> = { jpeg: "jpeg", png: "png", webp: "webp", avif: "heif", gif: "gif" };

/** Pixels from which encoding takes less effort: it would take tens of seconds. */
const LARGE = 2_000_000;

class RefusedImage extends Error {
  override readonly name = "RefusedImage";
}

/** @throws RefusedImage if the file is unreadable, too large or of another format */
export async function render(job: RenderJob): Promise<Rendered> {
  const data = job.kind === "original" ? await renderOriginal(job.input, job.format) : await renderVariant(job);
  await writeFile(job.output, data);
  // Read back: an encoder merges equal frames.
  const {
    width,
    height,
    pages = 1,
    pageHeight = height,
    hasAlpha,
  } = await sharp(data, { pages: -1, limitInputPixels: false }).metadata();
  return {
    format: job.kind === "original" ? job.format : job.variant.format,
    width,
    height: pageHeight,
    pages,
    hasAlpha,
    bytes: data.length,
    sha256: hash("sha256", data),
  };
}

/** Reads every pixel, so that damage is found now; re-encoding drops metadata and trailing bytes. */
async function renderOriginal(input: string, format: ImageFormat): Promise<Buffer> {
  try {
    const image = openImage(input, format, { animated: format === "gif" || format === "webp" });
    const facts = await image.metadata();
    if (facts.format !== SHARP_NAMES[format])
      throw new RefusedImage(`The image is not the ${format.toUpperCase()} that it begins as`);
    return await encodeImage(image.autoOrient(), {
      format,
      isOriginal: true,
      pixels: facts.width * facts.height,
      isPalette: facts.isPalette,
    });
  } catch (error) {
    throw error instanceof RefusedImage ? error : toRefusedImage(error, input, format);
  }
}

async function renderVariant({ input, original, variant }: Extract<RenderJob, { kind: "variant" }>): Promise<Buffer> {
  const { width, height, format } = variant;
  const image = openImage(input, original.format, {
    animated: original.pages > 1 && (format === "gif" || format === "webp"),
  });
  return encodeImage(resizeImage(image, variant), {
    format,
    isOriginal: false,
    pixels: width * height * original.pages,
  });
}

function openImage(input: string, format: ImageFormat, { animated }: { animated: boolean }): Sharp {
  return sharp(input, { animated, limitInputPixels: getMaxPixels(format), failOn: "warning", sequentialRead: true });
}

function resizeImage(image: Sharp, { width, height, mode, format }: Variant): Sharp {
  if (mode === "exact") return image.resize({ width, height, fit: "fill" });
  if (mode === "cover") return image.resize({ width, height, fit: "cover" });
  const background = format === "jpeg" ? "#ffffff" : { r: 255, g: 255, b: 255, alpha: 0 };
  return image.resize({ width, height, fit: "contain", withoutEnlargement: true, background });
}

interface Encoding {
  format: ImageFormat;
  /** An original must survive further scaling. */
  isOriginal: boolean;
  pixels: number;
  isPalette?: boolean;
}

function encodeImage(image: Sharp, { format, isOriginal: kept, pixels, isPalette }: Encoding): Promise<Buffer> {
  const isLarge = pixels > LARGE;
  const encoders: Record<ImageFormat, () => Sharp> = {
    // Optimised and progressive JPEGs hold all coefficients in memory, six bytes a pixel.
    jpeg: () =>
      image.flatten({ background: "#ffffff" }).jpeg({
        quality: kept ? 92 : 80,
        chromaSubsampling: kept ? "4:4:4" : "4:2:0",
        optimiseCoding: !isLarge,
        progressive: !kept && !isLarge,
      }),
    png: () => image.png({ ...(isPalette ? { palette: true, colours: 256, dither: 0 } : {}) }),
    webp: () => image.webp({ quality: kept ? 92 : 80, effort: isLarge ? 2 : 4 }),
    avif: () => image.avif({ quality: kept ? 75 : 55, effort: isLarge ? 0 : 2 }),
    gif: () => image.gif({ effort: isLarge ? 1 : 5 }),
  };
  return encoders[format]().toBuffer();
}

function getMaxPixels(format: ImageFormat): number {
  return format === "avif" ? MAX_AVIF_PIXELS : MAX_PIXELS;
}

function toRefusedImage(error: unknown, input: string, format: ImageFormat): RefusedImage {
  const message = getAt((error instanceof Error ? error.message : String(error)).split("\n"), 0).replaceAll(
    input,
    "the file",
  );
  if (/exceeds pixel limit/i.test(message))
    return new RefusedImage(`The image has more than ${getMaxPixels(format) / 1_000_000} megapixels`, { cause: error });
  return new RefusedImage(`The image cannot be read: ${message}`, { cause: error });
}
