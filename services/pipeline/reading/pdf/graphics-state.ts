import { areaOf, type Box, holds } from "../page.ts";
import { type Matrix, overlap } from "./matrix.ts";

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
export function colorOf(text: unknown): Color {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(String(text))?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  return blue === undefined ? undefined : [red!, green!, blue];
}

export function isBold({ name = "" }: Font): boolean {
  return /bold|black|heavy|demi/i.test(name);
}

/** Height of size 1; not 1 for Type 3 fonts. */
export function heightOf({ isType3Font, fontMatrix, bbox }: Font): number {
  if (!isType3Font || !fontMatrix) return 1;
  const tall = Math.abs((bbox?.[3] ?? 0) - (bbox?.[1] ?? 0)) || 1_000;
  return tall * Math.abs(fontMatrix[3] ?? 0.001);
}

/** 0 to 255; undefined for a pattern or picture. */
export type Color = readonly [number, number, number] | undefined;

interface Painted {
  box: Box;
  color: Color;
  /** Fills its box, opaquely. */
  isOpaque: boolean;
  order: number;
}

/** In one channel. */
const LEAST_CONTRAST = 20;
/** Points; smaller areas are no background. */
const SMALLEST_AREA = 3;
const WHITE: Color = [255, 255, 255];

export type PaintedAreas = ReturnType<typeof createPaintedAreas>;

/** Painted areas in order, to see which text is visible. */
export function createPaintedAreas() {
  const areas: Painted[] = [];
  let last = 0;

  return { next, add, hasContrast, isCovered };

  function next(): number {
    return (last += 1);
  }

  function add(box: Box, color: Color, isOpaque: boolean): void {
    if (box.width >= SMALLEST_AREA && box.height >= SMALLEST_AREA) areas.push({ box, color, isOpaque, order: next() });
  }

  function hasContrast(box: Box, color: Color): boolean {
    const behind = areas.findLast((painted) => holds(painted.box, box));
    return behind?.isOpaque === false || differs(color, behind ? behind.color : WHITE);
  }

  /** Whether later paint covers it. */
  function isCovered(box: Box, order: number): boolean {
    const later = areas.slice(areas.findLastIndex((painted) => painted.order < order) + 1);
    return later.some(({ box: own, isOpaque }) => isOpaque && areaOf(overlap(own, box)) >= 0.9 * areaOf(box));
  }
}

function differs(one: Color, other: Color): boolean {
  return (
    one === undefined ||
    other === undefined ||
    one.some((channel, n) => Math.abs(channel - other[n]!) >= LEAST_CONTRAST)
  );
}
