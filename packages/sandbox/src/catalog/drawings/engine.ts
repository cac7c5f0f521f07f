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
  scale,
  shapeTeeth,
  turn,
} from "./drawing.ts";

const drawStarter = (colour: Material): string =>
  drawTube(60, 256, 60, 22, "steel") +
  drawPath("M62 226l46-6v72l-46-6z", fill("brass", "l")) +
  repeat(5, (i) => drawLine(`M64 ${236 + i * 10}h42`, 2, "#7a5a17")) +
  drawTube(110, 256, 40, 70, "aluminium", 22) +
  drawTube(146, 256, 200, 84, colour, 26) +
  drawTube(340, 256, 30, 78, "aluminium", 24) +
  drawTube(160, 150, 150, 34, "steel", 11) +
  drawDisc(300, 150, 8, fill("copper", "r")) +
  drawDisc(310, 164, 8, fill("copper", "r")) +
  drawHose("M312 164c40 20 50 40 44 70", 9, "copper") +
  drawEllipse(364, 256, 8, 26, fillBlack(0.2)) +
  drawPath("M110 196l-20 -34h34l22 36z", fill("aluminium", "d")) +
  drawPath("M110 316l-20 34h34l22-36z", fill("aluminium", "d")) +
  drawDisc(108, 176, 7, HOLE) +
  drawDisc(108, 336, 7, HOLE);

const drawRecoil = (colour: Material): string =>
  drawDisc(240, 226, 160, fill(colour, "d")) +
  repeatAround(4, drawPath("M222 60h36v24h-36z", fill(colour, "d")) + drawDisc(240, 70, 7, HOLE), 240, 226, 45) +
  drawRing(240, 226, 142, 126, fillBlack(0.16)) +
  repeatAround(14, drawPath("M231 104h18l6 42h-30z", HOLE), 240, 226) +
  drawDisc(240, 226, 66, fill(colour, "r")) +
  drawDisc(240, 226, 44, fillBlack(0.16)) +
  drawLine("M212 226h56", 9, "#ffffff", ' stroke-opacity=".75"') +
  drawHose("M352 320c20 26 20 44 6 66", 7, "white") +
  turn(28, drawBox(318, 376, 76, 26, 13, fill("black", "l")), 356, 389);

const drawRegulator = (): string =>
  drawPath("M88 232 260 150 400 214 228 304z", fill("aluminium", "d")) +
  drawPath("M88 232v50l140 76v-54z", fill("aluminium", "v")) +
  drawPath("M400 214v52L228 358v-54z", fill("cast", "d")) +
  repeat(9, (i) => {
    const t = (i + 0.5) / 9;
    return drawPath(`M${88 + 172 * t} ${232 - 82 * t}v-34l140 66v34z`, fill("aluminium", "v"));
  }) +
  drawBox(246, 314, 70, 34, 6, fill("black", "d")) +
  repeat(3, (i) => drawBox(254 + i * 20, 336, 9, 30, 2, fill("brass", "h"))) +
  drawEllipse(112, 262, 10, 8, HOLE) +
  drawEllipse(376, 250, 10, 8, HOLE);

const drawAlternator = (metal: Material): string =>
  drawPath("M182 96h60l10 40h-80z", fill(metal, "d")) +
  drawDisc(212, 112, 12, HOLE) +
  drawPath("M150 368l-18 46h56l16-40z", fill(metal, "d")) +
  drawDisc(160, 398, 10, HOLE) +
  drawTube(160, 250, 190, 124, metal, 44) +
  drawBox(212, 128, 66, 244, 4, fill("cast", "l")) +
  repeat(5, (i) => drawLine(`M${222 + i * 12} 132v236`, 2, "#23282d")) +
  drawEllipse(350, 250, 44, 124, fill(metal, "d")) +
  repeat(10, (i) => {
    const a = (i * Math.PI) / 5;
    return drawEllipse(350 + 27 * Math.cos(a), 250 + 80 * Math.sin(a), 6, 18, HOLE);
  }) +
  drawTube(352, 250, 44, 62, "steel", 20) +
  drawEllipse(396, 250, 20, 62, fill("cast", "d")) +
  drawEllipse(396, 250, 7, 20, fill("steel", "r"));

const drawWorkLight = (isLed: boolean): string =>
  drawPath("M186 350h108l-12 44h-84z", fill("black", "d")) +
  drawBox(222, 384, 36, 30, 4, fill("steel", "h")) +
  (isLed
    ? drawBox(92, 110, 296, 250, 36, fill("black", "d")) +
      drawBox(118, 136, 244, 198, 22, fill("steel", "d")) +
      repeat(6, (i) => {
        const x = 165 + (i % 3) * 75;
        const y = 186 + Math.floor(i / 3) * 98;
        return (
          drawDisc(x, y, 34, fill("clear", "r")) +
          drawDisc(x, y, 15, fill("yellow", "r")) +
          drawDisc(x - 9, y - 10, 7, fillWhite(0.9))
        );
      })
    : drawDisc(240, 228, 146, fill("black", "d")) +
      drawDisc(240, 228, 122, fill("steel", "r")) +
      drawDisc(240, 228, 114, fill("clear", "r")) +
      repeat(9, (i) => drawLine(`M${152 + i * 22} 150v156`, 2, "#9fb0bb", ' stroke-opacity=".6"')) +
      drawDisc(240, 228, 30, fill("yellow", "r")) +
      drawPath("M160 170c30-44 80-60 120-48-50 4-84 26-104 66z", fillWhite(0.75)));

const drawSwitch = (colour: Material): string =>
  drawHose("M240 330c0 60-90 40-120 84", 10, "black") +
  drawHose("M252 330c0 50-60 60-90 96", 10, "red") +
  drawPath("M120 232 250 168 370 222 238 296z", fill(colour, "d")) +
  drawPath("M120 232v56l118 70v-62z", fill(colour, "v")) +
  drawPath("M370 222v56L238 358v-62z", fill("rubber", "d")) +
  drawCan(244, 168, 48, 54, "steel") +
  drawCan(244, 142, 34, 30, "white") +
  drawBox(150, 268, 60, 30, 3, fillWhite(0.14));

const drawGerotor = (): string =>
  drawDisc(240, 236, 156, fill("cast", "d")) +
  drawDisc(240, 236, 136, fill("steel", "d")) +
  drawPath(shapeTeeth(240, 236, 5, 116, 84), HOLE) +
  drawPath(shapeTeeth(248, 238, 4, 96, 58), fill("steel", "d")) +
  drawDisc(248, 238, 26, HOLE) +
  drawBox(243, 206, 10, 12, 1, HOLE) +
  repeatAround(3, drawDisc(240, 92, 10, fill("zinc", "r")) + drawDisc(240, 92, 4, HOLE), 240, 236, 60);

const drawGearPump = (): string =>
  drawBox(84, 150, 312, 190, 84, fill("aluminium", "d")) +
  drawBox(104, 168, 272, 154, 72, fillBlack(0.2)) +
  drawPath(shapeTeeth(180, 245, 12, 80, 60), fill("steel", "d")) +
  drawPath(shapeTeeth(304, 245, 12, 80, 60), fill("steel", "d")) +
  drawDisc(180, 245, 24, fill("cast", "r")) +
  drawDisc(304, 245, 24, fill("cast", "r")) +
  drawDisc(180, 245, 11, HOLE) +
  drawTube(210, 128, 60, 18, "aluminium") +
  [
    [104, 164],
    [376, 164],
    [104, 326],
    [376, 326],
  ]
    .map(([x = 0, y = 0]) => drawDisc(x, y, 11, fill("steel", "r")))
    .join("");

const drawHeadGasket = (material: Material): string =>
  turn(
    -12,
    drawPath(
      "M110 120c0-20 16-36 36-36h188c20 0 36 16 36 36v30c20 10 20 40 0 52v120c0 24-16 44-36 44H146c-20 0-36-16-36-36v-90c-20-14-20-40 0-54zM240 156a76 76 0 1 0 .1 0z",
      `${fill(material, "d")} fill-rule="evenodd"`,
    ) +
      drawRing(240, 232, 88, 76, fill("steel", "d")) +
      [
        [142, 116],
        [338, 116],
        [142, 334],
        [338, 334],
        [118, 224],
        [362, 176],
      ]
        .map(([x = 0, y = 0]) => drawRing(x, y, 15, 11, fill("steel", "d")) + drawDisc(x, y, 11, `fill="#fff"`))
        .join("") +
      drawEllipse(200, 346, 22, 8, `fill="#fff"`) +
      drawEllipse(290, 108, 26, 8, `fill="#fff"`),
  );

const drawGasketSet = (): string =>
  move(-76, -66, scale(0.62, drawHeadGasket("steel"))) +
  move(94, 92, scale(0.5, drawHeadGasket("composite"))) +
  drawRing(346, 130, 56, 42, fill("rubber", "d")) +
  drawRing(346, 130, 26, 19, fill("red", "d")) +
  drawRing(132, 350, 44, 34, fill("green", "d")) +
  drawRing(132, 350, 22, 15, fill("rubber", "d")) +
  drawRing(226, 386, 20, 13, fill("copper", "d"));

const drawSeal = (material: Material): string =>
  drawPath("M92 216v44c0 82 296 82 296 0v-44z", fill(material, "h")) +
  drawEllipse(240, 216, 148, 62, fill(material, "d")) +
  drawEllipse(240, 216, 118, 48, fill("steel", "d")) +
  drawEllipse(240, 216, 106, 42, fill(material, "v")) +
  drawEllipse(240, 220, 72, 27, HOLE) +
  drawEllipse(240, 230, 66, 20, `fill="#fff"`) +
  drawPath("M150 200c30-26 90-38 150-28-60-2-106 10-134 40z", fillWhite(0.25));

const drawRings = (): string =>
  repeat(3, (i) =>
    move(
      0,
      i * 66,
      drawPath(
        "M76 180c0-62 328-62 328 0s-302 60-322 14l20-5c24 32 280 28 280-9s-286-44-286 0z",
        fill(i === 2 ? "cast" : "steel", "v"),
      ),
    ),
  );

const drawPiston = (metal: Material, isCoated = false): string =>
  drawPath("M126 150v160c0 44 18 62 50 66 16-28 30-40 64-40s48 12 64 40c32-4 50-22 50-66V150z", fill(metal, "h")) +
  (isCoated
    ? drawPath("M150 262v60c0 20 10 34 24 40 18-26 36-34 66-34V250c-40 10-70 12-90 12z", fill("cast", "h"))
    : "") +
  repeat(3, (i) => drawPath(`M126 ${178 + i * 24}c0 44 228 44 228 0v9c0 44-228 44-228 0z`, fill("cast", "h"))) +
  drawEllipse(240, 150, 114, 36, fill(metal, "d")) +
  drawEllipse(240, 150, 96, 29, fillBlack(0.06)) +
  drawPath("M206 146l34-10 34 10", `fill="none" stroke="#6e7780" stroke-width="4"`) +
  drawDisc(240, 292, 30, fill("steel", "d")) +
  drawDisc(240, 292, 20, HOLE) +
  drawPath("M222 296a20 20 0 0 0 36 0z", fill("cast", "v"));

const drawRod = (metal: Material): string =>
  drawPath("M222 120h36l16 190h-68z", fill(metal, "h")) +
  drawPath("M232 140h16l8 150h-32z", fillBlack(0.18)) +
  drawRing(240, 96, 46, 27, fill(metal, "d")) +
  drawRing(240, 96, 32, 26, fill("brass", "d")) +
  drawRing(240, 346, 74, 48, fill(metal, "d")) +
  drawLine("M166 348h26M288 348h26", 2.4, "#59626b") +
  drawRing(240, 346, 52, 46, fill("steel", "d")) +
  drawBox(160, 316, 24, 76, 5, fill("steel", "h")) +
  drawBox(296, 316, 24, 76, 5, fill("steel", "h")) +
  drawHexagon(172, 396, 14, fill("cast")) +
  drawHexagon(308, 396, 14, fill("cast"));

const drawCrankshaft = (isTapered: boolean): string =>
  (isTapered ? drawPath("M32 230 120 214v52l-88-10z", fill("steel", "l")) : drawTube(36, 240, 100, 24, "steel")) +
  drawLine("M70 234h40", 6, "#5d666f") +
  drawTube(112, 240, 52, 32, "steel") +
  drawPath("M152 132c26-14 48-6 52 10v220c-20 22-50 16-60-10z", fill("cast", "h")) +
  drawTube(200, 180, 60, 34, "steel") +
  drawPath("M262 132c26-14 48-6 52 10v220c-20 22-50 16-60-10z", fill("cast", "h")) +
  drawTube(306, 240, 50, 32, "steel") +
  drawPath(shapeTeeth(366, 240, 18, 46, 38), fill("steel", "l")) +
  drawTube(376, 240, 72, 22, "steel");

const drawCamshaft = (gear: Material): string =>
  drawTube(60, 240, 340, 17, "steel") +
  [
    [214, -1],
    [262, 1],
    [310, -1],
  ]
    .map(
      ([x = 0, side = 1]) =>
        drawEllipse(x, 240 + side * 14, 13, 46, fill("cast", "l")) +
        drawEllipse(x + 12, 240 + side * 14, 13, 46, fill("steel", "d")),
    )
    .join("") +
  drawEllipse(130, 240, 36, 112, fill(gear, "l")) +
  repeat(34, (i) => {
    const a = (i * 2 * Math.PI) / 34;
    return drawLine(
      `M${146 + 35 * Math.cos(a)} ${240 + 108 * Math.sin(a)}l${4 * Math.cos(a)} ${9 * Math.sin(a)}`,
      6,
      gear === "black" ? "#33383e" : "#98a2ab",
    );
  }) +
  drawEllipse(146, 240, 35, 108, fill(gear, "d")) +
  drawEllipse(146, 240, 22, 70, fillBlack(0.12)) +
  repeat(4, (i) => drawEllipse(146 + 16 * Math.cos(i * 1.57 + 0.7), 240 + 54 * Math.sin(i * 1.57 + 0.7), 5, 13, HOLE)) +
  drawTube(140, 240, 50, 24, "steel");

const drawRoundMuffler = (): string =>
  drawTube(52, 250, 60, 24, "steel") +
  drawEllipse(108, 250, 10, 34, fill("steel", "d")) +
  drawTube(124, 240, 210, 110, "cast", 46) +
  drawPath("M190 130v220M250 130v220", `stroke="#23282d" stroke-width="3" stroke-opacity=".5" fill="none"`) +
  drawEllipse(334, 240, 46, 110, fill("cast", "d")) +
  drawEllipse(334, 240, 34, 86, fillBlack(0.15)) +
  repeat(12, (i) => drawEllipse(326 + (i % 3) * 12, 200 + Math.floor(i / 3) * 26, 3, 6, HOLE)) +
  drawPath("M300 96h70l20 30h-60z", fill("steel", "d"));

const drawBoxMuffler = (hasSidePipe: boolean): string =>
  drawPath(
    "M84 196c0-14 10-24 24-28l164-40c18-4 40 2 60 10l56 24c10 5 14 14 14 24v92c0 16-8 26-24 32l-170 54c-14 4-30 2-42-4l-62-34c-14-8-20-18-20-34z",
    fill("cast", "d"),
  ) +
  drawPath(
    "M84 200c0 12 8 20 20 26l62 30c14 6 28 6 42 2l178-54c10-3 16-10 16-18v92c0 16-8 26-24 32l-170 54c-14 4-30 2-42-4l-62-34c-14-8-20-18-20-34z",
    fill("black", "d"),
  ) +
  drawLine("M84 236c0 12 8 20 20 26l62 30c14 6 28 6 42 2l194-58", 3, "#6b737b") +
  repeat(4, (i) => drawLine(`M${222 + i * 40} ${306 - i * 12}v32`, 9, "#0f1215")) +
  (hasSidePipe ? drawTube(372, 232, 66, 22, "steel") : drawCan(200, 130, 30, 46, "steel")) +
  drawDisc(130, 290, 12, fill("steel", "r")) +
  drawDisc(180, 318, 12, fill("steel", "r"));

const coil = "M120 250c0-160 240-160 240 0s-210 140-210 10 180-110 180-10-140 90-140 20";
const drawCable = (colour: Material): string =>
  drawHose(`M96 404c-40-60 24-90 24-154${coil.slice(8)}`, 13, colour) +
  drawLine("M96 404l-14 30M190 270c0-20 10-34 30-40", 5, "#aab3bb") +
  turn(24, drawBox(78, 378, 24, 44, 5, fill("steel", "h")), 90, 400) +
  drawDisc(80, 438, 11, fill("brass", "r")) +
  turn(-60, drawBox(180, 244, 22, 40, 5, fill("steel", "h")), 190, 264) +
  drawDisc(232, 222, 10, fill("brass", "r"));

const drawConsoleCable = (): string =>
  drawHose(`M84 396c-20-60 36-90 36-146${coil.slice(8)}`, 20, "black") +
  turn(24, drawTube(60, 412, 46, 30, "black", 10), 84, 400) +
  turn(24, drawEllipse(106, 412, 7, 22, fill("steel")), 84, 400) +
  turn(-50, drawBox(166, 236, 50, 64, 10, fill("black", "h")), 190, 266) +
  turn(-50, drawBox(176, 214, 30, 24, 4, fill("steel", "h")), 190, 266);

const drawSpring = (metal: Material, coils: number): string => {
  const step = 250 / coils;
  return (
    drawHose("M66 240a26 26 0 1 1 30 24h20", 11, metal) +
    repeat(coils, (i) =>
      drawHose(`M${118 + i * step} 286c${step * 0.7}-6 ${step * 0.9}-86 ${step * 0.4}-92`, 10, metal),
    ) +
    drawHose("M414 240a26 26 0 1 0-30-24h-16", 11, metal)
  );
};

/** Engine, starting and electrics, by the names of their pictures. */
export const ENGINE: Readonly<Record<string, string>> = {
  "starter-motor": createPicture(drawStarter("black"), 375, 190),
  "starter-motor-silver": createPicture(drawStarter("steel"), 375, 190),
  "recoil-starter-red": createPicture(drawRecoil("red"), 410, 170),
  "recoil-starter-black": createPicture(drawRecoil("black"), 410, 170),
  "voltage-regulator": createPicture(drawRegulator(), 370, 180),
  "oil-pump-gerotor": createPicture(drawGerotor(), 400, 160),
  "oil-pump-gear": createPicture(drawGearPump(), 390, 180),
  "head-gasket": createPicture(drawHeadGasket("steel"), 405, 160),
  "head-gasket-composite": createPicture(drawHeadGasket("composite"), 405, 160),
  "gasket-set": createPicture(drawGasketSet(), 410, 200),
  "oil-seal": createPicture(drawSeal("rubber"), 390, 160),
  "oil-seal-brown": createPicture(drawSeal("brown"), 390, 160),
  "piston-rings": createPicture(drawRings(), 400, 190),
  piston: createPicture(drawPiston("aluminium"), 410, 150),
  "piston-coated": createPicture(drawPiston("steel", true), 410, 150),
  "connecting-rod": createPicture(turn(38, drawRod("aluminium")), 425, 140),
  "crankshaft-tapered": createPicture(turn(-14, drawCrankshaft(true)), 390, 200),
  crankshaft: createPicture(turn(-14, drawCrankshaft(false)), 390, 200),
  "camshaft-steel": createPicture(turn(-22, drawCamshaft("steel")), 390, 190),
  "camshaft-composite": createPicture(turn(-22, drawCamshaft("black")), 390, 190),
  "muffler-round": createPicture(drawRoundMuffler(), 395, 180),
  "muffler-box": createPicture(drawBoxMuffler(false), 385, 190),
  "muffler-side": createPicture(drawBoxMuffler(true), 385, 190),
  "throttle-cable": createPicture(drawCable("black"), 420, 170),
  "throttle-cable-gray": createPicture(drawCable("cast"), 420, 170),
  "console-cable": createPicture(drawConsoleCable(), 420, 170),
  spring: createPicture(turn(-30, drawSpring("steel", 15)), 390, 170),
  "spring-long": createPicture(turn(-30, drawSpring("zinc", 21)), 390, 170),
  alternator: createPicture(drawAlternator("aluminium"), 400, 180),
  "work-light": createPicture(drawWorkLight(true), 415, 150),
  "work-light-halogen": createPicture(drawWorkLight(false), 415, 150),
  "seat-switch": createPicture(drawSwitch("black"), 390, 160),
};
