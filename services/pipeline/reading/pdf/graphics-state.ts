import type { Box } from "../page.ts";
import type { Matrix } from "./matrix.ts";
import type { Color } from "./painted.ts";

/** What is used of a font of pdf.js. */
export interface Font {
  /** Of the font program, `ABCDEF+Helvetica-Bold` say. */
  name?: string;
  vertical?: boolean;
  isType3Font?: boolean;
  fontMatrix?: number[];
  bbox?: number[];
}

export interface Glyph {
  unicode: string;
  width: number;
  isSpace: boolean;
  vmetric?: number[] | null;
}

/** Which layers of the document are shown. */
export interface LayerVisibility {
  isVisible(group: unknown): boolean;
}

export interface GraphicsState {
  matrix: Matrix;
  /** What of the page can be seen, as a box. */
  visible: Box;
  fill: Color;
  stroke: Color;
  fillAlpha: number;
  strokeAlpha: number;
  /** Of the groups round it. */
  groupAlpha: number;
  /** Paint is mixed with what is there, or masked. */
  isMixed: boolean;
  font: Font | undefined;
  fontSize: number;
  characterSpacing: number;
  wordSpacing: number;
  /** Of the letters' widths; 1 is natural. */
  stretch: number;
  leading: number;
  rise: number;
  mode: number;
}

const BLACK: Color = [0, 0, 0];

export function initialState(matrix: Matrix, visible: Box): GraphicsState {
  return {
    matrix,
    visible,
    fill: BLACK,
    stroke: BLACK,
    fillAlpha: 1,
    strokeAlpha: 1,
    groupAlpha: 1,
    isMixed: false,
    font: undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  };
}

/** pdf.js writes colours as #rrggbb. */
export function colorOf(text: unknown): Color {
  if (typeof text !== "string" || !/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const number = Number.parseInt(text.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

export function isBold({ name = "" }: Font): boolean {
  return /bold|black|heavy|demi/i.test(name);
}

/** How tall a font of size 1 is in the space of the text; it is 1 for all but fonts that are drawings of their own. */
export function heightOf({ isType3Font, fontMatrix, bbox }: Font): number {
  if (!isType3Font || !fontMatrix) return 1;
  const tall = Math.abs((bbox?.[3] ?? 0) - (bbox?.[1] ?? 0)) || 1_000;
  return tall * Math.abs(fontMatrix[3] ?? 0.001);
}
