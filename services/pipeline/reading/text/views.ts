import type { Box, PageContent, TextBox } from "../page.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { type Word, wordOf } from "./lines.ts";
import { passageOf } from "./passage.ts";

/** A page turned so that text of one direction is upright. */
export interface View {
  turn: Turn;
  words: Word[];
  blocks: Block[];
  /** Turned alike. */
  tables: Box[];
  /** Turned alike. */
  page: PageContent;
  /** In reading order, in lines. */
  text: string;
}

/** The visible text by direction, most first. */
export function uprightViews(page: PageContent, tables: readonly Box[]): View[] {
  const byTurn = Map.groupBy(
    page.texts.filter(({ hidden, text }) => !hidden && text.trim() !== ""),
    turnOf,
  );
  const characters = (texts: readonly { text: string }[]): number =>
    texts.reduce((sum, { text }) => sum + text.length, 0);
  return [...byTurn]
    .sort(([, a], [, b]) => characters(b) - characters(a))
    .map(([turn, texts]) => {
      const words = texts.map((text) => wordOf(text, toUpright(text, turn, page)));
      const turned = tables.map((table) => toUpright(table, turn, page));
      const blocks = blocksOf(words, turned);
      const text = blocks.map((block) => passageOf(block).text.replace(/ {2,}/g, " ")).join("\n");
      return { turn, words, blocks, tables: turned, page: turnedPage(page, turn), text };
    });
}

function turnedPage(page: PageContent, turn: Turn): PageContent {
  if (turn === 0) return page;
  return {
    ...page,
    ...(turn !== 180 && { width: page.height, height: page.width }),
    images: page.images.map((image) => ({ ...image, ...toUpright(image, turn, page) })),
    lines: page.lines.map(({ x1, y1, x2, y2 }) => {
      const { x, y, width, height } = toUpright(
        { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) },
        turn,
        page,
      );
      return { x1: x, y1: y, x2: x + width, y2: y + height };
    }),
  };
}

/** Degrees clockwise, to the nearest quarter. */
export type Turn = 0 | 90 | 180 | 270;

type Size = Pick<PageContent, "width" | "height">;

export function turnOf({ angle }: Pick<TextBox, "angle">): Turn {
  return ((((Math.round(angle / 90) % 4) + 4) % 4) * 90) as Turn;
}

/** Turns a box so that text of this turn is upright. */
export function toUpright({ x, y, width, height }: Box, turn: Turn, page: Size): Box {
  switch (turn) {
    case 0:
      return { x, y, width, height };
    case 90:
      return { x: y, y: page.width - x - width, width: height, height: width };
    case 180:
      return { x: page.width - x - width, y: page.height - y - height, width, height };
    case 270:
      return { x: page.height - y - height, y: x, width: height, height: width };
  }
}

export function fromUpright({ x, y, width, height }: Box, turn: Turn, page: Size): Box {
  switch (turn) {
    case 0:
      return { x, y, width, height };
    case 90:
      return { x: page.width - y - height, y: x, width: height, height: width };
    case 180:
      return { x: page.width - x - width, y: page.height - y - height, width, height };
    case 270:
      return { x: y, y: page.height - x - width, width: height, height: width };
  }
}
