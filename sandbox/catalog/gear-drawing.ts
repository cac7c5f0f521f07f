export interface Gear {
  width: number;
  height: number;
  teeth: number;
  /** Radius of the hole. */
  bore: number;
  spokes: number;
}

/** Shades that an edge is softened with. */
const SHADES = 16;
const RIM = 52;
const WALL = 16;
const TOOTH = 9;
const HUB = 11;
const SPOKE = 6;

/** A gear in the middle of a picture: a shade from 0 (ground) to `shades` - 1 for each pixel. */
export function drawGear({ width, height, teeth, bore, spokes }: Gear): { pixels: Uint8Array; shades: number } {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dx = x - width / 2;
      const dy = y - height / 2;
      const radius = Math.sqrt(dx * dx + dy * dy);
      if (radius > RIM + TOOTH + 1 || radius < bore - 1) continue;
      const angle = Math.atan2(dy, dx);
      // Distances to the nearest edge, negative inside: what is drawn is the union of rim, hub and spokes.
      const outer = RIM + (Math.cos(angle * teeth) > 0 ? TOOTH : 0);
      const rim = Math.max(radius - outer, RIM - WALL - radius);
      const hub = radius - bore - HUB;
      const spoke = Math.max(Math.abs(Math.sin((angle * spokes) / 2)) * ((radius * 2) / spokes) - SPOKE, radius - RIM);
      const coverage = Math.min(1, Math.max(0, 0.5 - Math.max(Math.min(rim, hub, spoke), bore - radius)));
      pixels[y * width + x] = Math.round(coverage * (SHADES - 1));
    }
  }
  return { pixels, shades: SHADES };
}
