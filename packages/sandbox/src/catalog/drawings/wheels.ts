import {
  createPicture,
  drawBox,
  drawEllipse,
  drawLine,
  drawPath,
  fill,
  fillBlack,
  fillWhite,
  HOLE,
  type Material,
  repeat,
  turn,
} from "./drawing.ts";

type Tread = "turf" | "lug" | "rib" | "trailer" | "smooth";

function drawTread(tread: Tread): string {
  const drawBar = (d1: string, w: number): string => drawLine(d1, w, "#141618");
  switch (tread) {
    case "turf":
      return repeat(13, (i) =>
        repeat(5, (j) =>
          turn(-6, drawBox(116 + j * 26, 82 + i * 25 + (j % 2) * 12, 17, 15, 4, fill("rubber", "d")), 180, 240),
        ),
      );
    case "lug":
      return repeat(9, (i) =>
        drawPath(`M80 ${84 + i * 38}l92 30v22l-92-26zM270 ${74 + i * 38}l-84 44v22l84-40z`, fill("rubber", "v")),
      );
    case "rib":
      return repeat(4, (i) =>
        drawBar(`M${126 + i * 34} ${84 + Math.abs(i - 1.5) * 10}c-6 100-6 210 0 ${312 - Math.abs(i - 1.5) * 20}`, 7),
      );
    case "trailer":
      return (
        repeat(3, (i) => drawBar(`M${140 + i * 38} 84c-6 100-6 210 0 312`, 6)) +
        repeat(14, (i) => drawBar(`M112 ${98 + i * 22}l20 8M240 ${98 + i * 22}l-20 8M162 ${104 + i * 22}l14-5`, 4))
      );
    case "smooth":
      return "";
  }
}

const drawTire = (tread: Tread): string =>
  drawPath("M180 66c-60 0-92 70-92 174s32 174 92 174h90V66z", fill("rubber", "h")) +
  `<clipPath id="tread"><path d="M180 66c-60 0-92 70-92 174s32 174 92 174h70V66z"/></clipPath><g clip-path="url(#tread)" opacity=".85">${drawTread(tread)}</g>` +
  drawEllipse(276, 240, 118, 174, fill("rubber", "d")) +
  drawEllipse(276, 240, 104, 156, fillBlack(0.18)) +
  drawEllipse(276, 240, 98, 148, fill("rubber", "r")) +
  drawPath("M196 160c20-46 56-66 90-66-40 10-62 40-74 76z", fillWhite(0.1)) +
  drawEllipse(278, 240, 66, 98, fill("black", "v")) +
  drawEllipse(284, 240, 58, 88, `fill="#fff"`) +
  drawPath("M284 152c-32 0-58 40-58 88s26 88 58 88c-18-14-30-46-30-88s12-74 30-88z", fillBlack(0.8));

const drawRim = (metal: Material, holes: number): string =>
  drawPath("M190 88c-50 0-82 66-82 152s32 152 82 152h100V88z", fill(metal, "h")) +
  drawPath("M196 104c-36 0-58 60-58 136s22 136 58 136h20V104z", fillBlack(0.1)) +
  drawEllipse(286, 240, 108, 160, fill(metal, "d")) +
  drawEllipse(290, 240, 94, 142, fillBlack(0.14)) +
  drawEllipse(292, 240, 90, 136, fill(metal, "d")) +
  drawEllipse(296, 240, 60, 92, fill(metal, "v")) +
  (holes > 5
    ? repeat(holes, (i) => {
        const a = (i * 2 * Math.PI) / holes;
        return drawEllipse(293 + 75 * Math.cos(a), 240 + 114 * Math.sin(a), 11, 15, HOLE);
      })
    : "") +
  repeat(5, (i) => {
    const a = (i * 2 * Math.PI) / 5 - 1.2;
    return drawEllipse(297 + 40 * Math.cos(a), 240 + 60 * Math.sin(a), 7, 10, HOLE);
  }) +
  drawEllipse(298, 240, 22, 34, HOLE) +
  drawBox(230, 118, 10, 26, 4, fill("brass", "h"));

const drawAssembly = (tread: Tread, rim: Material): string =>
  drawPath("M180 66c-60 0-92 70-92 174s32 174 92 174h90V66z", fill("rubber", "h")) +
  `<clipPath id="tread"><path d="M180 66c-60 0-92 70-92 174s32 174 92 174h70V66z"/></clipPath><g clip-path="url(#tread)" opacity=".85">${drawTread(tread)}</g>` +
  drawEllipse(276, 240, 118, 174, fill("rubber", "d")) +
  drawEllipse(276, 240, 104, 156, fillBlack(0.18)) +
  drawEllipse(276, 240, 98, 148, fill("rubber", "r")) +
  drawPath("M196 160c20-46 56-66 90-66-40 10-62 40-74 76z", fillWhite(0.1)) +
  drawEllipse(280, 240, 70, 104, fill(rim, "d")) +
  drawEllipse(284, 240, 60, 90, fillBlack(0.2)) +
  drawEllipse(286, 240, 56, 84, fill(rim, "d")) +
  repeat(5, (i) => {
    const a = (i * 2 * Math.PI) / 5 - 1.2;
    return drawEllipse(288 + 32 * Math.cos(a), 240 + 48 * Math.sin(a), 6, 9, HOLE);
  }) +
  drawEllipse(290, 240, 20, 30, fill("cast", "d")) +
  drawEllipse(292, 240, 12, 18, HOLE);

/** Tires and wheels, by the names of their pictures. */
export const WHEELS: Readonly<Record<string, string>> = {
  "tire-turf": createPicture(drawTire("turf"), 425, 160),
  "tire-lug": createPicture(drawTire("lug"), 425, 160),
  "tire-rib": createPicture(drawTire("rib"), 425, 160),
  "tire-trailer": createPicture(drawTire("trailer"), 425, 160),
  "wheel-galvanized": createPicture(drawRim("steel", 5), 420, 160),
  "wheel-silver": createPicture(drawRim("aluminium", 8), 420, 160),
  "wheel-white": createPicture(drawRim("white", 5), 420, 160),
  "wheel-mini-mod": createPicture(drawRim("white", 8), 420, 160),
  "assembly-turf": createPicture(drawAssembly("turf", "white"), 430, 170),
  "assembly-rib": createPicture(drawAssembly("rib", "aluminium"), 430, 170),
  "assembly-flat-free": createPicture(drawAssembly("smooth", "yellow"), 430, 170),
};
