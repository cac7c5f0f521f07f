import {
  createPicture,
  drawBox,
  drawCan,
  drawDisc,
  drawEllipse,
  drawLine,
  drawPath,
  drawTube,
  fill,
  fillBlack,
  fillWhite,
  HOLE,
  type Material,
  repeat,
  turn,
} from "./drawing.ts";

function drawCartridge(r: number, height: number, paper: Material, rim: Material): string {
  const y = 240 - height / 2;
  const ry = r * 0.3;
  const pleats = repeat(27, (i) => {
    const x = 240 - r * 0.93 * Math.cos((Math.PI * (i + 0.5)) / 27);
    const dy = ry * Math.sin((Math.PI * (i + 0.5)) / 27);
    return drawLine(`M${x} ${y + 16 + dy}v${height - 22}`, 2, i % 2 ? "#8d7438" : "#c9b06c", ' stroke-opacity=".55"');
  });
  return (
    drawCan(240, y + height - 10, r + 6, 20, rim, ry) +
    drawCan(240, y + 10, r - 3, height - 12, paper, ry) +
    pleats +
    drawCan(240, y - 8, r + 6, 20, rim, ry) +
    drawEllipse(240, y - 8, r * 0.55, ry * 0.55, fillBlack(0.55)) +
    drawEllipse(240, y - 4, r * 0.5, ry * 0.45, fill(paper, "v"))
  );
}

function drawPanel(frame: Material, paper: Material = "paper"): string {
  const top = "M92 250 276 168 408 232 224 326z";
  return (
    drawPath("M92 250v34l132 78v-36z", fill(frame, "v")) +
    drawPath("M408 232v34L224 362v-36z", fill(frame, "d")) +
    drawPath(top, fill(frame, "d")) +
    drawPath("M116 250 275 180 384 233 225 311z", fill(paper, "d")) +
    repeat(19, (i) => {
      const t = (i + 0.5) / 19;
      return drawLine(
        `M${116 + 159 * t} ${250 - 70 * t}l109 ${61 - 8 * t}`,
        2.4,
        i % 2 ? "#6f5c2d" : "#fff8e2",
        ' stroke-opacity=".5"',
      );
    })
  );
}

const drawStadium = (y: number, rx: number, ry: number): string =>
  `M${240 - rx} ${y}c0 ${-ry * 1.3} ${2 * rx} ${-ry * 1.3} ${2 * rx} 0s${-2 * rx} ${ry * 1.3} ${-2 * rx} 0z`;

function drawOvalFilter(paper: Material, rim: Material): string {
  return (
    drawPath("M70 268v40c0 70 340 70 340 0v-40z", fill(rim, "h")) +
    drawPath("M80 210v78c0 64 320 64 320 0v-78z", fill(paper, "h")) +
    repeat(37, (i) => {
      const a = (Math.PI * (i + 0.5)) / 37;
      const x = 240 - 158 * Math.cos(a);
      return drawLine(
        `M${x} ${214 + 46 * Math.sin(a)}v70`,
        2.2,
        i % 2 ? "#8d7438" : "#fff6da",
        ' stroke-opacity=".55"',
      );
    }) +
    drawPath("M70 182v26c0 70 340 70 340 0v-26z", fill(rim, "h")) +
    drawPath(drawStadium(182, 170, 54), fill(rim, "d")) +
    drawPath(drawStadium(184, 104, 28), fillBlack(0.6)) +
    drawPath(drawStadium(190, 98, 22), fill(paper, "v"))
  );
}

const drawWrap = (): string =>
  drawPath("M76 222v66c0 66 328 66 328 0v-66c0 62-328 62-328 0z", fill("foam", "h")) +
  repeat(46, (i) =>
    drawDisc(
      90 + ((i * 53) % 300),
      268 + ((i * 29) % 52) - Math.abs(90 + ((i * 53) % 300) - 240) * 0.14,
      2.2,
      fillBlack(0.35),
    ),
  );

function drawSleeve(foam: Material): string {
  const pores = repeat(90, (i) => {
    const x = 84 + ((i * 61.8) % 312);
    const bend = 44 * Math.sqrt(1 - ((x - 240) / 165) ** 2);
    return drawDisc(x, 212 + bend + ((i * 37) % 84), 2 + (i % 3) * 0.5, fillBlack(0.28));
  });
  return (
    drawPath("M74 196v100c0 66 332 66 332 0V196z", fill(foam, "h")) +
    pores +
    drawPath(drawStadium(196, 166, 52), fill(foam, "d")) +
    drawPath(drawStadium(198, 132, 34), fillBlack(0.72)) +
    drawPath("M112 206c20 26 236 26 256 0-10-34-246-34-256 0z", fill(foam, "v"))
  );
}

function drawInline(body: Material, ends: Material): string {
  return (
    drawTube(60, 240, 66, 15, ends) +
    drawEllipse(94, 240, 5, 18, fill(ends, "v")) +
    drawTube(120, 240, 34, 44, ends, 14) +
    drawTube(146, 240, 180, 70, body, 22) +
    (body === "clear"
      ? drawBox(176, 188, 116, 104, 10, fill("paper", "l")) +
        repeat(11, (i) => drawLine(`M${182 + i * 10.4} 192v96`, 2, "#a58c4a")) +
        drawBox(150, 176, 172, 22, 10, fillWhite(0.65))
      : drawBox(170, 216, 120, 40, 4, fillBlack(0.12)) + drawLine("M182 236h70", 5, "#4c555e")) +
    drawTube(322, 240, 28, 44, ends, 14) +
    drawTube(350, 240, 66, 15, ends) +
    drawEllipse(384, 240, 5, 18, fill(ends, "v"))
  );
}

function drawSpinOn(colour: Material, height: number): string {
  const y = 232 - height / 2;
  return (
    drawPath(`M136 ${y + 22}v${height - 40}c0 40 36 52 104 52s104-12 104-52v${40 - height}z`, fill(colour, "h")) +
    repeat(16, (i) => {
      const a = (Math.PI * (i + 0.5)) / 16;
      return drawLine(
        `M${240 - 104 * Math.cos(a)} ${y + height - 44 + 24 * Math.sin(a)}v26`,
        3,
        "#0c1217",
        ' stroke-opacity=".16"',
      );
    }) +
    drawPath(
      `M136 ${y + height * 0.34}c0 34 208 34 208 0v${height * 0.24}c0 34-208 34-208 0z`,
      colour === "white" ? `fill="#cf3325" fill-opacity=".86"` : fillWhite(0.82),
    ) +
    drawLine(`M186 ${y + height * 0.34 + 44}c34 8 74 8 108 0`, 9, "#20262c") +
    drawLine(`M200 ${y + height * 0.34 + 64}c26 5 54 5 80 0`, 5, "#59636d") +
    drawCan(240, y + 10, 110, 14, "steel", 32) +
    drawFlatRing(240, y + 10, 92, 27, 70, 20, "rubber") +
    drawEllipse(240, y + 10, 34, 10, fill("cast", "d")) +
    drawEllipse(240, y + 10, 22, 6.5, HOLE) +
    drawBoltHoles(240, y + 10, 52, 15)
  );
}

/** A flat ring seen from above. */
const drawFlatRing = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  ix: number,
  iy: number,
  material: Material,
): string =>
  drawPath(
    `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0zM${x - ix} ${y}a${ix} ${iy} 0 1 1 ${2 * ix} 0a${ix} ${iy} 0 1 1 ${-2 * ix} 0z`,
    `${fill(material, "v")} fill-rule="evenodd"`,
  );
const drawBoltHoles = (x: number, y: number, rx: number, ry: number): string =>
  repeat(8, (i) => drawEllipse(x + rx * Math.cos((i * Math.PI) / 4), y + ry * Math.sin((i * Math.PI) / 4), 6, 3, HOLE));

/** Filters, by the names of their pictures. */
export const FILTERS: Readonly<Record<string, string>> = {
  "air-filter-canister": createPicture(drawCartridge(110, 190, "paper", "orange"), 395, 170),
  "air-filter-cartridge": createPicture(drawCartridge(135, 110, "paper", "black"), 375, 190),
  "air-filter-panel": createPicture(drawPanel("black"), 385, 215),
  "air-filter-oval": createPicture(drawOvalFilter("paper", "orange"), 375, 200),
  "air-filter-foam": createPicture(drawOvalFilter("paper", "black") + drawWrap(), 375, 200),
  "cab-filter-paper": createPicture(drawPanel("white"), 385, 215),
  "cab-filter-carbon": createPicture(drawPanel("black", "foam"), 385, 215),
  "pre-cleaner-foam": createPicture(drawSleeve("foam"), 370, 190),
  "pre-cleaner-oiled": createPicture(drawSleeve("red"), 370, 190),
  "fuel-filter-inline": createPicture(turn(-24, drawInline("clear", "red")), 370, 170),
  "fuel-filter-metal": createPicture(turn(-24, drawInline("aluminium", "steel")), 370, 170),
  "oil-filter-white": createPicture(drawSpinOn("white", 170), 405, 140),
  "oil-filter-black": createPicture(drawSpinOn("black", 220), 420, 140),
  "oil-filter-orange": createPicture(drawSpinOn("orange", 190), 410, 140),
  "oil-filter-yellow": createPicture(drawSpinOn("yellow", 230), 425, 140),
  "hydraulic-filter": createPicture(drawSpinOn("blue", 260), 435, 140),
};
