import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { answerFile, type FileAnswer, type FileRequest } from "../../broker/contract/file.ts";

/** Content of a paper, from top to bottom. All text is drawn as it is. */
export interface Paper {
  title: string;
  /** The shop's name, and the lines below it. */
  shop: readonly string[];
  /** A PNG above it. */
  logo?: Buffer | undefined;
  /** Blocks side by side. */
  blocks: readonly { label: string; lines: readonly string[] }[];
  columns: readonly Column[];
  /** Cells of each line, as many as there are columns. */
  rows: readonly (readonly string[])[];
  /** Labels and values below the table; the last one is the sum. */
  totals: readonly (readonly [string, string])[];
  notes: readonly string[];
  /** Time of the content, so that the same content gives the same bytes. */
  date: Date;
}

interface Column {
  label: string;
  /** Share of the width. */
  share: number;
  align?: "right";
}

/** Letter, in points. */
const [WIDTH, HEIGHT, MARGIN] = [612, 792, 48];
const INNER = WIDTH - 2 * MARGIN;
const BOTTOM = HEIGHT - MARGIN - 20;
const LOGO_HEIGHT = 40;

// Latin, Greek and Cyrillic; the standard fonts of PDF have western Latin alone.
const fonts = join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "standard_fonts");
const [PLAIN, BOLD] = ["Regular", "Bold"].map((style) => join(fonts, `LiberationSans-${style}.ttf`)) as [
  string,
  string,
];

/** A box stands for a character that the font lacks: who reads the paper must know. */
const MISSING_GLYPHS = "Some characters cannot be printed and are shown as boxes: the order in the console has them.";

/** Data that pdfkit keeps of the font in use. */
interface DrawnFont {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}

/** Returns the PDF of papers, each on as many pages as its rows need. */
export async function drawPapers(papers: readonly [Paper, ...Paper[]]): Promise<Buffer> {
  const [{ title, shop, date }] = papers;
  // Loaded for the first paper: it takes 10 MB.
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: title, Author: shop[0] ?? "", CreationDate: date, ModDate: date };
  const pdf = new PDFDocument({ size: [WIDTH, HEIGHT], margin: 0, bufferPages: true, font: PLAIN, info, lang: "en" });
  const pieces: Buffer[] = [];
  const finished = new Promise<void>((resolve, reject) => pdf.on("end", resolve).on("error", reject));
  pdf.on("data", (piece: Buffer) => pieces.push(piece));
  for (const paper of papers) {
    if (paper !== papers[0]) pdf.addPage();
    draw(pdf, paper);
  }
  pdf.end();
  await finished;
  return Buffer.concat(pieces);
}

function draw(pdf: PDFKit.PDFDocument, paper: Paper): void {
  const { title, shop, logo, blocks, columns, rows, totals, notes } = paper;
  const first = pdf.bufferedPageRange().count - 1;
  const { _font: plain } = pdf as unknown as DrawnFont;
  const hasGlyphs = (text: string): boolean =>
    [...text].every((character) => /\s/.test(character) || plain.font.hasGlyphForCodePoint(character.codePointAt(0)!));
  const texts = [title, ...shop, ...blocks.flatMap(({ lines }) => lines), ...rows.flat(), ...totals.flat()];
  const marks = texts.every(hasGlyphs) ? notes : [...notes, MISSING_GLYPHS];
  /** Draws text in a box and returns the y below it. */
  const put = (text: string, x: number, y: number, width: number, { bold = false, size = 9, right = false } = {}) => {
    pdf.font(bold ? BOLD : PLAIN, size).text(text, x, y, { width, align: right ? "right" : "left" });
    return y + pdf.heightOfString(text, { width });
  };
  const drawRule = (y: number): void =>
    void pdf
      .moveTo(MARGIN, y)
      .lineTo(WIDTH - MARGIN, y)
      .lineWidth(0.5)
      .stroke("#888");
  const drawLine = (cells: readonly string[], y: number, bold = false): number => {
    let [x, below] = [MARGIN, y];
    for (const [index, { share, align }] of columns.entries()) {
      const width = share * INNER;
      below = Math.max(below, put(cells[index] ?? "", x, y, width - 8, { bold, right: align === "right" }));
      x += width;
    }
    return below + 4;
  };
  const drawHeading = (y: number): number => {
    const below = drawLine(
      columns.map(({ label }) => label),
      y,
      true,
    );
    drawRule(below);
    return below + 6;
  };
  const measureHeight = (cells: readonly string[]): number => {
    pdf.font(PLAIN, 9);
    return Math.max(
      ...columns.map(({ share }, index) => pdf.heightOfString(cells[index] ?? "", { width: share * INNER - 8 })),
    );
  };

  let y = put(title, MARGIN, MARGIN, INNER * 0.6, { bold: true, size: 18 });
  let besides = MARGIN;
  if (logo) {
    const fit: [number, number] = [INNER * 0.4, LOGO_HEIGHT];
    pdf.image(logo, MARGIN + INNER * 0.6, MARGIN, { fit, align: "right" });
    besides += LOGO_HEIGHT + 8;
  }
  for (const [index, text] of shop.entries())
    besides = put(text, MARGIN + INNER * 0.6, besides, INNER * 0.4, { bold: index === 0, right: true });
  y = Math.max(y, besides) + 16;
  const width = INNER / Math.max(1, blocks.length);
  y =
    Math.max(
      ...blocks.map(({ label, lines }, index) => {
        const x = MARGIN + index * width;
        return lines.reduce(
          (position, text) => put(text, x, position, width - 12),
          put(label, x, y, width - 12, { bold: true }),
        );
      }),
      y,
    ) + 18;
  y = drawHeading(y);
  for (const cells of rows) {
    if (y + measureHeight(cells) > BOTTOM) {
      pdf.addPage();
      y = drawHeading(MARGIN);
    }
    y = drawLine(cells, y);
  }
  const tail = totals.length * 16 + marks.length * 30;
  if (y + tail > BOTTOM) {
    pdf.addPage();
    y = MARGIN;
  }
  drawRule(y);
  y += 6;
  for (const [index, [label, value]] of totals.entries()) {
    const bold = index === totals.length - 1;
    put(label, MARGIN + INNER * 0.5, y, INNER * 0.3, { bold, right: true });
    y = put(value, MARGIN + INNER * 0.8, y, INNER * 0.2 - 8, { bold, right: true }) + 3;
  }
  for (const note of marks) y = put(note, MARGIN, y + 10, INNER);
  const count = pdf.bufferedPageRange().count - first;
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(first + page);
    put(`${title} · page ${page + 1} of ${count}`, MARGIN, HEIGHT - MARGIN, INNER, { size: 8 });
  }
}

/** Answers a request for a PDF that no cache may keep. */
export function createPdfAnswer(request: FileRequest, pdf: Buffer): Promise<FileAnswer> {
  const etag = `"${createHash("sha256").update(pdf).digest("base64url").slice(0, 22)}"`;
  const facts = { type: "application/pdf", etag, bytes: pdf.length, cacheControl: "private, no-store" };
  return answerFile(request, { ...facts, disposition: "inline" }, (from, to) =>
    Promise.resolve(pdf.subarray(from, to + 1)),
  );
}
