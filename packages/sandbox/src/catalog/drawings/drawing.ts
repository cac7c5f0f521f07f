/** Light, middle and dark of what parts are made of. */
const MATERIALS = {
  steel: ["#f7f9fa", "#bcc4cc", "#7d8791"],
  aluminium: ["#ffffff", "#d6dbe0", "#a0a9b2"],
  cast: ["#9aa2aa", "#646c75", "#3b4249"],
  black: ["#6b737b", "#33383e", "#15181b"],
  rubber: ["#5a5e63", "#2e3134", "#191b1d"],
  zinc: ["#fbf3d6", "#d9c68a", "#a08a4c"],
  brass: ["#fbe9ae", "#d2a94a", "#8f6a1d"],
  copper: ["#f6c9a4", "#c47a46", "#7d4520"],
  ceramic: ["#ffffff", "#f0f1f2", "#c9ced3"],
  paper: ["#fdf6e0", "#ecdcae", "#c6b07a"],
  composite: ["#a9a59b", "#7b776e", "#55524b"],
  red: ["#f4786c", "#cf3325", "#8c1a10"],
  orange: ["#ffb066", "#ea7317", "#a74c08"],
  yellow: ["#ffe27a", "#f2bf1d", "#b98a06"],
  green: ["#6fc48d", "#237a45", "#11502a"],
  blue: ["#78aef0", "#2867b8", "#153f7a"],
  brown: ["#b58a68", "#7c5235", "#4c301c"],
  foam: ["#7d7a74", "#55524c", "#3a3833"],
  white: ["#ffffff", "#eef0f2", "#c4cad0"],
  clear: ["#ffffff", "#e9eff3", "#c3d0d8"],
} as const;

export type Material = keyof typeof MATERIALS;

/**
 * Gradients from corner to corner (d), top to bottom (v), round a standing (h) or lying (l) cylinder, and of a ball
 * (r).
 */
type Shading = "d" | "v" | "h" | "l" | "r";

const SIDE = 480;
const EDGE = `stroke="#11181f" stroke-opacity=".38" stroke-width="1.6" stroke-linejoin="round"`;

const createStops = (colours: readonly [offset: number, colour: string][]): string =>
  colours.map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`).join("");

function createGradient(material: Material, shading: Shading): string {
  const [light, middle, dark] = MATERIALS[material];
  const id = `id="${material}-${shading}"`;
  const round = createStops([
    [0, dark],
    [0.1, middle],
    [0.32, light],
    [0.6, middle],
    [1, dark],
  ]);
  const flat = createStops([
    [0, light],
    [0.5, middle],
    [1, dark],
  ]);
  switch (shading) {
    case "d":
      return `<linearGradient ${id} x2="1" y2="1">${flat}</linearGradient>`;
    case "v":
      return `<linearGradient ${id} x2="0" y2="1">${flat}</linearGradient>`;
    case "h":
      return `<linearGradient ${id}>${round}</linearGradient>`;
    case "l":
      return `<linearGradient ${id} x2="0" y2="1">${round}</linearGradient>`;
    case "r":
      return `<radialGradient ${id} cx=".36" cy=".3" r=".8">${flat}</radialGradient>`;
  }
}

const FILL = /url\(#(\w+)-([dvhlr])\)/g;

/** Puts a drawing on white, with its gradients, over a soft shadow at the height `floor`. */
export function createPicture(body: string, floor = 400, width = 170): string {
  const fills = new Set([...body.matchAll(FILL)].map(([, material, shading]) => `${material} ${shading}`));
  const gradients = [...fills].map((fill) => createGradient(...(fill.split(" ") as [Material, Shading]))).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}"><defs>${gradients}` +
    `<radialGradient id="shadow"><stop stop-color="#1b2530" stop-opacity=".34"/>` +
    `<stop offset=".55" stop-color="#1b2530" stop-opacity=".13"/><stop offset="1" stop-color="#1b2530" stop-opacity="0"/>` +
    `</radialGradient></defs><rect width="${SIDE}" height="${SIDE}" fill="#fff"/>` +
    `<ellipse cx="240" cy="${floor}" rx="${width}" ry="${Math.round(width / 9)}" fill="url(#shadow)"/>${body}</svg>`
  );
}

export const fill = (material: Material, shading: Shading = "d"): string =>
  `fill="url(#${material}-${shading})" ${EDGE}`;

/** Draws a shape by its path. */
export const drawPath = (d: string, paint: string): string => `<path d="${d}" ${paint}/>`;
export const drawEllipse = (x: number, y: number, rx: number, ry: number, paint: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" ${paint}/>`;
export const drawDisc = (x: number, y: number, r: number, paint: string): string => drawEllipse(x, y, r, r, paint);
export const drawBox = (x: number, y: number, w: number, h: number, r: number, paint: string): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" ${paint}/>`;
/** Draws a line; `more` has further attributes. */
export const drawLine = (d: string, width: number, colour: string, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${more}/>`;
/** The dark of a hole. */
export const HOLE = `fill="#1a1f24"`;
export const fillBlack = (opacity: number): string => `fill="#0c1217" fill-opacity="${opacity}"`;
export const fillWhite = (opacity: number): string => `fill="#fff" fill-opacity="${opacity}"`;

export const turn = (degrees: number, body: string, x = 240, y = 240): string =>
  `<g transform="rotate(${degrees} ${x} ${y})">${body}</g>`;
export const scale = (factor: number, body: string, x = 240, y = 240): string =>
  `<g transform="translate(${x} ${y}) scale(${factor}) translate(${-x} ${-y})">${body}</g>`;
export const move = (x: number, y: number, body: string): string => `<g transform="translate(${x} ${y})">${body}</g>`;
export const mirror = (body: string): string => `<g transform="matrix(-1 0 0 1 480 0)">${body}</g>`;
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");
/** Draws the same round a centre. */
export const repeatAround = (count: number, body: string, x = 240, y = 240, first = 0): string =>
  repeat(count, (index) => turn(first + (index * 360) / count, body, x, y));

/** A cylinder that stands, seen a little from above; `y` is its upper rim. */
export const drawCan = (x: number, y: number, rx: number, height: number, material: Material, ry = rx * 0.26): string =>
  drawPath(`M${x - rx} ${y}v${height}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-height}z`, fill(material, "h")) +
  drawEllipse(x, y, rx, ry, fill(material, "d"));

/** A cylinder that lies, its right end seen. */
export const drawTube = (x: number, y: number, length: number, ry: number, material: Material, rx = ry * 0.3): string =>
  drawPath(`M${x} ${y - ry}h${length}v${2 * ry}h${-length}a${rx} ${ry} 0 0 1 0 ${-2 * ry}z`, fill(material, "l")) +
  drawEllipse(x + length, y, rx, ry, fill(material, "d"));

/** A ring seen from the front. */
export const drawRing = (x: number, y: number, outer: number, inner: number, paint: string): string =>
  drawPath(
    `M${x - outer} ${y}a${outer} ${outer} 0 1 0 ${2 * outer} 0a${outer} ${outer} 0 1 0 ${-2 * outer} 0z` +
      `M${x - inner} ${y}a${inner} ${inner} 0 1 1 ${2 * inner} 0a${inner} ${inner} 0 1 1 ${-2 * inner} 0z`,
    `${paint} fill-rule="evenodd"`,
  );

/** A hexagon, flat above. */
export const drawHexagon = (x: number, y: number, r: number, paint: string): string =>
  drawPath(
    repeat(6, (index) => {
      const angle = (index * Math.PI) / 3;
      return `${index === 0 ? "M" : "L"}${round(x + r * Math.cos(angle))} ${round(y + r * Math.sin(angle))}`;
    }) + "z",
    paint,
  );

/** Outline of a gear or of anything with teeth. */
export const shapeTeeth = (x: number, y: number, count: number, outer: number, inner: number): string =>
  repeat(count, (index) => {
    const step = (2 * Math.PI) / count;
    return [
      [0.04, inner],
      [0.2, outer],
      [0.5, outer],
      [0.66, inner],
    ]
      .map(([part = 0, radius = 0], corner) => {
        const angle = (index + part) * step;
        const letter = index === 0 && corner === 0 ? "M" : "L";
        return `${letter}${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`;
      })
      .join("");
  }) + "z";

const round = (value: number): number => Math.round(value * 10) / 10;

/** A hose, a wire or a rod along a path, lit from above. */
export function drawHose(d: string, width: number, material: Material): string {
  const [light, middle, dark] = MATERIALS[material];
  const raise = (part: number, body: string): string => move(0, -width * part, body);
  return (
    drawLine(d, width + 1.6, "#2b3138") +
    drawLine(d, width, dark) +
    raise(0.08, drawLine(d, width * 0.72, middle)) +
    raise(0.2, drawLine(d, width * 0.22, light))
  );
}
