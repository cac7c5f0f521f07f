import { type Box, type PageContent, usualSize } from "../page.ts";
import { fromUpright, turnedPage, turnOf, turnsOf, visibleTexts } from "../text/directions.ts";
import type { Word } from "../text/lines.ts";

/** A visible text on the page turned upright and scaled to the usual font size. */
export interface Piece extends Word {
  /** Across the others, as headings of narrow columns. */
  isTurned: boolean;
}

/** Pieces by row. */
export type Rows = readonly (readonly Piece[])[];

/** Points. */
const USUAL_SIZE = 10;

const LEADER = /(?:[.\u2026_]\s?){4,}/g;

/** The page turned upright, and how a box is turned back. */
export function uprightPage(page: PageContent) {
  const [turn = 0] = turnsOf(page);
  const turned = turnedPage(page, turn);
  const visible = visibleTexts(turned);
  const scale = USUAL_SIZE / (usualSize(visible) || USUAL_SIZE);
  return {
    pieces: visible.flatMap(({ text, fontSize, isBold, ...place }) =>
      piecesOf({
        ...scaled(place, scale),
        text: text.trim(),
        fontSize: fontSize * scale,
        isBold,
        isTurned: turnOf(place) !== 0,
      }),
    ),
    lines: turned.lines.map((line) => scaled(line, scale)),
    back: (box: Box) => fromUpright(scaled(box, 1 / scale), turn, page),
  };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Parts a text at leaders. */
function piecesOf(piece: Piece): Piece[] {
  if (piece.isTurned) return [piece];
  const leaders = [...piece.text.matchAll(LEADER)].map(
    ({ 0: leader, index }) => [index, index + leader.length] as const,
  );
  return [...leaders, [piece.text.length] as const].flatMap(
    ([end], n) => stretchOf(piece, leaders[n - 1]?.[1] ?? 0, end) ?? [],
  );
}

/** Its characters at equal widths; undefined if blank. */
export function stretchOf(piece: Piece, from: number, to: number): Piece | undefined {
  const raw = piece.text.slice(from, to);
  const text = raw.trim();
  if (text === "") return undefined;
  const start = from + (raw.length - raw.trimStart().length);
  const step = piece.width / piece.text.length;
  return { ...piece, text, x: piece.x + start * step, width: text.length * step };
}
