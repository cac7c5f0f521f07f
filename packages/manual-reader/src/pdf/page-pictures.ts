import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { areaOf, type Box, holds, type PageContent, type PageImage } from "../page.ts";
import { JUDGED_DPI, showsList } from "../pictures/lists.ts";
import { placeImages, type PlacedImage } from "../pictures/place.ts";
import type { ReadContent } from "./page-walk.ts";
import { imageNamed, type Pixels } from "./raw-jpegs.ts";
import { recogniseBox } from "./recognition.ts";

/** Of the page: a smaller picture holds no list. */
const LEAST_SHARE = 0.08;
/** Characters on a picture: with more, its text is there already. */
const MOST_CHARACTERS = 100;

/** Finds the pictures of a page that show lists and have no text over them; of a scanned page, the page itself. */
export async function findListPictures(page: PDFPageProxy, read: ReadContent, isScanned: boolean): Promise<Box[]> {
  const { content } = read;
  if (isScanned) {
    const sheet = getSheet(content);
    return (await showsListIn(page, read, content.images, sheet)) ? [sheet] : [];
  }
  const lists: Box[] = [];
  for (const image of content.images) {
    if (!isLarge(image, content) || countCharacters(image, content) > MOST_CHARACTERS) continue;
    if (await showsListIn(page, read, [image], image)) lists.push(image);
  }
  return lists;
}

/** Adds the words and ruled lines of a page's pictures to its content, in place of these pictures. */
export async function recognisePage(
  page: PDFPageProxy,
  read: ReadContent,
  { pictures, isScanned, languages }: { pictures: readonly Box[]; isScanned: boolean; languages: readonly string[] },
): Promise<PageContent> {
  const { content } = read;
  const isList = pictures.length > 0;
  const texts = isScanned ? content.texts.filter(({ hidden }) => hidden) : [...content.texts];
  const lines = [...content.lines];
  for (const box of isScanned ? [getSheet(content)] : pictures) {
    const images = isScanned ? content.images : content.images.filter((image) => image === box);
    const found = await recogniseBox(await placeOf(page, read, images), box, { isList, languages });
    texts.push(...found.texts);
    lines.push(...found.lines);
  }
  // A list is no drawing.
  const images = isScanned ? content.images : content.images.filter((image) => !pictures.includes(image));
  return { ...content, texts, lines, images };
}

async function showsListIn(page: PDFPageProxy, read: ReadContent, images: readonly PageImage[], box: Box) {
  return showsList(await placeImages(await placeOf(page, read, images), box, JUDGED_DPI));
}

async function placeOf(
  page: PDFPageProxy,
  { sources, matrices }: ReadContent,
  images: readonly PageImage[],
): Promise<PlacedImage[]> {
  const placed: PlacedImage[] = [];
  for (const { index } of images) {
    const source = sources[index - 1]!;
    const pixels = typeof source === "string" ? await imageNamed(page, source) : (source as Pixels);
    if (pixels?.data || pixels?.jpeg) placed.push({ pixels, matrix: matrices[index - 1]! });
  }
  return placed;
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
