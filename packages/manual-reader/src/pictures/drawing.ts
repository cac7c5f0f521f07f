import sharp from "sharp";

/** What is between two heights of a page, in shares of it. */
interface Band {
  top: number;
  bottom: number;
}

/** What was read of a page. */
export interface PageLayout {
  /** Rows of its lists. */
  rows: readonly Band[];
  /** Numbers in its drawing. */
  callouts: readonly Band[];
}

/** A page's running head and foot. */
const EDGE = 0.07;
/** The most that a drawing reaches above its first number or below its last one. */
const BESIDE = 0.12;
/** A list's head is above its first row. */
const HEAD = 0.03;
/** Pixels of its longer side, for a small picture on a sharp screen. */
const LONGEST = 640;
/** How much a pixel may differ from the paper's. */
const PAPER = 24;

/** Finds where the numbers of a page's drawing are, up to its list; all but the edges of a page without any. */
export function findDrawingBand({ rows, callouts }: PageLayout): Band {
  if (callouts.length === 0) return { top: EDGE, bottom: 1 - EDGE };
  const first = Math.min(...callouts.map(({ top }) => top));
  const last = Math.max(...callouts.map(({ bottom }) => bottom));
  const rowsAbove = rows.filter(({ bottom }) => bottom <= first).map(({ bottom }) => bottom);
  const rowsBelow = rows.filter(({ top }) => top >= last).map(({ top }) => top - HEAD);
  return {
    top: Math.min(first, Math.max(EDGE, first - BESIDE, ...rowsAbove)),
    bottom: Math.max(last, Math.min(1 - EDGE, last + BESIDE, ...rowsBelow)),
  };
}

/** Cuts a page's drawing out of its picture, without the list and the blank paper around; a WebP. */
export async function cropDrawing(picture: Buffer, layout: PageLayout): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const { top, bottom } = findDrawingBand(layout);
  const from = Math.round(top * height);
  const band = sharp(picture).extract({ left: 0, top: from, width, height: Math.round(bottom * height) - from });
  const drawing = await sharp(await band.png().toBuffer())
    .trim({ background: "#ffffff", threshold: PAPER })
    .png()
    .toBuffer();
  return sharp(drawing).resize(LONGEST, LONGEST, { fit: "inside", withoutEnlargement: true }).webp().toBuffer();
}
