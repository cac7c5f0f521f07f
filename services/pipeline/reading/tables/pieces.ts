import { type Box, type PageContent, type RuledLine, usualSize } from "../page.ts";
import { fromUpright, turnedPage, turnOf, turnsOf, visibleTexts } from "../text/views.ts";

/** A visible text on the page turned upright and scaled to the usual font size. */
export interface Piece extends Box {
  text: string;
  fontSize: number;
  isBold: boolean;
  /** Across the others, as headings of narrow columns. */
  isTurned: boolean;
}

interface UprightPage {
  pieces: Piece[];
  lines: RuledLine[];
  back(box: Box): Box;
}

/** Points. */
const USUAL_SIZE = 10;

const LEADER = /(?:[.\u2026_]\s?){4,}/g;

export function uprightPage(page: PageContent): UprightPage {
  const [turn = 0] = turnsOf(page);
  const turned = turnedPage(page, turn);
  const visible = visibleTexts(turned);
  const scale = USUAL_SIZE / (usualSize(visible) || USUAL_SIZE);
  return {
    pieces: visible.flatMap((text) =>
      piecesOf({
        ...scaled(text, scale),
        text: text.text.trim(),
        fontSize: text.fontSize * scale,
        isBold: text.isBold,
        isTurned: turnOf(text) !== 0,
      }),
    ),
    lines: turned.lines.map(({ x1, y1, x2, y2 }) => ({
      x1: x1 * scale,
      y1: y1 * scale,
      x2: x2 * scale,
      y2: y2 * scale,
    })),
    back: (box) => fromUpright(scaled(box, 1 / scale), turn, page),
  };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Parts a text at leaders. */
function piecesOf(piece: Piece): Piece[] {
  return piece.isTurned ? [piece] : partedAt(piece, LEADER);
}

function partedAt(piece: Piece, pattern: RegExp): Piece[] {
  const parts: Piece[] = [];
  let from = 0;
  for (const match of [...piece.text.matchAll(pattern), undefined]) {
    const part = stretchOf(piece, from, match?.index ?? piece.text.length);
    if (part) parts.push(part);
    from = (match?.index ?? 0) + (match?.[0].length ?? 0);
  }
  return parts;
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
