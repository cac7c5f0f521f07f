import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { PSM, type Line, type Worker } from "tesseract.js";
import { loadOnce } from "@partline/toolkit";
import { type Box, holds, median, type TextBox } from "../page.ts";
import { findLanguage } from "../pictures/languages.ts";
import { createSheet, POINTS_PER_INCH, type PlacedImage } from "../pictures/place.ts";
import { cropRaster, findInkLevel, type Raster, turnRaster } from "../pictures/raster.ts";
import { findHeaderCells, takeRuledLines } from "../pictures/ruled-lines.ts";
import { fromUpright, type Turn } from "../text/directions.ts";

/** Dots an inch; what the models were made with. */
export const DPI = 300;
/** Pixels of a picture: a larger one is looked at more coarsely. */
const MOST_PIXELS = 12_000_000;
/** Pixels of a piece that is recognised at once: its memory grows with them. */
const PIECE_PIXELS = 4_000_000;
/** Percent. */
const LEAST_SURE = 20;
/** Of a word's height. */
const FONT_SIZE = 0.9;
/** Times the height: what stands further apart is in two columns. */
const WORD_GAP = 1.3;
/** Likewise: a header may stand above its column's ruled lines. */
const HEADER_ABOVE = 2;
/** Of ink, for a picture that is not in black and white. */
const USUAL_LEVEL = 128;

export interface Recognised {
  texts: TextBox[];
  /** Ruled lines. */
  lines: Box[];
}

let worker: (() => Promise<Worker>) | undefined;

/**
 * Recognises the words and ruled lines of a box of a page; `isList` if it holds lines of a list and nothing else,
 * `turn` for text of that direction.
 */
export async function recognizeBox(
  images: readonly PlacedImage[],
  box: Box,
  { isList, turn, languages }: { isList: boolean; turn: Turn; languages: readonly string[] },
): Promise<Recognised> {
  const natural = (box.width * box.height * DPI ** 2) / POINTS_PER_INCH ** 2;
  const dpi = DPI * Math.min(1, Math.sqrt(MOST_PIXELS / natural));
  const { raster: sheet, place } = createSheet(box, dpi);
  for (const image of images) await place(image);
  const raster = turnRaster(sheet, (4 - turn / 90) % 4);
  const scale = POINTS_PER_INCH / dpi;
  const level = findInkLevel(raster) ?? USUAL_LEVEL;
  const toPage = (upright: Box): Box => {
    const { x, y, width, height } = fromUpright(upright, turn, sheet);
    return { x: box.x + x * scale, y: box.y + y * scale, width: width * scale, height: height * scale };
  };
  const ruledLines = takeRuledLines(raster, level, dpi);
  const recogniser = await (worker ??= loadOnce(() => startWorker(languages)))();
  const recognize = async ({ width, height, gray }: Raster, origin: Box): Promise<Word[]> => {
    const png = await sharp(gray, { raw: { width, height, channels: 1 } })
      .withMetadata({ density: dpi })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const { data } = await recogniser.recognize(png, {}, { blocks: true, text: false });
    const textLines = (data.blocks ?? []).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph) => paragraph.lines),
    );
    return textLines.flatMap((line) => joinWords(straightenWords(line), ruledLines, origin));
  };
  await recogniser.setParameters({ tessedit_pageseg_mode: isList ? PSM.SINGLE_BLOCK : PSM.AUTO });
  const words: Word[] = [];
  for (const { top, piece } of cutAtGaps(raster, level)) words.push(...(await recognize(piece, { ...ORIGIN, y: top })));
  const cells = findHeaderCells(ruledLines, raster, dpi);
  const rows = words.filter((word) => !cells.some((cell) => holds(cell, word)));
  for (const cell of cells) rows.push(...(await recognize(cropRaster(raster, cell), cell)));
  return {
    texts: rows.map(({ text, ...word }): TextBox => {
      return { ...toPage(word), text, fontSize: word.height * scale * FONT_SIZE, angle: turn, isBold: false };
    }),
    lines: ruledLines.map(toPage),
  };
}

type Word = Box & { text: string };

const ORIGIN: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Sets the words of a line on one level and at one height, as the line of a scan may rise. */
function straightenWords({ words, baseline }: Line): Word[] {
  const sure = words.filter(({ text, confidence }) => text.trim() !== "" && confidence >= LEAST_SURE);
  const height = median(sure.map(({ bbox }) => bbox.y1 - bbox.y0));
  const rise = baseline.x1 > baseline.x0 ? (baseline.y1 - baseline.y0) / (baseline.x1 - baseline.x0) : 0;
  const bottom = (baseline.y0 + baseline.y1) / 2;
  const middle = (baseline.x0 + baseline.x1) / 2;
  return sure.map(({ text, bbox: { x0, x1, y1 } }) => {
    const level = y1 - ((x0 + x1) / 2 - middle) * rise;
    // Below the line hang a few letters only.
    return { text, x: x0, y: Math.min(level, bottom + height / 2) - height, width: x1 - x0, height };
  });
}

/** Joins words of a line to what stands in one column, and places them in the picture. */
function joinWords(words: readonly Word[], ruled: readonly Box[], origin: Box): Word[] {
  const runs: Word[] = [];
  for (const word of words) {
    const next = { ...word, x: word.x + origin.x, y: word.y + origin.y };
    const last = runs.at(-1);
    const end = last ? last.x + last.width : 0;
    const isNext = last && next.x >= end && next.x - end <= WORD_GAP * next.height && !isParted(end, next, ruled);
    if (!isNext) runs.push(next);
    else Object.assign(last, { text: `${last.text} ${next.text}`, width: next.x + next.width - last.x });
  }
  return runs;
}

function isParted(end: number, { x, y, height }: Box, ruled: readonly Box[]): boolean {
  const middle = y + height / 2;
  return ruled.some(
    (line) =>
      line.height > line.width &&
      line.x >= end - 2 &&
      line.x <= x &&
      line.y - HEADER_ABOVE * height <= middle &&
      line.y + line.height >= middle,
  );
}

/** Cuts a picture between its lines, where a row has no ink, into pieces that are recognised at once. */
export function cutAtGaps({ width, height, gray }: Raster, level: number): { top: number; piece: Raster }[] {
  const tallest = Math.max(1, Math.floor(PIECE_PIXELS / width));
  const pieces: { top: number; piece: Raster }[] = [];
  for (let top = 0; top < height;) {
    let bottom = Math.min(height, top + tallest);
    const hasInk = (y: number): boolean => gray.subarray(y * width, (y + 1) * width).some((shade) => shade < level);
    if (bottom < height) {
      const least = top + Math.floor(tallest / 2);
      let cut = bottom;
      while (cut > least && hasInk(cut - 1)) cut -= 1;
      if (cut > least) bottom = cut;
    }
    pieces.push({ top, piece: { width, height: bottom - top, gray: gray.subarray(top * width, bottom * width) } });
    top = bottom;
  }
  return pieces;
}

/** Starts the recogniser. @throws for a language whose package is not installed */
async function startWorker(languages: readonly string[]): Promise<Worker> {
  const { createWorker, OEM } = await import("tesseract.js");
  // It reads its models from one folder; each comes as a package of its own.
  const folder = await mkdtemp(join(tmpdir(), "partline-ocr-"));
  try {
    for (const language of languages)
      await copyFile(findLanguage(language), join(folder, `${language}.traineddata.gz`));
    return await createWorker([...languages], OEM.LSTM_ONLY, { langPath: folder, cacheMethod: "none", gzip: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
