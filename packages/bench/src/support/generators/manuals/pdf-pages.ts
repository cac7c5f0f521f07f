import PDFDocument from "pdfkit";
import type { Box } from "./box.ts";
import type { Planting } from "./truth.ts";
import { lineHeight, type Face, type Surface, type TextStyle } from "./surface.ts";

/**
 * `rotated` is a page that viewers turn; `sideways` one whose content lies on its side. Both are drawn on as on a
 * landscape page.
 */
export type Orientation = "portrait" | "rotated" | "sideways";

export type FontFamily = "Helvetica" | "Times" | "Courier";

const FONTS: Readonly<Record<FontFamily, Readonly<Record<Face, string>>>> = {
  Helvetica: { regular: "Helvetica", bold: "Helvetica-Bold", italic: "Helvetica-Oblique" },
  Times: { regular: "Times-Roman", bold: "Times-Bold", italic: "Times-Italic" },
  Courier: { regular: "Courier", bold: "Courier-Bold", italic: "Courier-Oblique" },
};

/** The same bytes for the same content. */
const CREATED = new Date("2019-06-14T08:00:00Z");

/** The pages of a PDF as it is written. Those that were added may be drawn on until it ends. */
export class PdfPages {
  private readonly document: PDFKit.PDFDocument;
  private readonly chunks: Buffer[] = [];
  private readonly family: FontFamily;
  private readonly size: readonly [width: number, height: number];
  private count = 0;

  constructor({
    title,
    author,
    family,
    size,
  }: {
    title: string;
    author: string;
    family: FontFamily;
    size: readonly [width: number, height: number];
  }) {
    this.family = family;
    this.size = size;
    this.document = new PDFDocument({
      autoFirstPage: false,
      bufferPages: true,
      margin: 0,
      info: { Title: title, Author: author, CreationDate: CREATED },
    });
    this.document.on("data", (chunk: Buffer) => this.chunks.push(chunk));
  }

  /** Number of pages, which is the number of the last one. */
  get last(): number {
    return this.count;
  }

  add(orientation: Orientation = "portrait"): PdfSurface {
    const [width, height] = this.size;
    this.document.addPage({ size: [width, height], margin: 0 });
    this.count += 1;
    if (orientation === "portrait") return new PdfSurface(this.document, FONTS[this.family], { width, height });
    // Up on the surface is left on the page.
    this.document.transform(0, -1, 1, 0, 0, height);
    if (orientation === "rotated") Object.assign(this.document.page.dictionary.data, { Rotate: 90 });
    const seen = ({ x, y, width: across, height: down }: Box): Box => ({
      x: y,
      y: height - x - across,
      width: down,
      height: across,
    });
    return new PdfSurface(this.document, FONTS[this.family], {
      width: height,
      height: width,
      seen: orientation === "sideways" ? seen : undefined,
    });
  }

  /** A portrait page that was added before. */
  again(page: number): PdfSurface {
    this.document.switchToPage(page - 1);
    const [width, height] = this.size;
    return new PdfSurface(this.document, FONTS[this.family], { width, height });
  }

  async end(): Promise<Buffer> {
    const ended = new Promise((resolve) => this.document.once("end", resolve));
    this.document.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}

export class PdfSurface implements Surface {
  readonly width: number;
  readonly height: number;
  private readonly document: PDFKit.PDFDocument;
  private readonly fonts: Readonly<Record<Face, string>>;
  private readonly seen: (box: Box) => Box;

  constructor(
    document: PDFKit.PDFDocument,
    fonts: Readonly<Record<Face, string>>,
    { width, height, seen = (box) => box }: { width: number; height: number; seen?: ((box: Box) => Box) | undefined },
  ) {
    this.document = document;
    this.fonts = fonts;
    this.width = width;
    this.height = height;
    this.seen = seen;
  }

  text(text: string, x: number, y: number, style: TextStyle): Box {
    this.use(style)
      .fillColor(style.color ?? "black")
      .text(text, x, y, { lineBreak: false });
    return this.seen({ x, y, width: this.widthOf(text, style), height: lineHeight(style) });
  }

  widthOf(text: string, style: TextStyle): number {
    return this.use(style).widthOfString(text);
  }

  line(x1: number, y1: number, x2: number, y2: number, thickness = 0.6): void {
    this.document.lineWidth(thickness).strokeColor("black").moveTo(x1, y1).lineTo(x2, y2).stroke();
  }

  rect(
    x: number,
    y: number,
    width: number,
    height: number,
    { fill, stroke }: { fill?: string; stroke?: string },
  ): void {
    if (fill) this.document.rect(x, y, width, height).fill(fill);
    if (stroke) this.document.lineWidth(0.6).rect(x, y, width, height).stroke(stroke);
  }

  polygon(points: readonly (readonly [x: number, y: number])[]): void {
    this.document
      .lineWidth(0.6)
      .polygon(...points.map(([x, y]) => [x, y]))
      .stroke("black");
  }

  circle(x: number, y: number, radius: number, { fill }: { fill?: string } = {}): void {
    this.document.lineWidth(0.6).circle(x, y, radius);
    if (fill) this.document.fillAndStroke(fill, "black");
    else this.document.stroke("black");
  }

  /** A JPEG, stretched over a box. */
  image(jpeg: Buffer, { x, y, width, height }: Box): void {
    this.document.image(jpeg, x, y, { width, height });
  }

  /** Text that nobody sees; `visible` is as any other. */
  plant(text: string, x: number, y: number, manner: Planting): void {
    const style: TextStyle = {
      face: "regular",
      size: manner === "tiny" ? 0.5 : 8,
      color: manner === "white" ? "white" : "black",
    };
    if (manner === "invisible-mode") this.document.save().addContent("3 Tr");
    this.text(text, x, y, style);
    if (manner === "invisible-mode") this.document.addContent("0 Tr").restore();
    if (manner === "covered")
      this.rect(x - 2, y - 2, this.widthOf(text, style) + 4, lineHeight(style) + 4, { fill: "#dddddd" });
  }

  private use({ face, size }: TextStyle): PDFKit.PDFDocument {
    return this.document.font(this.fonts[face]).fontSize(size);
  }
}
