import type { Box } from "../box.ts";
import type { Random } from "../../random.ts";
import { textCentred, type Surface, type TextStyle } from "../surface.ts";

const CALLOUT: TextStyle = { face: "regular", size: 8 };

/**
 * Parts as outlines, apart from each other, each with its number at the end of a line that leads to it. Answers where
 * on the surface the numbers are.
 */
export function drawExplodedView(
  surface: Surface,
  { x, y, width, height }: Box,
  { callouts, random, balloons }: { callouts: readonly string[]; random: Random; balloons: boolean },
): { ref: string; box: Box }[] {
  const columns = Math.max(1, Math.round(Math.sqrt((callouts.length * width) / height)));
  const rows = Math.ceil(callouts.length / columns);
  const cell = { width: width / columns, height: height / rows };
  // What they have in common: the axis along which they come apart.
  for (let dash = 0; dash < 24; dash += 2)
    surface.line(
      x + (width * dash) / 24,
      y + (height * dash) / 24,
      x + (width * (dash + 1)) / 24,
      y + (height * (dash + 1)) / 24,
      0.3,
    );
  return callouts.map((callout, index) => {
    const centre = {
      x: x + ((index % columns) + 0.4) * cell.width,
      y: y + (Math.floor(index / columns) + 0.6) * cell.height,
    };
    const radius = Math.min(cell.width, cell.height) * (0.2 + random.integer(0, 10) / 100);
    random.pick(OUTLINES)(surface, centre, radius, random);
    const end = {
      x: x + ((index % columns) + 0.86) * cell.width,
      y: y + (Math.floor(index / columns) + 0.16) * cell.height,
    };
    surface.line(centre.x + radius * 0.5, centre.y - radius * 0.5, end.x - 5, end.y + 5, 0.4);
    if (balloons) surface.circle(end.x, end.y, 7, { fill: "#ffffff" });
    return { ref: callout, box: textCentred(surface, callout, end.x, end.y - CALLOUT.size / 2, CALLOUT) };
  });
}

interface Point {
  x: number;
  y: number;
}

type Outline = (surface: Surface, centre: Point, radius: number, random: Random) => void;

const ring = ({ x, y }: Point, radius: number, corners: number, squash = 1): [number, number][] =>
  Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * squash * Math.sin(angle)];
  });

const washer: Outline = (surface, centre, radius) => {
  surface.circle(centre.x, centre.y, radius);
  surface.circle(centre.x, centre.y, radius * 0.45);
};

const bolt: Outline = (surface, centre, radius) => {
  surface.polygon(ring(centre, radius * 0.6, 6));
  for (let turn = 0; turn < 5; turn += 1)
    surface.line(
      centre.x - radius * 0.3,
      centre.y + radius * (0.6 + turn * 0.15),
      centre.x + radius * 0.3,
      centre.y + radius * (0.66 + turn * 0.15),
      0.4,
    );
  surface.line(centre.x - radius * 0.3, centre.y + radius * 0.5, centre.x - radius * 0.3, centre.y + radius * 1.3);
  surface.line(centre.x + radius * 0.3, centre.y + radius * 0.5, centre.x + radius * 0.3, centre.y + radius * 1.3);
};

const gear: Outline = (surface, centre, radius, random) => {
  const teeth = random.integer(10, 22);
  surface.polygon(
    ring(centre, radius, teeth * 2).map(([x, y], corner) =>
      corner % 2 === 0 ? [x, y] : [centre.x + (x - centre.x) * 0.8, centre.y + (y - centre.y) * 0.8],
    ),
  );
  surface.circle(centre.x, centre.y, radius * 0.3);
};

const housing: Outline = (surface, { x, y }, radius) => {
  surface.polygon([
    [x - radius, y - radius * 0.5],
    [x + radius * 0.6, y - radius * 0.5],
    [x + radius * 0.6, y + radius],
    [x - radius, y + radius],
  ]);
  surface.polygon([
    [x - radius, y - radius * 0.5],
    [x - radius * 0.6, y - radius],
    [x + radius, y - radius],
    [x + radius * 0.6, y - radius * 0.5],
  ]);
  surface.polygon([
    [x + radius * 0.6, y - radius * 0.5],
    [x + radius, y - radius],
    [x + radius, y + radius * 0.5],
    [x + radius * 0.6, y + radius],
  ]);
  surface.circle(x - radius * 0.2, y + radius * 0.2, radius * 0.35);
};

const spring: Outline = (surface, centre, radius) => {
  for (let coil = 0; coil < 6; coil += 1)
    surface.polygon(ring({ x: centre.x, y: centre.y - radius + coil * radius * 0.4 }, radius * 0.5, 16, 0.35));
};

const OUTLINES: readonly Outline[] = [washer, bolt, gear, housing, spring];
