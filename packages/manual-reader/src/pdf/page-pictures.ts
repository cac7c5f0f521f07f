import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { computeArea, type Box, hasDrawnText, holds, type PageContent, type PageImage } from "../page.ts";
import { JUDGED_DPI, isListShown, mayShowInk } from "../pictures/lists.ts";
import { decodePixels, freePixels, openPixels, type Pixels } from "../pictures/pixels.ts";
import { createSheet, type PlacedImage, POINTS_PER_INCH } from "../pictures/place.ts";
import { listTurns, type Turn } from "../text/directions.ts";
import { drawn } from "./draw.ts";
import type { ImageSource, ReadContent } from "./page-walk.ts";
import type { Drawing, ImageFile } from "./protocol.ts";
import { imageNamed } from "./raw-jpegs.ts";
import { DPI, recognizeBox } from "./recognition.ts";

/** Of the page: a smaller picture holds no list. */
const LEAST_SHARE = 0.08;
/** Characters on a picture: with more, its text is there already. */
const MOST_CHARACTERS = 100;
/** Ruled lines across a page whose text is outlines, and share of its width: a list without columns has them, too. */
const FEWEST_RULES = 5;
const RULE_SHARE = 0.5;
/** Pixels; smaller images are ornaments. */
const SMALLEST_SIDE = 24;
/** Pixels. */
const LARGEST_SIDE = 2_000;
const QUALITY = 80;
/** 0 to 6; 1 takes a third more time for 2 % fewer bytes. */
const EFFORT = 0;
/** Shared images (logos) that are kept. */
const KEPT = 16;

export type KeptImages = Map<string, Drawing>;

/**
 * Makes a file of each image of a page, once, and finds those that show lists and have no text over them; of a scanned
 * page, the page itself. An image is decoded once for both, and one at a time.
 */
export async function readPictures(
  page: PDFPageProxy,
  { content, sources, matrices }: ReadContent,
  { isScanned, keptImages }: { isScanned: boolean; keptImages: KeptImages },
): Promise<{ files: ImageFile[]; lists: Box[] }> {
  const files: ImageFile[] = [];
  const lists: Box[] = [];
  const sheetBox = getSheetBox(content);
  const sheet = isScanned ? createSheet(sheetBox, JUDGED_DPI) : undefined;
  for (const [source, images] of Map.groupBy(content.images, ({ index }) => sources[index - 1] ?? {})) {
    const [{ index } = { index: 0 }] = images;
    const judged = images.filter((image) => isScanned || mayShowList(image, content));
    const key = typeof source === "string" && source.startsWith("g_") ? source : undefined;
    const keptDrawing = key === undefined ? undefined : keptImages.get(key);
    try {
      const pixels = keptDrawing && judged.length === 0 ? undefined : await decode(page, source);
      const isOrnament = pixels && Math.min(pixels.width, pixels.height) < SMALLEST_SIDE;
      const drawing = keptDrawing ?? (pixels && !isOrnament ? await toWebp(pixels) : undefined);
      if (key !== undefined && drawing && keptImages.size < KEPT) keptImages.set(key, drawing);
      if (drawing) files.push({ ...drawing, index });
      else if (!pixels) files.push({ index, refused: "The image cannot be decoded" });
      for (const image of pixels ? judged : []) {
        const matrix = matrices[image.index - 1];
        if (!pixels || !matrix || (!isScanned && !mayShowInk(pixels))) continue;
        const { place, raster } = sheet ?? createSheet(image, JUDGED_DPI);
        await place({ pixels, matrix });
        if (!isScanned && isListShown(raster)) lists.push(image);
      }
      freePixels(pixels?.data);
    } catch (error) {
      files.push({ index, refused: `The image cannot be converted: ${(error as Error).message}` });
    }
  }
  if (sheet && hasDrawnText(content)) await sheet.place(await drawWhole(page, content, JUDGED_DPI));
  const isList = sheet && (isListShown(sheet.raster) || (hasDrawnText(content) && isRuled(content)));
  return { files, lists: isList ? [sheetBox] : lists };
}

/** Draws a page as an image that covers it. */
async function drawWhole(page: PDFPageProxy, { width, height }: PageContent, dpi: number): Promise<PlacedImage> {
  const canvas = await drawn(page, (width * dpi) / POINTS_PER_INCH);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const pixels = { width: canvas.width, height: canvas.height, channels: 4, data } as const;
  return { pixels, matrix: [width, 0, 0, -height, 0, height] };
}

function isRuled({ width, lines }: PageContent): boolean {
  const rules = lines.filter((line) => line.width >= RULE_SHARE * width).map(({ y }) => Math.round(y));
  return new Set(rules).size >= FEWEST_RULES;
}

/** Undefined if it cannot be decoded. */
async function decode(page: PDFPageProxy, source: ImageSource): Promise<Pixels | undefined> {
  const pixels = await findPixels(page, source);
  return pixels && decodePixels(pixels, LARGEST_SIDE);
}

async function findPixels(page: PDFPageProxy, source: ImageSource): Promise<Pixels | undefined> {
  const pixels = typeof source === "string" ? await imageNamed(page, source) : (source as Pixels);
  return pixels?.data || pixels?.jpeg ? pixels : undefined;
}

async function toWebp(pixels: Pixels): Promise<Drawing> {
  const { data: webp, info } = await openPixels(pixels)
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer({ resolveWithObject: true });
  // A buffer that can be transferred.
  return { webp: new Uint8Array(webp), width: info.width, height: info.height };
}

/** Points around a text, within which what is recognised is the same. */
const NEAR_LIVE = 2;

/** Adds the words and ruled lines of a page's pictures to its content, in place of these pictures. */
export async function recognizePage(
  page: PDFPageProxy,
  pageContent: ReadContent,
  { pictures, isScanned, languages }: { pictures: readonly Box[]; isScanned: boolean; languages: readonly string[] },
): Promise<PageContent> {
  const { content } = pageContent;
  const isList = pictures.length > 0;
  const liveTexts = content.texts.filter(({ hidden }) => !hidden);
  const texts = [...content.texts];
  const lines = [...content.lines];
  const turn = isScanned ? findTurn(content) : 0;
  for (const box of isScanned ? [getSheetBox(content)] : pictures) {
    const images = isScanned ? content.images : content.images.filter((image) => image === box);
    const placedImages =
      isScanned && hasDrawnText(content)
        ? [await drawWhole(page, content, DPI)]
        : await getPlacedImages(page, pageContent, images);
    const recognized = await recognizeBox(placedImages, box, { isList, turn, languages });
    texts.push(...recognized.texts.filter((text) => !liveTexts.some((live) => holds(live, text, NEAR_LIVE))));
    lines.push(...recognized.lines);
  }
  // A list is no drawing.
  const images = isScanned ? content.images : content.images.filter((image) => !pictures.includes(image));
  return { ...content, texts, lines, images, ...(isScanned && hasDrawnText(content) && { drawnPaths: 0 }) };
}

/** Finds how the letters of a scanned page stand: as what it has of text, however hidden. */
function findTurn(content: PageContent): Turn {
  const texts = content.texts.map((text) => ({ ...text, hidden: undefined }));
  return listTurns({ ...content, texts })[0] ?? 0;
}

async function getPlacedImages(
  page: PDFPageProxy,
  { sources, matrices }: ReadContent,
  images: readonly PageImage[],
): Promise<PlacedImage[]> {
  const placedImages: PlacedImage[] = [];
  for (const { index } of images) {
    const matrix = matrices[index - 1];
    const pixels = await findPixels(page, sources[index - 1] ?? {});
    if (matrix && pixels) placedImages.push({ pixels, matrix });
  }
  return placedImages;
}

function getSheetBox({ width, height }: PageContent): Box {
  return { x: 0, y: 0, width, height };
}

function mayShowList(image: Box, content: PageContent): boolean {
  return computeArea(image) >= LEAST_SHARE * content.width * content.height && !isWrittenOver(image, content);
}

function isWrittenOver(image: Box, { texts }: PageContent): boolean {
  const characters = texts
    .filter((text) => !text.hidden && holds(image, text))
    .reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
  return characters > MOST_CHARACTERS;
}
