import { createHash } from "node:crypto";
import { drawGear } from "./gear-drawing.ts";
import { randomFrom } from "./random.ts";
import { encodePng } from "./png.ts";

const WIDTH = 200;
const HEIGHT = 150;

/** What the media service knows an image by is the hash of what it was sent: a link can be told before it is there. */
export interface SandboxPicture {
  /** SHA-256 of the PNG, in lower-case hex. */
  id: string;
  png: Buffer;
}

const drawn = new Map<string, SandboxPicture>();

/** The picture of a category of parts: all parts of one share it, as in many a supplier's catalog. */
export function pictureOf(category: string): SandboxPicture {
  const known = drawn.get(category);
  if (known) return known;
  const random = randomFrom(`picture ${category}`);
  const hue = random.integer(0, 359);
  const gear = drawGear({
    width: WIDTH,
    height: HEIGHT,
    teeth: random.integer(6, 14),
    bore: random.integer(8, 20),
    spokes: random.integer(3, 6),
  });
  const png = encodePng({ width: WIDTH, height: HEIGHT, pixels: gear.pixels, palette: shades(hue, gear.shades) });
  const picture = { id: createHash("sha256").update(png).digest("hex"), png };
  drawn.set(category, picture);
  return picture;
}

/** From a light ground to a strong colour of the same hue. */
function shades(hue: number, count: number): [number, number, number][] {
  return Array.from({ length: count }, (_, index) => {
    const strength = index / (count - 1);
    return [0, 120, 240].map((offset) => {
      const wave = 0.5 + 0.5 * Math.cos(((hue - offset) * Math.PI) / 180);
      return Math.round(255 * ((1 - strength) * (0.92 + 0.06 * wave) + strength * (0.15 + 0.45 * wave)));
    }) as [number, number, number];
  });
}
