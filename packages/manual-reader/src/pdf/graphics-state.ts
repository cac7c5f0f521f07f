import type { Box } from "../page.ts";
import type { Matrix } from "./matrix.ts";
import type { Color } from "./painted.ts";

export interface Font {
  /** Of the font program: `ABCDEF+Helvetica-Bold`. */
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

export interface LayerVisibility {
  isVisible(group: unknown): boolean;
}

export type GraphicsState = ReturnType<typeof initialState>;

export function initialState(matrix: Matrix, visible: Box) {
  return {
    matrix,
    /** The clip, as a box. */
    visible,
    fill: [0, 0, 0] as Color,
    stroke: [0, 0, 0] as Color,
    fillAlpha: 1,
    strokeAlpha: 1,
    lineWidth: 1,
    /** Of the groups around. */
    groupAlpha: 1,
    /** Blended or masked. */
    isMixed: false,
    font: undefined as Font | undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    /** Of the letters' widths. */
    stretch: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  };
}

/** From #rrggbb. */
export function parseColor(text: unknown): Color {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(String(text))?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  return blue === undefined ? undefined : [red!, green!, blue];
}

export function isBold({ name = "" }: Font): boolean {
  return /bold|black|heavy|demi/i.test(name);
}

/** Height of size 1; not 1 for Type 3 fonts. */
export function measureHeight({ isType3Font, fontMatrix, bbox }: Font): number {
  if (!isType3Font || !fontMatrix) return 1;
  const tall = Math.abs((bbox?.[3] ?? 0) - (bbox?.[1] ?? 0)) || 1_000;
  return tall * Math.abs(fontMatrix[3] ?? 0.001);
}
