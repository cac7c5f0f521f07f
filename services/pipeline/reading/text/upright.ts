import type { Box, PageContent, TextBox } from "../page.ts";

/** Degrees clockwise, to the nearest quarter. */
export type Turn = 0 | 90 | 180 | 270;

type Size = Pick<PageContent, "width" | "height">;

export function turnOf({ angle }: Pick<TextBox, "angle">): Turn {
  return ((((Math.round(angle / 90) % 4) + 4) % 4) * 90) as Turn;
}

/** Turns a box so that text of this turn is upright. */
export function toUpright({ x, y, width, height }: Box, turn: Turn, page: Size): Box {
  switch (turn) {
    case 0:
      return { x, y, width, height };
    case 90:
      return { x: y, y: page.width - x - width, width: height, height: width };
    case 180:
      return { x: page.width - x - width, y: page.height - y - height, width, height };
    case 270:
      return { x: page.height - y - height, y: x, width: height, height: width };
  }
}

export function fromUpright({ x, y, width, height }: Box, turn: Turn, page: Size): Box {
  switch (turn) {
    case 0:
      return { x, y, width, height };
    case 90:
      return { x: page.width - y - height, y: x, width: height, height: width };
    case 180:
      return { x: page.width - x - width, y: page.height - y - height, width, height };
    case 270:
      return { x: y, y: page.height - x - width, width: height, height: width };
  }
}
