import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import type { PageContent } from "../../packages/manual-reader/src/page.ts";

/** PDF files to read: made here, so that a test knows what is in them. */

type Document = InstanceType<typeof PDFDocument>;

/** A PDF that is drawn by pdfkit, on pages of 612 by 792 points without margins. */
export async function drawnPdf(
  draw: (document: Document) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ size: "LETTER", margin: 0, ...options });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  draw(document);
  document.end();
  await once(document, "end");
  return Buffer.concat(chunks);
}

const PARTS_LIST_COLUMNS = [72, 120, 240, 440, 500];

/** A parts list, as manuals draw one: its header and rows between ruled lines. */
export function drawPartsList(document: Document, parts: readonly (readonly string[])[]): void {
  const rows = [["Ref", "Part No.", "Description", "Qty"], ...parts];
  document.fontSize(10);
  rows.forEach((row, index) =>
    row.forEach((cell, column) =>
      document.text(cell, PARTS_LIST_COLUMNS[column]! + 4, 145 + 20 * index, { lineBreak: false }),
    ),
  );
  for (let line = 0; line <= rows.length; line += 1)
    document
      .moveTo(72, 140 + 20 * line)
      .lineTo(500, 140 + 20 * line)
      .stroke();
  for (const x of PARTS_LIST_COLUMNS)
    document
      .moveTo(x, 140)
      .lineTo(x, 140 + 20 * rows.length)
      .stroke();
}

/**
 * A PDF written by hand: a page for each content stream, with forms that any of them may draw as /F0, /F1 and so on,
 * and so many bytes without a meaning.
 */
export function writtenPdf(
  contents: readonly (string | Buffer)[],
  {
    forms = [],
    page = "",
    box = "0 0 612 792",
    padding = 0,
    encoding = "/WinAnsiEncoding",
  }: { forms?: readonly string[]; page?: string; box?: string; padding?: number; encoding?: string } = {},
): Buffer {
  const font = 3;
  const firstForm = 4;
  const firstPage = firstForm + forms.length;
  const named = forms.map((_, n) => `/F${n} ${firstForm + n} 0 R`).join(" ");
  const resources = `<< /Font << /H ${font} 0 R >> /XObject << ${named} >> >>`;
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(
      `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, n) => `${firstPage + 2 * n} 0 R`).join(" ")}] >>`,
    ),
    Buffer.from(`<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding ${encoding} >>`),
    ...forms.map((form) => stream(form, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources ${resources}`)),
    ...contents.flatMap((content, n) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] ${page} /Resources ${resources} /Contents ${firstPage + 2 * n + 1} 0 R >>`,
      ),
      stream(content),
    ]),
  ];
  const pieces = [Buffer.from("%PDF-1.7\n"), Buffer.alloc(padding, "% nothing but a remark\n")];
  let length = pieces[0]!.length + padding;
  const places: number[] = [];
  objects.forEach((object, n) => {
    places.push(length);
    const whole = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    pieces.push(whole);
    length += whole.length;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.concat([
    ...pieces,
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  ]);
}

function stream(content: string | Buffer, entries = ""): Buffer {
  const packed = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
}

/** Forms that draw each other ten times, nine levels deep: a page that draws the first never ends. */
export function endlessForms(): string[] {
  return Array.from({ length: 9 }, (_, n) => (n < 8 ? `/F${n + 1} Do `.repeat(10) : "0 0 m 9 9 l S"));
}

export const saying = (text: string): string => `BT /H 12 Tf 72 700 Td (${text}) Tj ET`;

/** The file's path. */
export function fileOf(pdf: Buffer | string): string {
  const file = join(mkdtempSync(join(tmpdir(), "partline-pdf-")), "file.pdf");
  writeFileSync(file, pdf);
  return file;
}

/** Loads pdf.js for most of a second: one for all files of a suite. */
let pageReader: Worker | undefined;

/** What the pages of a PDF hold, read in a thread as always. */
export async function contentsOf(pdf: Buffer): Promise<PageContent[]> {
  if (!pageReader) {
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    pageReader = new Worker(new URL("./page-contents.ts", import.meta.url), { execArgv });
    pageReader.on("exit", () => (pageReader = undefined));
  }
  pageReader.ref();
  pageReader.postMessage(fileOf(pdf));
  const [contents] = (await once(pageReader, "message")) as [PageContent[]];
  pageReader?.unref();
  return contents;
}

/** A picture of the list that `parts` are the rows of. */
export async function drawListPicture(parts: readonly (readonly string[])[]): Promise<Buffer> {
  const list = await drawnPdf((document) => drawPartsList(document, parts));
  const { createPdfReader } = await import("../../packages/manual-reader/index.ts");
  const reader = createPdfReader({ processes: 1, pageWithinMs: 100_000 });
  const drawing = await reader.draw(fileOf(list), 1, { width: 2_550 }).finally(() => reader.close());
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  const { default: sharp } = await import("sharp");
  const scale = drawing.width / 612;
  const [left, top, width, height] = [65, 132, 442, 20 * parts.length + 36].map((points) => Math.round(points * scale));
  return sharp(drawing.webp).extract({ left: left!, top: top!, width: width!, height: height! }).png().toBuffer();
}

/** A PDF whose second page has a live title and a list as a picture, without text. */
export function listPicturePdf(picture: Buffer, title: string): Promise<Buffer> {
  return drawnPdf((document) => {
    document.fontSize(16).text(title, 72, 72);
    document.addPage();
    document.fontSize(16).text("GEARBOX PARTS LIST", 72, 72);
    document.image(picture, 65, 132, { width: 442 });
  });
}
