import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { areaOf, type Box, holds, type PageContent, type PageImage } from "../page.ts";
import { JUDGED_DPI, isListShown } from "../pictures/lists.ts";
import { placeImages, type PlacedImage } from "../pictures/place.ts";
import type { ReadContent } from "./page-walk.ts";
import { imageNamed, type Pixels } from "./raw-jpegs.ts";
import { recognizeBox } from "./recognition.ts";

/** Of the page: a smaller picture holds no list. */
const LEAST_SHARE = 0.08;
/** Characters on a picture: with more, its text is there already. */
const MOST_CHARACTERS = 100;

/** Finds the pictures of a page that show lists and have no text over them; of a scanned page, the page itself. */
export async function findListPictures(
  page: PDFPageProxy,
  pageContent: ReadContent,
  isScanned: boolean,
): Promise<Box[]> {
  const { content } = pageContent;
  if (isScanned) {
    const sheet = getSheet(content);
    return (await hasListIn(page, pageContent, content.images, sheet)) ? [sheet] : [];
  }
  const lists: Box[] = [];
  for (const image of content.images) {
    if (!isLarge(image, content) || countCharacters(image, content) > MOST_CHARACTERS) continue;
    if (await hasListIn(page, pageContent, [image], image)) lists.push(image);
  }
  return lists;
}

/** Adds the words and ruled lines of a page's pictures to its content, in place of these pictures. */
export async function recognizePage(
  page: PDFPageProxy,
  pageContent: ReadContent,
  { pictures, isScanned, languages }: { pictures: readonly Box[]; isScanned: boolean; languages: readonly string[] },
): Promise<PageContent> {
  const { content } = pageContent;
  const isList = pictures.length > 0;
  const texts = isScanned ? content.texts.filter(({ hidden }) => hidden) : [...content.texts];
  const lines = [...content.lines];
  for (const box of isScanned ? [getSheet(content)] : pictures) {
    const images = isScanned ? content.images : content.images.filter((image) => image === box);
    const recognized = await recognizeBox(await getPlacedImages(page, pageContent, images), box, { isList, languages });
    texts.push(...recognized.texts);
    lines.push(...recognized.lines);
  }
  // A list is no drawing.
  const images = isScanned ? content.images : content.images.filter((image) => !pictures.includes(image));
  return { ...content, texts, lines, images };
}

async function hasListIn(page: PDFPageProxy, pageContent: ReadContent, images: readonly PageImage[], box: Box) {
  return isListShown(await placeImages(await getPlacedImages(page, pageContent, images), box, JUDGED_DPI));
}

async function getPlacedImages(
  page: PDFPageProxy,
  { sources, matrices }: ReadContent,
  images: readonly PageImage[],
): Promise<PlacedImage[]> {
  const placedImages: PlacedImage[] = [];
  for (const { index } of images) {
    const source = sources[index - 1];
    const matrix = matrices[index - 1];
    const pixels = typeof source === "string" ? await imageNamed(page, source) : (source as Pixels | undefined);
    if (matrix && (pixels?.data || pixels?.jpeg)) placedImages.push({ pixels, matrix });
  }
  return placedImages;
}

function getSheet({ width, height }: PageContent): Box {
  return { x: 0, y: 0, width, height };
}

function isLarge(image: Box, { width, height }: PageContent): boolean {
  return areaOf(image) >= LEAST_SHARE * width * height;
}

function countCharacters(image: Box, { texts }: PageContent): number {
  return texts
    .filter((text) => !text.hidden && holds(image, text))
    .reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
}
