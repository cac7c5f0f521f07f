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
  move,
  repeat,
  repeatAround,
  scale,
  shapeTeeth,
  turn,
} from "./drawing.ts";

const drawBolt = (metal: Material): string =>
  drawTube(132, 240, 250, 30, metal, 8) +
  repeat(11, (i) => drawLine(`M${262 + i * 11} 212l8 56`, 3, "#8a7640")) +
  drawPath("M72 190l66 0v100H72z", fill(metal, "l")) +
  drawLine("M74 222h62M74 258h62", 2, "#8a7640") +
  drawBox(134, 196, 12, 88, 4, fill(metal, "l")) +
  drawLine("M200 214v52", 5, "#8a7640") +
  drawPath("M318 190h50v100h-50z", fill("steel", "l")) +
  drawLine("M320 222h46M320 258h46", 2, "#59626b");

const drawBoltPack = (): string => repeat(5, (i) => move(0, -96 + i * 48, scale(0.58, turn(-8, drawBolt("zinc")))));

const drawCylinder = (paint: Material): string =>
  drawTube(300, 240, 110, 17, "steel") +
  drawRing(430, 240, 34, 16, fill(paint, "d")) +
  drawTube(100, 240, 206, 52, paint, 16) +
  drawTube(292, 240, 22, 56, paint, 17) +
  drawRing(64, 240, 40, 19, fill(paint, "d")) +
  drawBox(122, 170, 30, 26, 4, fill("steel", "h")) +
  drawBox(264, 170, 30, 26, 4, fill("steel", "h")) +
  drawBox(160, 214, 90, 34, 4, fillWhite(0.75)) +
  drawLine("M172 226h60M172 238h40", 4, "#38424c");

const drawHydraulicHose = (): string =>
  drawHose("M100 372c-30-120 20-250 140-250s170 100 130 190-190 90-190 0 90-110 130-60", 27, "black") +
  turn(
    8,
    drawBox(82, 360, 38, 50, 5, fill("steel", "h")) +
      drawHexagon(101, 420, 26, fill("steel", "d")) +
      drawBox(90, 432, 22, 24, 3, fill("steel", "h")),
    101,
    390,
  ) +
  turn(
    118,
    drawBox(300, 232, 38, 46, 5, fill("steel", "h")) +
      drawBox(294, 204, 50, 28, 3, fill("steel", "h")) +
      drawBox(306, 180, 26, 26, 3, fill("steel", "h")),
    314,
    252,
  ) +
  drawLine("M104 250c14-70 60-112 136-116", 3, "#c9ced3", ' stroke-dasharray="30 14" stroke-opacity=".7"');

const drawRadiatorHose = (): string =>
  drawHose("M110 140h110c90 0 60 190 150 190h10", 74, "rubber") +
  turn(0, drawEllipse(106, 140, 13, 38, fill("cast", "d")) + drawEllipse(104, 140, 8, 27, HOLE)) +
  drawBox(130, 98, 22, 84, 5, fill("steel", "l")) +
  drawBox(336, 288, 22, 84, 5, fill("steel", "l"));

const drawChute = (paint: Material, isSoft = false): string =>
  drawPath("M66 318l4 36c2 16 12 26 28 26h284c16 0 26-10 28-26l4-36z", fill(paint, "v")) +
  drawPath("M136 142h208l70 166c4 14-4 26-18 26H84c-14 0-22-12-18-26z", fill(paint, "d")) +
  drawPath("M136 142l-70 166c-2 8 0 16 6 21l84-187z", fillWhite(0.16)) +
  repeat(5, (i) =>
    drawLine(`M${176 + i * 32} 182L${126 + i * 57} 300`, isSoft ? 9 : 6, "#0f1215", ' stroke-opacity=".45"'),
  ) +
  drawTube(104, 136, 270, 12, "steel") +
  repeat(3, (i) => drawBox(134 + i * 88, 116, 36, 42, 8, fill(paint, "l"))) +
  drawDisc(104, 136, 17, fill("steel", "r"));

const drawWaterPump = (metal: Material): string =>
  drawPath("M96 200c0-70 60-110 140-110s150 50 150 130-60 150-150 150S96 300 96 200z", fill(metal, "d")) +
  drawPath("M330 110l80-40 30 50-70 60z", fill(metal, "d")) +
  turn(-32, drawEllipse(426, 94, 18, 32, fill("cast", "d")), 426, 94) +
  turn(-32, drawEllipse(428, 94, 11, 21, HOLE), 428, 94) +
  drawDisc(236, 232, 108, fill(metal, "d")) +
  drawDisc(236, 232, 88, fill("steel", "d")) +
  drawRing(236, 232, 82, 66, fillBlack(0.12)) +
  repeatAround(4, drawDisc(236, 174, 10, HOLE), 236, 232, 45) +
  drawDisc(236, 232, 34, fill("steel", "r")) +
  drawDisc(236, 232, 15, HOLE) +
  [
    [112, 160],
    [130, 320],
    [330, 342],
    [372, 220],
  ]
    .map(([x = 0, y = 0]) => drawDisc(x, y, 15, fill(metal, "r")) + drawDisc(x, y, 7, HOLE))
    .join("");

const drawPtoShaft = (colour: Material): string => {
  const yoke =
    drawPath(
      "M20 196h50c14 0 24 10 30 22h20v44h-20c-6 12-16 22-30 22H20v-26h34c6 0 8-8 8-18s-2-18-8-18H20z",
      fill("cast", "l"),
    ) + drawDisc(34, 240, 15, fill("steel", "r"));
  return (
    yoke +
    mirror(yoke) +
    drawTube(98, 240, 40, 46, "black", 10) +
    drawTube(120, 240, 140, 38, colour, 11) +
    drawTube(252, 240, 100, 31, colour, 9) +
    drawTube(340, 240, 40, 46, "black", 10) +
    repeat(6, (i) => drawLine(`M${104 + i * 6} 198v84`, 2, "#15181b")) +
    drawLine("M150 240h70", 12, "#fff") +
    drawLine("M156 240h58", 5, "#b3281c")
  );
};

const drawCross = (): string => {
  const arm =
    drawBox(214, 84, 52, 120, 6, fill("steel", "h")) +
    drawBox(200, 66, 80, 54, 8, fill("cast", "h")) +
    drawBox(200, 98, 80, 7, 2, fill("steel", "h"));
  return (
    repeatAround(4, arm, 240, 240) +
    drawDisc(240, 240, 58, fill("steel", "r")) +
    drawHexagon(240, 240, 14, fill("brass", "d")) +
    drawDisc(240, 240, 5, HOLE) +
    repeat(4, (i) => drawRing([70, 410, 70, 410][i] ?? 0, [90, 90, 396, 396][i] ?? 0, 28, 20, fill("cast", "d")))
  );
};

const drawBearing = (): string =>
  drawDisc(250, 244, 168, fill("cast", "d")) +
  drawRing(238, 238, 168, 130, fill("steel", "d")) +
  drawRing(238, 238, 130, 92, fillBlack(0.55)) +
  repeatAround(11, drawDisc(238, 127, 22, fill("steel", "r")), 238, 238) +
  drawRing(238, 238, 96, 58, fill("steel", "d")) +
  drawRing(238, 238, 62, 56, fillBlack(0.25)) +
  drawDisc(238, 238, 56, `fill="#fff"`) +
  drawRing(238, 238, 152, 148, fillBlack(0.12));

const drawCone = (): string =>
  drawCan(240, 292, 140, 26, "steel", 44) +
  drawPath("M112 200l-12 96c0 50 280 50 280 0l-12-96z", fill("cast", "h")) +
  repeat(11, (i) => {
    const a = (Math.PI * (i + 0.5)) / 11;
    const x = 240 - 124 * Math.cos(a);
    return turn((x - 240) * 0.06, drawBox(x - 10, 214 + 36 * Math.sin(a), 20, 80, 6, fill("steel", "h")), x, 250);
  }) +
  drawEllipse(240, 200, 128, 42, fill("steel", "d")) +
  drawEllipse(240, 200, 92, 29, fill("cast", "d")) +
  drawEllipse(240, 204, 84, 24, HOLE) +
  drawEllipse(240, 212, 78, 17, `fill="#fff"`);

const drawCup = (): string =>
  drawPath("M90 200v84c0 60 300 60 300 0v-84z", fill("steel", "h")) +
  drawEllipse(240, 200, 150, 52, fill("steel", "d")) +
  drawEllipse(240, 202, 130, 43, fill("cast", "v")) +
  drawPath("M116 214c24 44 224 44 248 0 0 56-248 56-248 0z", fill("aluminium", "h")) +
  drawEllipse(240, 240, 104, 16, `fill="#fff"`);

const drawHook = (): string =>
  drawTube(70, 320, 210, 34, "steel") +
  drawPath(
    "M264 286c40-10 60-60 54-110-4-34-34-60-70-58-30 2-44 24-40 44 20-22 52-14 58 14 6 34-16 66-40 84z",
    fill("cast", "d"),
  ) +
  drawPath("M208 160c-20-6-50 6-70 30 30-10 56-8 74-2z", fill("steel", "v")) +
  drawTube(268, 320, 60, 44, "cast", 14) +
  repeat(4, (i) => drawLine(`M${80 + i * 14} 288v64`, 3, "#59626b"));

const drawTine = (isDouble: boolean): string => {
  const arm = drawHose("M196 140c0 90-30 180-64 282", 13, "steel");
  const drawCoils = (x: number): string => repeat(4, (i) => drawHose(`M${x + i * 13} 176c6-4 8-70 0-74`, 12, "steel"));
  return isDouble
    ? move(-20, 0, arm) +
        mirror(move(-20, 0, arm)) +
        drawCoils(176) +
        drawCoils(252) +
        drawHose("M230 104c10-20 30-20 40 0", 12, "steel")
    : move(40, 0, arm + drawCoils(190) + drawHose("M240 104c30-8 70-4 90 30", 12, "steel"));
};

const drawSickle = (isTopSerrated: boolean): string =>
  drawPath("M150 100h180l28 40-100 250c-6 12-30 12-36 0L122 140z", fill("steel", "d")) +
  drawPath("M122 140l100 250c3 6 10 9 18 9L150 150z", fill("aluminium", "v")) +
  drawPath("M358 140L258 390c-3 6-10 9-18 9l90-249z", fill("cast", "v")) +
  (isTopSerrated
    ? repeat(15, (i) =>
        drawLine(`M${128 + i * 6.3} ${158 + i * 15.2}l12-5M${352 - i * 6.3} ${158 + i * 15.2}l-12-5`, 2.6, "#3b4249"),
      )
    : "") +
  drawDisc(196, 128, 14, `fill="#fff" stroke="#4a525a" stroke-width="3"`) +
  drawDisc(284, 128, 14, `fill="#fff" stroke="#4a525a" stroke-width="3"`);

const drawBrakeDisc = (material: Material): string =>
  drawDisc(248, 244, 172, fill("cast", "d")) +
  drawRing(238, 238, 172, 62, fill(material, "d")) +
  drawRing(238, 238, 160, 112, material === "steel" ? fillBlack(0.07) : fillBlack(0.16)) +
  (material === "steel"
    ? repeatAround(12, drawDisc(238, 100, 8, HOLE), 238, 238) +
      repeatAround(12, drawDisc(238, 126, 6, HOLE), 238, 238, 15)
    : repeatAround(20, drawLine("M238 76v50", 4, "#3a3833"), 238, 238)) +
  drawPath(shapeTeeth(238, 238, 18, 80, 64), fill("steel", "d")) +
  drawDisc(238, 238, 56, `fill="#fff"`);

const drawFlowMeter = (): string =>
  drawTube(44, 270, 80, 46, "black", 14) +
  drawTube(344, 270, 84, 46, "black", 14) +
  drawTube(110, 270, 244, 74, "aluminium", 24) +
  drawBox(186, 130, 108, 90, 14, fill("black", "d")) +
  drawHose("M240 134c0-50 60-60 110-54", 14, "black") +
  drawBox(346, 62, 62, 34, 8, fill("black")) +
  drawPath("M180 262h90v-16l40 26-40 26v-16h-90z", fill("red", "v")) +
  drawBox(74, 218, 16, 104, 4, fill("steel", "l")) +
  drawBox(384, 218, 16, 104, 4, fill("steel", "l"));

const drawBoomValve = (): string =>
  drawTube(54, 330, 110, 42, "black", 13) +
  drawTube(310, 330, 116, 42, "black", 13) +
  drawTube(140, 330, 196, 66, "black", 20) +
  drawCan(240, 246, 44, 30, "steel") +
  drawBox(150, 96, 180, 150, 18, fill("blue", "d")) +
  drawBox(170, 120, 140, 60, 8, fillWhite(0.85)) +
  drawLine("M190 140h96M190 158h60", 6, "#38424c") +
  drawTube(318, 190, 52, 18, "black") +
  drawBox(176, 238, 128, 16, 4, fill("black", "v"));

const drawNozzle = (colour: Material): string =>
  drawCan(240, 216, 92, 90, colour, 30) +
  repeat(6, (i) => {
    const a = (Math.PI * (i + 0.5)) / 6;
    return drawLine(`M${240 - 92 * Math.cos(a)} ${222 + 30 * Math.sin(a)}v86`, 4, "#0c1217", ' stroke-opacity=".18"');
  }) +
  drawPath("M182 306c10 40 20 70 26 84h64c6-14 16-44 26-84-30 20-86 20-116 0z", fill(colour, "h")) +
  drawPath("M220 388h40l-6 22h-28z", fill("ceramic", "h")) +
  drawCan(240, 126, 56, 84, colour, 18) +
  drawEllipse(240, 126, 34, 10, HOLE);

const drawSensor = (): string =>
  turn(
    24,
    drawHose("M240 110c0-60 20-70 60-84", 14, "black") +
      drawCan(240, 110, 46, 84, "black", 15) +
      drawHexSides(196, 194, 88, 62, "brass") +
      drawCan(240, 256, 50, 30, "steel", 15) +
      drawBox(206, 286, 68, 96, 4, fill("steel", "h")) +
      repeat(9, (i) => drawLine(`M206 ${298 + i * 10}l68-5`, 2.4, "#6e7780")) +
      drawEllipse(240, 382, 34, 9, fill("cast")) +
      drawBox(206, 130, 68, 34, 3, fillWhite(0.75)),
  );

const drawHexSides = (x: number, y: number, w: number, h: number, metal: Material): string =>
  drawBox(x - 20, y, w + 40, h, 5, fill(metal, "h")) +
  drawLine(`M${x + 10} ${y + 2}v${h - 4}M${x + w - 10} ${y + 2}v${h - 4}`, 2, "#7b6732");

/** Hardware, hydraulics, drives and field machines, by the names of their pictures. */
export const DRIVES: Readonly<Record<string, string>> = {
  "shear-bolt": createPicture(turn(-35, drawBolt("zinc")), 390, 160),
  "shear-bolt-pack": createPicture(drawBoltPack(), 410, 190),
  "lift-cylinder": createPicture(turn(-28, drawCylinder("black")), 400, 190),
  "lift-cylinder-red": createPicture(turn(-28, drawCylinder("red")), 400, 190),
  "hydraulic-hose": createPicture(drawHydraulicHose(), 420, 180),
  "radiator-hose": createPicture(drawRadiatorHose(), 400, 170),
  "radiator-hose-lower": createPicture(mirror(turn(90, drawRadiatorHose())), 420, 150),
  chute: createPicture(drawChute("black"), 390, 190),
  "chute-rubber": createPicture(drawChute("rubber", true), 390, 190),
  "water-pump": createPicture(drawWaterPump("aluminium"), 410, 170),
  "water-pump-cast": createPicture(drawWaterPump("cast"), 410, 170),
  "pto-shaft": createPicture(turn(-22, drawPtoShaft("yellow")), 395, 200),
  "pto-shaft-black": createPicture(turn(-22, drawPtoShaft("black")), 395, 200),
  "joint-kit": createPicture(drawCross(), 405, 180),
  bearing: createPicture(drawBearing(), 410, 160),
  "bearing-cone": createPicture(drawCone(), 395, 160),
  "bearing-cup": createPicture(drawCup(), 390, 160),
  "bill-hook": createPicture(drawHook(), 400, 160),
  "bill-hook-left": createPicture(mirror(drawHook()), 400, 160),
  tine: createPicture(drawTine(false), 420, 140),
  "tine-double": createPicture(drawTine(true), 420, 160),
  "sickle-section": createPicture(drawSickle(false), 405, 150),
  "sickle-section-serrated": createPicture(drawSickle(true), 405, 150),
  "brake-disc": createPicture(drawBrakeDisc("steel"), 415, 160),
  "brake-disc-friction": createPicture(drawBrakeDisc("composite"), 415, 160),
  "flow-meter": createPicture(drawFlowMeter(), 400, 180),
  "boom-valve": createPicture(drawBoomValve(), 410, 170),
  "nozzle-blue": createPicture(drawNozzle("blue"), 400, 130),
  "nozzle-red": createPicture(drawNozzle("red"), 400, 130),
  "nozzle-yellow": createPicture(drawNozzle("yellow"), 400, 130),
  "nozzle-brown": createPicture(drawNozzle("brown"), 400, 130),
  "pressure-sensor": createPicture(drawSensor(), 420, 130),
};
