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
  mirror,
  repeat,
  repeatAround,
  shapeTeeth,
  turn,
} from "./drawing.ts";

const drawPulsePump = (): string =>
  drawTube(60, 250, 90, 14, "black") +
  drawTube(330, 220, 90, 14, "black") +
  drawTube(330, 290, 80, 12, "black") +
  drawBox(128, 160, 224, 200, 26, fill("cast", "d")) +
  drawBox(150, 140, 180, 190, 30, fill("black", "d")) +
  drawBox(172, 164, 136, 140, 22, fill("black", "v")) +
  drawLine("M200 200h80M200 234h80M200 268h80", 8, "#6b737b") +
  [
    [158, 150],
    [322, 150],
    [158, 320],
    [322, 320],
  ]
    .map(([x = 0, y = 0]) => drawDisc(x, y, 13, fill("steel", "r")) + drawHexagon(x, y, 7, fill("cast")))
    .join("");

const drawElectricPump = (): string =>
  drawTube(56, 240, 70, 13, "brass") +
  drawTube(112, 240, 40, 50, "aluminium", 16) +
  drawTube(144, 240, 200, 66, "steel", 20) +
  drawBox(170, 206, 130, 58, 4, fillWhite(0.6)) +
  drawLine("M184 224h78M184 242h54", 6, "#38424c") +
  drawTube(336, 240, 26, 50, "black", 16) +
  drawTube(362, 240, 62, 13, "brass") +
  drawHose("M350 206c20-50 40-70 84-74", 9, "red") +
  drawHose("M350 222c30-30 50-44 88-44", 9, "black");

const drawMechanicalPump = (): string =>
  drawPath("M218 330l64 0 22 92-34 10-30-88z", fill("steel", "d")) +
  drawCan(240, 300, 112, 40, "aluminium") +
  drawCan(240, 250, 124, 26, "zinc") +
  drawCan(240, 170, 92, 78, "aluminium") +
  drawTube(314, 220, 90, 14, "brass") +
  mirror(drawTube(314, 232, 90, 14, "brass")) +
  repeat(6, (i) => {
    const a = (i * Math.PI) / 3 + 0.5;
    return drawDisc(240 + 108 * Math.cos(a), 252 + 28 * Math.sin(a), 9, fill("steel", "r"));
  }) +
  drawEllipse(240, 170, 26, 8, fill("steel", "d"));

const drawCap = (colour: Material): string =>
  drawCan(240, 262, 118, 62, "black") +
  drawPath("M106 208v68c0 48 268 48 268 0v-68z", fill(colour, "h")) +
  repeat(25, (i) => {
    const a = (Math.PI * (i + 0.5)) / 25;
    return drawLine(`M${240 - 132 * Math.cos(a)} ${214 + 36 * Math.sin(a)}v64`, 4, "#0c1217", ' stroke-opacity=".3"');
  }) +
  drawEllipse(240, 208, 134, 42, fill(colour, "d")) +
  (colour === "red"
    ? drawEllipse(240, 204, 66, 21, fill("white", "d")) +
      drawLine("M214 212l24-12", 5, "#b3281c") +
      drawLine("M194 208h14M272 208h14M240 190v6", 4, "#38424c")
    : drawEllipse(240, 206, 92, 28, fillBlack(0.2)) +
      drawPath("M170 196c40-16 100-16 140 0v18c-40 16-100 16-140 0z", fill("black", "d")));

const drawPlug = (metal: Material): string =>
  drawBox(229, 42, 22, 34, 5, fill("brass", "h")) +
  drawBox(222, 66, 36, 16, 4, fill("steel", "h")) +
  drawPath("M216 84h48l10 96h-68z", fill("ceramic", "h")) +
  repeat(4, (i) => drawBox(210 - i, 98 + i * 20, 60 + i * 2, 9, 4.5, fill("ceramic", "h"))) +
  drawBox(196, 178, 88, 16, 4, fill(metal, "h")) +
  drawPath("M184 194h112v44H184z", fill(metal, "h")) +
  drawLine("M216 196v40M264 196v40", 1.6, "#5b646d") +
  drawBox(192, 238, 96, 15, 4, fill(metal, "h")) +
  drawBox(200, 253, 80, 9, 2, fill("copper", "h")) +
  drawBox(206, 262, 68, 98, 4, fill("steel", "h")) +
  repeat(9, (i) => drawLine(`M206 ${273 + i * 10}l68-5`, 2.4, "#6e7780")) +
  drawPath("M228 360h24l-4 16h-16z", fill("ceramic", "h")) +
  drawBox(236, 374, 8, 14, 2, fill("steel", "h")) +
  drawPath("M262 360h12v40c0 6-4 8-8 8h-34v-9h30z", fill("steel", "h"));

const drawCoil = (): string =>
  drawHose("M300 180c70-60 130-10 118 70s-60 90-20 140", 15, "black") +
  turn(24, drawBox(378, 372, 40, 66, 14, fill("rubber", "h")), 398, 400) +
  drawPath("M90 170h60v110h110v-110h60v180H90z", fill("cast", "d")) +
  repeat(7, (i) => drawLine(`M92 ${296 + i * 8}h226`, 1.4, "#31373d")) +
  drawBox(150, 120, 130, 150, 18, fill("black", "d")) +
  drawBox(166, 138, 98, 60, 8, fillBlack(0.3)) +
  drawBox(178, 152, 60, 10, 4, fillWhite(0.25)) +
  drawDisc(112, 196, 11, fill("steel", "r")) +
  drawDisc(112, 196, 5, HOLE) +
  drawDisc(298, 196, 11, fill("steel", "r")) +
  drawDisc(298, 196, 5, HOLE) +
  drawBox(128, 350, 20, 28, 2, fill("brass", "h"));

const drawFlywheel = (metal: Material): string =>
  drawDisc(240, 236, 168, fill(metal, "d")) +
  drawPath(shapeTeeth(240, 236, 60, 172, 162), fill("cast", "d")) +
  drawDisc(240, 236, 156, fill(metal, "d")) +
  repeatAround(16, drawPath("M232 96h16l10 62h-36z", fill(metal, "v")), 240, 236) +
  drawDisc(240, 236, 84, fill(metal, "d")) +
  drawRing(240, 236, 72, 46, fill(metal, "r")) +
  repeatAround(3, drawDisc(240, 178, 7, HOLE), 240, 236, 30) +
  drawDisc(240, 236, 40, fill("steel", "r")) +
  drawDisc(240, 236, 22, HOLE) +
  drawBox(235, 208, 10, 12, 1, HOLE) +
  turn(70, drawBox(214, 74, 52, 22, 5, fill("black", "v")), 240, 236);

const drawCarburetor = (hasSolenoid: boolean): string =>
  drawPath("M98 150h34v150H98z", fill("aluminium", "h")) +
  drawPath("M352 140h32v170h-32z", fill("aluminium", "h")) +
  drawTube(124, 220, 236, 70, "aluminium", 22) +
  drawPath("M176 154h128v40H176z", fill("aluminium", "v")) +
  drawBox(150, 274, 180, 34, 8, fill("aluminium", "l")) +
  drawPath("M156 306h168v44c0 40-30 56-84 56s-84-16-84-56z", fill("steel", "h")) +
  (hasSolenoid
    ? drawCan(240, 396, 30, 44, "black", 9) + drawHose("M266 430c40 10 70 0 90-20", 8, "black")
    : drawHexagon(240, 408, 20, fill("brass", "d"))) +
  drawTube(66, 190, 40, 13, "brass") +
  drawCan(262, 112, 15, 44, "steel", 5) +
  drawPath("M256 108l90-34 12 20-86 36z", fill("steel", "d")) +
  drawDisc(344, 88, 7, HOLE) +
  drawCan(206, 132, 15, 26, "brass", 5) +
  drawDisc(368, 160, 8, HOLE) +
  drawDisc(368, 290, 8, HOLE) +
  drawDisc(115, 166, 8, HOLE) +
  drawDisc(115, 284, 8, HOLE) +
  drawEllipse(240, 222, 40, 30, fillBlack(0.08)) +
  drawDisc(182, 290, 7, fill("zinc", "r")) +
  drawDisc(298, 290, 7, fill("zinc", "r"));

const drawDiaphragmCarburetor = (): string =>
  drawBox(112, 150, 256, 210, 16, fill("aluminium", "d")) +
  drawBox(112, 150, 256, 40, 12, fill("cast", "v")) +
  drawBox(112, 322, 256, 38, 12, fill("zinc", "v")) +
  drawDisc(240, 256, 74, fill("cast", "d")) +
  drawDisc(240, 256, 60, HOLE) +
  turn(24, drawEllipse(240, 256, 24, 58, fill("brass", "d"))) +
  drawLine("M240 196v120", 7, "#9aa4ad") +
  drawTube(366, 236, 66, 13, "brass") +
  drawCan(170, 110, 13, 46, "steel", 4) +
  drawPath("M164 106l-74-20-6 20 76 30z", fill("steel", "d")) +
  drawTube(366, 290, 40, 10, "brass") +
  [
    [132, 170],
    [348, 170],
    [132, 342],
    [348, 342],
  ]
    .map(([x = 0, y = 0]) => drawDisc(x, y, 9, fill("zinc", "r")))
    .join("");

const drawCarburetorKit = (): string =>
  drawPath(
    "M70 120h120l20 60-20 60H70l-20-60zM130 144a36 36 0 1 0 .1 0z",
    `${fill("composite", "d")} fill-rule="evenodd"`,
  ) +
  drawPath("M262 104h140v128H262zM332 128a40 40 0 1 0 .1 0z", `${fill("black", "d")} fill-rule="evenodd"`) +
  drawRing(116, 330, 60, 46, fill("rubber", "d")) +
  drawRing(116, 330, 24, 15, fill("red", "d")) +
  turn(20, drawCan(226, 290, 13, 66, "brass", 4) + drawPath("M213 356h26l-13 30z", fill("brass", "h"))) +
  drawHose("M282 300c8-4 10-40 0-44M296 300c8-4 10-40 0-44M310 300c8-4 10-40 0-44", 5, "steel") +
  drawBox(262, 336, 100, 46, 12, fill("zinc", "d")) +
  drawHose("M366 300l50 80", 6, "steel") +
  drawRing(400, 286, 20, 11, fill("copper", "d")) +
  drawDisc(230, 400, 8, fill("steel", "r"));

/** Fuel, ignition and carburetors, by the names of their pictures. */
export const FUEL: Readonly<Record<string, string>> = {
  "fuel-pump-pulse": createPicture(drawPulsePump(), 370, 160),
  "fuel-pump-electric": createPicture(turn(-20, drawElectricPump()), 380, 170),
  "fuel-pump-mechanical": createPicture(drawMechanicalPump(), 390, 150),
  "fuel-cap-vented": createPicture(drawCap("black"), 360, 170),
  "fuel-cap-gauge": createPicture(drawCap("red"), 360, 170),
  "spark-plug": createPicture(turn(32, drawPlug("steel")), 420, 130),
  "spark-plug-platinum": createPicture(turn(32, drawPlug("zinc")), 420, 130),
  "ignition-coil": createPicture(drawCoil(), 390, 180),
  "ignition-coil-left": createPicture(mirror(drawCoil()), 390, 180),
  "flywheel-aluminium": createPicture(drawFlywheel("aluminium"), 420, 170),
  "flywheel-cast": createPicture(drawFlywheel("cast"), 420, 170),
  carburetor: createPicture(drawCarburetor(false), 410, 170),
  "carburetor-solenoid": createPicture(drawCarburetor(true), 420, 170),
  "carburetor-diaphragm": createPicture(drawDiaphragmCarburetor(), 400, 170),
  "carburetor-kit": createPicture(drawCarburetorKit(), 405, 200),
};
