import type { Box, PageContent, TextBox } from "../page.ts";
import { type Block, splitBlocks } from "./blocks.ts";
import { toPassage, toWord } from "./lines.ts";

/** A page turned so that text of one direction is upright. */
export interface View {
  turn: Turn;
  blocks: Block[];
  /** Turned alike, as the page. */
  tables: Box[];
  page: PageContent;
  /** Turns a box back. */
  toPage(box: Box): Box;
  /** In reading order, in lines. */
  text: string;
}

/** The visible text by direction, most first. */
export function uprightViews(page: PageContent, tables: readonly Box[]): View[] {
  return listTurns(page).map((turn) => {
    const turned = turnedPage(page, turn);
    const words = visibleTexts(turned)
      .filter((text) => getTurn(text) === 0)
      .map(toWord);
    const turnedTables = tables.map((table) => toUpright(table, turn, page));
    const blocks = splitBlocks(words, turnedTables);
    const text = blocks.map((block) => toPassage(block).text.replace(/ {2,}/g, " ")).join("\n");
    return { turn, blocks, tables: turnedTables, page: turned, text, toPage: (box) => fromUpright(box, turn, page) };
  });
}

export function visibleTexts({ texts }: PageContent): TextBox[] {
  return texts.filter(({ hidden, text }) => !hidden && text.trim() !== "");
}

/** Directions of the visible text, that of most characters first. */
export function listTurns(page: PageContent): Turn[] {
  const characters = new Map<Turn, number>();
  for (const text of visibleTexts(page))
    characters.set(getTurn(text), (characters.get(getTurn(text)) ?? 0) + text.text.length);
  return [...characters].sort(([, left], [, right]) => right - left).map(([turn]) => turn);
}

export function turnedPage(page: PageContent, turn: Turn): PageContent {
  if (turn === 0) return page;
  const turned = <T extends Box>(box: T): T => ({ ...box, ...toUpright(box, turn, page) });
  return {
    ...page,
    ...turnedSize(turn, page),
    texts: page.texts.map((text) => ({ ...turned(text), angle: text.angle - turn })),
    images: page.images.map(turned),
    lines: page.lines.map(turned),
  };
}

function turnedSize(turn: Turn, { width, height }: Size): Size {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Degrees clockwise, to the nearest quarter. */
export type Turn = 0 | 90 | 180 | 270;

type Size = Pick<PageContent, "width" | "height">;

export function getTurn({ angle }: Pick<TextBox, "angle">): Turn {
  return ((((Math.round(angle / 90) % 4) + 4) % 4) * 90) as Turn;
}

/** Turns a box so that text of this turn is upright, by quarters. */
export function toUpright({ x, y, width, height }: Box, turn: Turn, page: Size): Box {
  if (turn === 0) return { x, y, width, height };
  const quarter = { x: y, y: page.width - x - width, width: height, height: width };
  return toUpright(quarter, (turn - 90) as Turn, turnedSize(90, page));
}

export function fromUpright(box: Box, turn: Turn, page: Size): Box {
  return toUpright(box, ((360 - turn) % 360) as Turn, turnedSize(turn, page));
}
