import type { Box } from "./box.ts";

export type Face = "regular" | "bold" | "italic";

export interface TextStyle {
  face: Face;
  /** Points. */
  size: number;
  color?: string;
}

/** A surface that a page is drawn on, in points from the top left corner: a page of the PDF, or a picture on one. */
export interface Surface {
  readonly width: number;
  readonly height: number;
  /** One line of text whose top left corner is (x, y). Answers where a person sees it on the page. */
  text(text: string, x: number, y: number, style: TextStyle): Box;
  widthOf(text: string, style: TextStyle): number;
  line(x1: number, y1: number, x2: number, y2: number, thickness?: number): void;
  rect(x: number, y: number, width: number, height: number, look: { fill?: string; stroke?: string }): void;
  polygon(points: readonly (readonly [x: number, y: number])[]): void;
  circle(x: number, y: number, radius: number, look?: { fill?: string }): void;
}

/** Computes the height of a line of text, in points. */
export function lineHeight({ size }: TextStyle): number {
  return size * 1.18;
}

/** Breaks a text at its spaces, and where it has line feeds. */
export function wrap(surface: Surface, text: string, width: number, style: TextStyle): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(" ")) {
      const last = lines.at(-1);
      if (last !== undefined && surface.widthOf(`${last} ${word}`, style) <= width)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}

/** A paragraph; answers the y below it. */
export function paragraph(
  surface: Surface,
  text: string,
  { x, y, width, style }: { x: number; y: number; width: number; style: TextStyle },
): number {
  const lines = wrap(surface, text, width, style);
  lines.forEach((line, index) => surface.text(line, x, y + index * lineHeight(style), style));
  return y + lines.length * lineHeight(style);
}

/** Text whose right edge is at `right`. */
export function textRight(surface: Surface, text: string, right: number, y: number, style: TextStyle): Box {
  return surface.text(text, right - surface.widthOf(text, style), y, style);
}

export function textCentred(surface: Surface, text: string, centre: number, y: number, style: TextStyle): Box {
  return surface.text(text, centre - surface.widthOf(text, style) / 2, y, style);
}
