import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PAPER_WORDS, type PaperLanguage } from "./words.ts";

/** Content of a paper, from top to bottom. All text is drawn as it is. */
export interface Paper {
  /** Of the words that the paper adds itself, and for who has it read aloud. */
  language: PaperLanguage;
  title: string;
  /** The shop's name, and the lines below it. */
  shop: readonly string[];
  /** How to reach the shop, and until when things can be returned: at the end of each page. */
  contact: readonly string[];
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

/** The shop's face: a PNG in place of its name in big letters, and a colour. */
export interface Face {
  logo?: Buffer | undefined;
  colour: string;
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
const BOTTOM = HEIGHT - MARGIN - 28;
const LOGO_HEIGHT = 40;
/** The shop's tokens (packages/web/DESIGN.md), on white. */
const [INK, SOFT, LINE, SUNK] = ["#16202b", "#45515f", "#c3cad2", "#edefea"];

// Latin, Greek and Cyrillic; the standard fonts of PDF have western Latin alone.
const fonts = join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "standard_fonts");
const PLAIN = join(fonts, "LiberationSans-Regular.ttf");
const BOLD = join(fonts, "LiberationSans-Bold.ttf");

/** Data that pdfkit keeps of the font in use. */
interface DrawnFont {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}

/** Returns the PDF of papers, each on as many pages as its rows need. */
export async function drawPapers(papers: readonly [Paper, ...Paper[]], face: Face = { colour: INK }): Promise<Buffer> {
  const [{ title, shop, date, language: lang }] = papers;
  // Loaded for the first paper: it takes 10 MB.
  const { default: PDFDocument } = await import("pdfkit");
  const info = { Title: title, Author: shop[0] ?? "", CreationDate: date, ModDate: date };
  const pdf = new PDFDocument({ size: [WIDTH, HEIGHT], margin: 0, bufferPages: true, font: PLAIN, info, lang });
  const pieces: Buffer[] = [];
  const finished = new Promise<void>((resolve, reject) => pdf.on("end", resolve).on("error", reject));
  pdf.on("data", (piece: Buffer) => pieces.push(piece));
  for (const paper of papers) {
    if (paper !== papers[0]) pdf.addPage();
    draw(pdf, paper, face);
  }
  pdf.end();
  await finished;
  return Buffer.concat(pieces);
}

function draw(pdf: PDFKit.PDFDocument, paper: Paper, { logo, colour }: Face): void {
  const { title, shop, contact, blocks, columns, rows, totals, notes } = paper;
  const words = PAPER_WORDS[paper.language];
  const first = pdf.bufferedPageRange().count - 1;
  const { _font: plain } = pdf as unknown as DrawnFont;
  const hasGlyphs = (text: string): boolean =>
    [...text].every(
      (character) => /\s/.test(character) || plain.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
  const texts = [title, ...shop, ...blocks.flatMap(({ lines }) => lines), ...rows.flat(), ...totals.flat()];
  const marks = texts.every(hasGlyphs) ? notes : [...notes, words.glyphsMissing];
  /** Draws text in a box and returns the y below it. */
  const put = (
    text: string,
    x: number,
    y: number,
    width: number,
    { bold = false, size = 9.5, right = false, ink = INK } = {},
  ) => {
    pdf.font(bold ? BOLD : PLAIN, size).fillColor(ink);
    pdf.text(text, x, y, { width, align: right ? "right" : "left" });
    return y + pdf.heightOfString(text, { width });
  };
  const drawRule = (y: number, ink = LINE, thickness = 0.5, x = MARGIN): void =>
    void pdf.rect(x, y, WIDTH - MARGIN - x, thickness).fill(ink);
  const drawLine = (cells: readonly string[], y: number, look: Parameters<typeof put>[4] = {}): number => {
    let [x, below] = [MARGIN, y];
    for (const [index, { share, align }] of columns.entries()) {
      const width = share * INNER;
      const right = align === "right";
      below = Math.max(below, put(cells[index] ?? "", x + 6, y, width - 12, { ...look, right }));
      x += width;
    }
    return below + 5;
  };
  const drawHeading = (y: number): number => {
    const labels = columns.map(({ label }) => label);
    const height = measureHeight(labels, BOLD, 8) + 12;
    pdf.rect(MARGIN, y, INNER, height).fill(SUNK);
    drawLine(labels, y + 6, { bold: true, size: 8, ink: SOFT });
    return y + height + 6;
  };
  const measureHeight = (cells: readonly string[], font = PLAIN, size = 9.5): number => {
    pdf.font(font, size);
    return Math.max(
      ...columns.map(({ share }, index) => pdf.heightOfString(cells[index] ?? "", { width: share * INNER - 12 })),
    );
  };

  const half = INNER / 2;
  const [name = "", ...below] = shop;
  if (logo) pdf.image(logo, MARGIN, MARGIN, { fit: [half, LOGO_HEIGHT] });
  let left = logo
    ? MARGIN + LOGO_HEIGHT + 8
    : put(name, MARGIN, MARGIN, half, { bold: true, size: 18, ink: colour }) + 4;
  for (const text of logo ? shop : below) left = put(text, MARGIN, left, half, { size: 8.5, ink: SOFT });
  const right = put(title, MARGIN + half, MARGIN, half, { bold: true, size: 16, right: true });
  let y = Math.max(left, right) + 30;
  drawRule(y - 16, colour, 2);
  const width = INNER / Math.max(1, blocks.length);
  const ends = blocks.map(({ label, lines }, index) => {
    const x = MARGIN + index * width;
    const start = put(label, x, y, width - 12, { bold: true, size: 8, ink: SOFT }) + 3;
    return lines.reduce((position, text) => put(text, x, position, width - 12) + 1, start);
  });
  y = drawHeading(Math.max(...ends, y) + 20);
  for (const cells of rows) {
    if (y + measureHeight(cells) > BOTTOM) {
      pdf.addPage();
      y = drawHeading(MARGIN);
    }
    y = drawLine(cells, y);
    drawRule(y);
    y += 6;
  }
  if (y + totals.length * 20 + marks.length * 30 > BOTTOM) {
    pdf.addPage();
    y = MARGIN;
  }
  y += 4;
  for (const [index, [label, value]] of totals.entries()) {
    const isSum = index === totals.length - 1;
    if (isSum) drawRule(y, INK, 1, MARGIN + half);
    if (isSum) y += 8;
    const look = isSum ? { bold: true, size: 13 } : { ink: SOFT };
    const labelEnd = put(label, MARGIN + half, y, half * 0.6, look);
    y = Math.max(labelEnd, put(value, MARGIN + half * 1.6, y, half * 0.4 - 6, { ...look, ink: INK, right: true })) + 5;
  }
  for (const note of marks) y = put(note, MARGIN, y + 10, INNER);
  const count = pdf.bufferedPageRange().count - first;
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(first + page);
    drawRule(HEIGHT - MARGIN - 8);
    const look = { size: 8, ink: SOFT };
    put(contact.join(" · "), MARGIN, HEIGHT - MARGIN, INNER * 0.6, look);
    put(`${title} · ${words.formatPage(page + 1, count)}`, MARGIN + half, HEIGHT - MARGIN, half, {
      ...look,
      right: true,
    });
  }
}
