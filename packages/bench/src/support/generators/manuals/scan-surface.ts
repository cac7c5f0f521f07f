import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import { createCanvas, GlobalFonts, type Canvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Box } from "./box.ts";
import type { Random } from "../random.ts";
import { lineHeight, type Surface, type TextStyle } from "./surface.ts";

/** Pixels of a point: a scan of 150 dots per inch. */
const SCALE = 150 / 72;
const QUALITY = 60;
const FONT = "Scanned Sans";
const PAPER = "#f6f5f1";
const SPECKS = 60;

let fontsAreThere = false;

/** A picture that is drawn like a page; slightly askew, as what a scanner took. */
export class ScanSurface implements Surface {
  readonly width: number;
  readonly height: number;
  private readonly canvas: Canvas;
  private readonly context: SKRSContext2D;

  constructor(width: number, height: number, { random, askew }: { random: Random; askew: boolean }) {
    registerFonts();
    this.width = width;
    this.height = height;
    this.canvas = createCanvas(Math.round(width * SCALE), Math.round(height * SCALE));
    this.context = this.canvas.getContext("2d");
    this.context.scale(SCALE, SCALE);
    this.context.fillStyle = askew ? PAPER : "white";
    this.context.fillRect(0, 0, width, height);
    if (!askew) return;
    this.context.fillStyle = "#999";
    for (let speck = 0; speck < SPECKS; speck += 1)
      this.context.fillRect(random.integer(0, Math.floor(width)), random.integer(0, Math.floor(height)), 0.5, 0.5);
    this.context.rotate(random.integer(-6, 6) / 1_000);
  }

  text(text: string, x: number, y: number, style: TextStyle): Box {
    this.use(style);
    this.context.fillStyle = style.color ?? "#222";
    this.context.fillText(text, x, y);
    return { x, y, width: this.widthOf(text, style), height: lineHeight(style) };
  }

  widthOf(text: string, style: TextStyle): number {
    this.use(style);
    return this.context.measureText(text).width;
  }

  line(x1: number, y1: number, x2: number, y2: number, thickness = 0.6): void {
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.lineTo(x2, y2);
    this.stroke(thickness);
  }

  rect(
    x: number,
    y: number,
    width: number,
    height: number,
    { fill, stroke }: { fill?: string; stroke?: string },
  ): void {
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    if (fill) {
      this.context.fillStyle = fill;
      this.context.fill();
    }
    if (stroke) this.stroke();
  }

  polygon(points: readonly (readonly [x: number, y: number])[]): void {
    this.context.beginPath();
    for (const [x, y] of points) this.context.lineTo(x, y);
    this.context.closePath();
    this.stroke();
  }

  circle(x: number, y: number, radius: number, { fill }: { fill?: string } = {}): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill) {
      this.context.fillStyle = fill;
      this.context.fill();
    }
    this.stroke();
  }

  jpeg(): Buffer {
    return this.canvas.toBuffer("image/jpeg", QUALITY);
  }

  private use({ face, size }: TextStyle): void {
    this.context.textBaseline = "top";
    this.context.font = `${face === "bold" ? "bold " : face === "italic" ? "italic " : ""}${size}px "${FONT}"`;
  }

  private stroke(thickness = 0.6): void {
    this.context.lineWidth = thickness;
    this.context.strokeStyle = "#222";
    this.context.stroke();
  }
}

/** The fonts that the PDF reader brings with it: those of the machine differ. */
function registerFonts(): void {
  if (fontsAreThere) return;
  const folder = join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "standard_fonts");
  for (const name of ["Regular", "Bold", "Italic"])
    GlobalFonts.registerFromPath(join(folder, `LiberationSans-${name}.ttf`), FONT);
  fontsAreThere = true;
}
