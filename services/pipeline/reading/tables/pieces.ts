import type { Box, PageContent, RuledLine, TextBox } from "../page.ts";
import { fromUpright, toUpright, type Turn, turnOf } from "../text/views.ts";

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
/** Several figures in a run. */
const FIGURES = /^(?:\(?[-\u2013+]?\d[\d.,\u2013%-]*\)?\s+)+\(?[-\u2013+]?\d[\d.,\u2013%-]*\)?$/;
/** Three digits may be thousands. */
const BETWEEN_FIGURES = /\s+(?!\d{3}(?:\D|$))/g;

export function uprightPage(page: PageContent): UprightPage {
  const visible = page.texts.filter(({ hidden, text }) => !hidden && text.trim() !== "");
  const turn = mainTurn(visible);
  const scale = USUAL_SIZE / (median(visible.map(({ fontSize }) => fontSize)) || USUAL_SIZE);
  const upright = (box: Box): Box => scaled(toUpright(box, turn, page), scale);
  return {
    pieces: visible.flatMap((text) =>
      piecesOf({
        ...upright(text),
        text: text.text.trim(),
        fontSize: text.fontSize * scale,
        isBold: text.isBold,
        isTurned: turnOf(text) !== turn,
      }),
    ),
    lines: [
      ...page.lines.map(({ x1, y1, x2, y2 }) =>
        lineOf(
          upright({ x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }),
        ),
      ),
    ],
    back: (box) => fromUpright(scaled(box, 1 / scale), turn, page),
  };
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

function lineOf({ x, y, width, height }: Box): RuledLine {
  return { x1: x, y1: y, x2: x + width, y2: y + height };
}

function mainTurn(texts: readonly TextBox[]): Turn {
  const characters = new Map<Turn, number>();
  for (const text of texts) characters.set(turnOf(text), (characters.get(turnOf(text)) ?? 0) + text.text.length);
  return [...characters].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0;
}

/** Parts a text at leaders, and between figures. */
function piecesOf(piece: Piece): Piece[] {
  if (piece.isTurned) return [piece];
  return partedAt(piece, LEADER).flatMap((part) =>
    FIGURES.test(part.text) ? partedAt(part, BETWEEN_FIGURES) : [part],
  );
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

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
