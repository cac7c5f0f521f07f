import {
  createPicture,
  drawBox,
  drawCan,
  drawDisc,
  drawEllipse,
  drawHexagon,
  drawHose,
  drawLine,
  drawPath,
  drawRing,
  drawTube,
  fill,
  fillBlack,
  fillWhite,
  HOLE,
  type Material,
  move,
  repeat,
  repeatAround,
  shapeTeeth,
  turn,
} from "./drawing.ts";

const drawBlade = (paint: Material, lift: number, hasTeeth = false): string =>
  drawPath(`M30 222l120-10h180l120-${lift} v56l-120 12H150L30 ${270 + lift}z`, fill(paint, "v")) +
  drawPath(`M450 ${258 - lift + 8}l-120 22-30 2v-12l150-20z`, fill("steel", "v")) +
  drawPath(`M30 222l120-10 30-2v12L30 240z`, fill("steel", "v")) +
  drawPath(`M330 212l120-${lift}v${lift}l-100 10z`, fillBlack(0.28)) +
  drawPath(`M150 262L30 ${270 + lift}v-${lift}l100-14z`, fillWhite(0.14)) +
  (hasTeeth
    ? repeat(
        4,
        (i) =>
          drawPath(`M${344 + i * 26} ${210 - (i * lift) / 4}l12-26 12 23z`, fill(paint, "d")) +
          drawPath(`M${136 - i * 26} ${262 + ((14 + i * 26) * (8 + lift)) / 120}l-14 30-12-24z`, fill(paint, "d")),
      )
    : "") +
  drawDisc(240, 245, 24, fill(paint, "d")) +
  drawPath(shapeTeeth(240, 245, 6, 17, 12), HOLE) +
  drawDisc(190, 246, 6, HOLE) +
  drawDisc(290, 244, 6, HOLE);

const drawSpindle = (metal: Material, hasPulley = false): string =>
  drawCan(240, 330, 26, 82, "steel") +
  drawHexagon(240, 418, 24, fill("zinc", "d")) +
  drawPath("M120 316c0-20 60-34 120-34s120 14 120 34v18c0 22-54 40-120 40s-120-18-120-40z", fill(metal, "h")) +
  drawCan(240, 244, 76, 80, metal) +
  drawCan(240, 214, 60, 36, metal) +
  [
    [136, 322],
    [344, 322],
    [200, 352],
    [280, 352],
  ]
    .map(([x = 0, y = 0]) => drawEllipse(x, y, 12, 7, HOLE))
    .join("") +
  drawCan(240, 120, 20, 92, "steel") +
  (hasPulley
    ? drawCan(240, 176, 122, 10, "cast", 34) +
      drawCan(240, 160, 96, 14, "cast", 28) +
      drawCan(240, 138, 122, 10, "steel", 34) +
      drawCan(240, 112, 20, 30, "steel")
    : drawEllipse(240, 214, 40, 11, fill("rubber", "d")) + drawCan(240, 120, 20, 92, "steel")) +
  drawCan(240, 84, 15, 36, "zinc") +
  repeat(4, (i) => drawLine(`M226 ${92 + i * 8}c8 4 20 4 28 0`, 2, "#7b6732"));

function drawBelt(rx: number, ry: number, material: Material): string {
  const drawLoop = (y: number): string =>
    `M${240 - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;
  return (
    drawLine(drawLoop(262), 26, "#17191b") +
    drawLine(drawLoop(250), 26, material === "rubber" ? "#26292c" : "#153f7a") +
    drawLine(drawLoop(236), 24, material === "rubber" ? "#3b3f43" : "#2867b8") +
    drawLine(drawLoop(231), 5, material === "rubber" ? "#7a8086" : "#78aef0") +
    drawLine(
      `M${240 - rx * 0.5} ${262 + ry * 0.87}a${rx} ${ry} 0 0 0 ${rx} 0`,
      9,
      "#d9c68a",
      ' stroke-dasharray="22 9 40 9" stroke-opacity=".9"',
    )
  );
}

const deckPath = "M104 300c-60-70 0-180 80-150s60 80 130 40 130 60 90 130-120 70-160 30-90 20-140-50z";
const drawDeckBelt = (material: Material): string =>
  move(0, 18, drawLine(deckPath, 24, "#17191b")) +
  move(0, 9, drawLine(deckPath, 24, material === "rubber" ? "#26292c" : "#153f7a")) +
  drawLine(deckPath, 22, material === "rubber" ? "#3b3f43" : "#2867b8") +
  move(0, -5, drawLine(deckPath, 4, material === "rubber" ? "#7a8086" : "#78aef0"));

const drawPulley = (isV: boolean): string =>
  drawDisc(246, 240, 166, fill("cast", "d")) +
  drawDisc(236, 236, 166, fill("steel", "d")) +
  (isV ? drawRing(236, 236, 150, 132, fillBlack(0.3)) : drawRing(236, 236, 156, 148, fillBlack(0.2))) +
  drawDisc(236, 236, isV ? 130 : 146, fill("steel", "d")) +
  drawRing(236, 236, 112, 76, fillBlack(0.08)) +
  (isV
    ? repeatAround(5, drawDisc(236, 142, 20, `fill="#fff" stroke="#59626b" stroke-width="2"`), 236, 236)
    : drawRing(236, 236, 100, 96, fillBlack(0.16))) +
  drawDisc(236, 236, 58, fill("steel", "d")) +
  drawRing(236, 236, 46, 26, fill("rubber", "d")) +
  drawRing(236, 236, 28, 15, fill("steel", "d")) +
  drawDisc(236, 236, 15, `fill="#fff"`);

const drawDeckWheel = (hasBolt: boolean): string =>
  drawDisc(252, 242, 142, fill("rubber", "d")) +
  drawDisc(232, 236, 142, fill("black", "d")) +
  drawRing(232, 236, 122, 112, fillBlack(0.35)) +
  repeatAround(6, drawPath("M222 140h20l8 46h-36z", fillBlack(0.4)), 232, 236) +
  drawDisc(232, 236, 40, fill("cast", "d")) +
  drawDisc(232, 236, 20, hasBolt ? fill("zinc", "r") : `fill="#fff" stroke="#333" stroke-width="2"`) +
  (hasBolt
    ? drawHexagon(232, 236, 26, fill("zinc", "d")) +
      turn(30, drawTube(300, 400, 90, 13, "zinc") + drawHexagon(300, 400, 24, fill("zinc", "d")), 340, 400)
    : "");

const drawClutch = (colour: Material): string =>
  drawCan(240, 300, 134, 44, "cast", 46) +
  drawCan(240, 262, 146, 34, "steel", 50) +
  drawCan(240, 226, 146, 22, colour, 50) +
  drawCan(240, 190, 118, 34, "cast", 40) +
  drawCan(240, 168, 140, 20, "steel", 48) +
  drawEllipse(240, 168, 100, 33, fill(colour, "d")) +
  drawEllipse(240, 168, 62, 21, fill("steel", "d")) +
  drawEllipse(240, 168, 34, 11, HOLE) +
  repeat(3, (i) =>
    drawEllipse(240 + 80 * Math.cos(i * 2.09 + 0.5), 168 + 27 * Math.sin(i * 2.09 + 0.5), 10, 5, fill("zinc", "r")),
  ) +
  drawHose("M368 320c40 20 60 40 60 80", 9, "black") +
  drawHose("M372 310c50 10 70 40 70 84", 9, "red") +
  drawBox(412, 392, 44, 26, 5, fill("black"));

const drawGearbox = (paint: Material): string =>
  drawTube(330, 262, 96, 26, "steel") +
  repeat(4, (i) => drawLine(`M372 ${250 + i * 9}h48`, 2, "#59626b")) +
  drawCan(230, 380, 26, 50, "steel") +
  drawPath("M120 180c0-30 40-60 110-60s110 30 110 60v150c0 30-40 60-110 60s-110-30-110-60z", fill(paint, "h")) +
  drawTube(326, 262, 24, 62, paint, 20) +
  drawEllipse(350, 262, 18, 60, fill(paint, "d")) +
  drawEllipse(230, 176, 110, 54, fill(paint, "d")) +
  drawEllipse(230, 172, 84, 38, fill("steel", "d")) +
  repeat(6, (i) => drawDisc(230 + 70 * Math.cos(i * 1.047), 172 + 30 * Math.sin(i * 1.047), 7, fill("zinc", "r"))) +
  drawDisc(168, 330, 13, fill("zinc", "r")) +
  drawDisc(290, 346, 13, fill("zinc", "r")) +
  drawPath("M124 250c30 26 180 26 212 0v10c-32 26-182 26-212 0z", fillBlack(0.15));

/** Mowing decks, by the names of their pictures. */
export const DECK: Readonly<Record<string, string>> = {
  "blade-high-lift": createPicture(turn(-32, drawBlade("black", 26)), 395, 200),
  "blade-low-lift": createPicture(turn(-32, drawBlade("red", 12)), 395, 200),
  "blade-mulching": createPicture(turn(-32, drawBlade("black", 18, true)), 395, 200),
  "spindle-cast": createPicture(drawSpindle("cast"), 425, 150),
  "spindle-aluminium": createPicture(drawSpindle("aluminium"), 425, 150),
  "spindle-pulley": createPicture(drawSpindle("aluminium", true), 425, 160),
  "drive-belt": createPicture(drawBelt(150, 92, "rubber"), 415, 190),
  "drive-belt-long": createPicture(drawBelt(165, 66, "rubber"), 395, 190),
  "deck-belt": createPicture(drawDeckBelt("rubber"), 420, 190),
  "deck-belt-blue": createPicture(drawDeckBelt("blue"), 420, 190),
  "pulley-v": createPicture(drawPulley(true), 415, 160),
  "pulley-flat": createPicture(drawPulley(false), 415, 160),
  "deck-wheel": createPicture(drawDeckWheel(false), 410, 150),
  "deck-wheel-bolt": createPicture(drawDeckWheel(true), 410, 160),
  clutch: createPicture(drawClutch("black"), 405, 170),
  "clutch-blue": createPicture(drawClutch("blue"), 405, 170),
  gearbox: createPicture(drawGearbox("orange"), 400, 180),
  "gearbox-gray": createPicture(drawGearbox("cast"), 400, 180),
};
