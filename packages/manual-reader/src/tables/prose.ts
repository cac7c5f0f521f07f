import { NARROWEST_GUTTER } from "../text/blocks.ts";
import type { Piece, Rows } from "./pieces.ts";

/** A line's text without gaps. */
interface Stretch extends Piece {
  pieces: Piece[];
  words: number;
}

/** Times the font size: widest justified space, leading and indent. */
const JUSTIFIED_GAP = 0.9;
const LEADING = 2;
const INDENT = 4;
const LEAST_LINES = 3;
/** Per line; of a narrow column whose lines go on in small letters. */
const LEAST_WORDS = 5;
const LEAST_WORDS_GOING_ON = 3;
/** Of the lines. */
const GOING_ON = 0.3;

/** Lines of many words with one margin. */
export function prosePieces(rows: Rows): Set<Piece> {
  const stacks: Stretch[][] = [];
  for (const stretch of rows.flatMap(splitStretches)) {
    const stack = stacks.findLast((candidate) => continues(candidate.at(-1)!, stretch));
    if (stack) stack.push(stretch);
    else stacks.push([stretch]);
  }
  return new Set(
    stacks
      .filter(isProse)
      .flat()
      .flatMap(({ pieces }) => pieces),
  );
}

/** Finds where columns of prose are apart: the middle of each strip that none of its lines enters. */
export function findGutters(prose: readonly Piece[]): number[] {
  const gutters: number[] = [];
  const pieces = prose.toSorted((first, second) => first.x - second.x);
  let right = pieces[0]?.x ?? 0;
  for (const { x, width } of pieces) {
    if (x - right >= NARROWEST_GUTTER) gutters.push((x + right) / 2);
    right = Math.max(right, x + width);
  }
  return gutters;
}

function splitStretches(row: readonly Piece[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const piece of row) {
    const last = stretches.at(-1);
    if (last && piece.x - last.x - last.width < JUSTIFIED_GAP * piece.fontSize) {
      last.pieces.push(piece);
      last.width = piece.x + piece.width - last.x;
      last.words += wordsIn(piece);
    } else stretches.push({ ...piece, pieces: [piece], words: wordsIn(piece) });
  }
  return stretches;
}

function continues(above: Stretch, below: Stretch): boolean {
  const size = Math.max(above.fontSize, below.fontSize);
  const drop = below.y - above.y;
  return (
    drop > 0 &&
    drop < LEADING * size &&
    Math.abs(above.fontSize - below.fontSize) < 0.2 * size &&
    Math.abs(above.x - below.x) < INDENT * size
  );
}

function isProse(stack: readonly Stretch[]): boolean {
  const words = stack.reduce((sum, stretch) => sum + stretch.words, 0);
  const goingOn = stack.filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  const least = goingOn >= GOING_ON * stack.length ? LEAST_WORDS_GOING_ON : LEAST_WORDS;
  if (stack.length < LEAST_LINES || words < least * stack.length) return false;
  // Lines but the last reach the other margin.
  const widest = Math.max(...stack.map(({ width }) => width));
  const long = stack.filter(({ width }) => width > 0.75 * widest).length;
  return long >= 0.5 * stack.length;
}

function wordsIn({ text }: Piece): number {
  return text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length;
}
