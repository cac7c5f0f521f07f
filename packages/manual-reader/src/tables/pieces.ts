import { type Box, getMiddle, type PageContent, usualSize } from "../page.ts";
import { fromUpright, turnedPage, getTurn, type Turn, visibleTexts } from "../text/directions.ts";
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

/** The page turned so that text of this turn is upright, and how a box is turned back. */
export function uprightPage(page: PageContent, turn: Turn) {
  const turned = turnedPage(page, turn);
  const visible = visibleTexts(turned);
  const scale = USUAL_SIZE / (usualSize(visible) || USUAL_SIZE);
  return {
    pieces: withBullets(
      visible.flatMap(({ text, fontSize, isBold, ...place }) =>
        splitPieces({
          ...scaled(place, scale),
          text: text.trim(),
          fontSize: fontSize * scale,
          isBold,
          isTurned: getTurn(place) !== 0,
        }),
      ),
    ),
    lines: turned.lines.map((line) => scaled(line, scale)),
    back: (box: Box) => fromUpright(scaled(box, 1 / scale), turn, page),
  };
}

function scaled({ x, y, width, height }: Box, factor: number): Box {
  return { x: x * factor, y: y * factor, width: width * factor, height: height * factor };
}

const BULLET = /^[\u2022\u25cf\u25cb\u25a0\u25a1\u25aa\u25b8\u25ba\u2023\u2043\u27a2\uf0b7\uf0a7]$/;
/** Times the font size, between a bullet and its text. */
const BULLET_GAP = 3;

/** Joins a bullet with the text that it stands before; several in a line are marks in columns. */
function withBullets(pieces: Piece[]): Piece[] {
  const bullets = pieces.filter(({ text, isTurned }) => !isTurned && BULLET.test(text));
  const used = new Set<Piece>();
  const joined = new Map<Piece, Piece>();
  for (const bullet of bullets) {
    const isBeside = (piece: Piece): boolean =>
      piece !== bullet && Math.abs(getMiddle(piece) - getMiddle(bullet)) < HALF * bullet.height;
    if (bullets.some(isBeside)) continue;
    const measureGap = ({ x }: Piece): number => x - bullet.x - bullet.width;
    const next = pieces
      .filter((piece) => isBeside(piece) && measureGap(piece) > -1 && measureGap(piece) < BULLET_GAP * piece.fontSize)
      .sort((left, right) => left.x - right.x)[0];
    if (!next || !/^[\p{L}\p{N}(]/u.test(next.text)) continue;
    used.add(bullet);
    joined.set(next, {
      ...next,
      text: `${bullet.text} ${next.text}`,
      x: bullet.x,
      width: next.x + next.width - bullet.x,
    });
  }
  return used.size === 0 ? pieces : pieces.flatMap((piece) => (used.has(piece) ? [] : [joined.get(piece) ?? piece]));
}

/** Of a bullet's height, between lines. */
const HALF = 0.5;

/** Parts a text at leaders. */
function splitPieces(piece: Piece): Piece[] {
  if (piece.isTurned) return [piece];
  const leaders = [...piece.text.matchAll(LEADER)].map(
    ({ 0: leader, index }) => [index, index + leader.length] as const,
  );
  return [...leaders, [piece.text.length] as const].flatMap(
    ([end], n) => cutStretch(piece, leaders[n - 1]?.[1] ?? 0, end) ?? [],
  );
}

/** Its characters at equal widths; undefined if blank. */
export function cutStretch(piece: Piece, from: number, to: number): Piece | undefined {
  const raw = piece.text.slice(from, to);
  const text = raw.trim();
  if (text === "") return undefined;
  const start = from + (raw.length - raw.trimStart().length);
  const step = piece.width / piece.text.length;
  return { ...piece, text, x: piece.x + start * step, width: text.length * step };
}
