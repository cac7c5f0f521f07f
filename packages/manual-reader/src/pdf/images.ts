import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import type { PageImage } from "../page.ts";
import { unpackBits } from "../pictures/place.ts";
import type { ImageSource } from "./page-walk.ts";
import type { Drawing, ImageFile } from "./protocol.ts";
import { imageNamed, type Pixels } from "./raw-jpegs.ts";

// One image on one core, no cache: other pages need the rest.
sharp.cache(false);
sharp.concurrency(1);

/** Pixels; smaller images are ornaments. */
const SMALLEST_SIDE = 24;
/** Pixels. */
const LARGEST_SIDE = 2_000;
const QUALITY = 80;
/** 0 to 6; 1 takes a third more time for 2 % fewer bytes. */
const EFFORT = 0;
/** Shared images (logos) that are kept. */
const KEPT = 16;

/** Source: pdf.js ImageKind */
const BITS = 1;
const CHANNELS: Readonly<Record<number, 3 | 4>> = { 2: 3, 3: 4 };

export type KeptImages = Map<string, Drawing>;

/** Each image once. */
export async function imageFiles(
  page: PDFPageProxy,
  images: readonly PageImage[],
  sources: readonly ImageSource[],
  kept: KeptImages,
): Promise<ImageFile[]> {
  const files: ImageFile[] = [];
  for (const [source, [first]] of Map.groupBy(images, ({ index }) => sources[index - 1]!)) {
    const file = await imageFile(page, source, first!.index, kept);
    if (file) files.push(file);
  }
  return files;
}

async function imageFile(
  page: PDFPageProxy,
  source: ImageSource,
  index: number,
  kept: KeptImages,
): Promise<ImageFile | undefined> {
  const isShared = typeof source === "string" && source.startsWith("g_");
  const before = isShared ? kept.get(source) : undefined;
  if (before) return { ...before, index };
  try {
    const pixels = typeof source === "string" ? await imageNamed(page, source) : (source as Pixels);
    if (!pixels?.data && !pixels?.jpeg) return { index, refused: "The image cannot be decoded" };
    if (Math.min(pixels.width, pixels.height) < SMALLEST_SIDE) return undefined;
    const file = await webpOf(pixels);
    if (isShared && kept.size < KEPT) kept.set(source, file);
    return { ...file, index };
  } catch (error) {
    return { index, refused: `The image cannot be converted: ${(error as Error).message}` };
  }
}

async function webpOf({ width, height, kind = BITS, data, jpeg }: Pixels): Promise<Drawing> {
  const channels = CHANNELS[kind];
  // A JPEG is decoded at the size that is needed.
  const image = jpeg
    ? sharp(jpeg, { failOn: "none" })
    : sharp(channels ? data! : unpackBits(data!, width, height), {
        raw: { width, height, channels: channels ?? 1 },
        limitInputPixels: false,
      });
  const { data: webp, info } = await image
    .resize(LARGEST_SIDE, LARGEST_SIDE, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer({ resolveWithObject: true });
  // A buffer that can be transferred.
  return { webp: new Uint8Array(webp), width: info.width, height: info.height };
}
