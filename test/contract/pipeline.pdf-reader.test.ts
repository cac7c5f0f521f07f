import { afterEach, expect, test } from "@jest/globals";
import { colourAt, pngBomb, quarters } from "../support/images.ts";
import { drawnPdf, endlessForms, fileOf, saying, writtenPdf } from "../support/pdf.ts";
import { createPdfReader, type PdfReader, type PdfReaderOptions, type ReadPage } from "../../services/pipeline/reading/pdf/reader.ts";

const readers: PdfReader[] = [];

afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

function reader(options: PdfReaderOptions = {}): PdfReader {
  const made = createPdfReader({ processes: 1, ...options });
  readers.push(made);
  return made;
}

async function pagesOf(made: PdfReader, file: string, to: number, from = 1): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  await made.read(file, from, to, (page) => void pages.push(page));
  return pages;
}

/** A page's text, or the code of its failure. */
const said = (page: ReadPage): string => ("failed" in page ? page.failed.code : page.findings.text);

const three = (): string => fileOf(writtenPdf([saying("first"), saying("second"), saying("third")]));

test("pages are read in order, from one to another", async () => {
  const made = reader();
  const file = three();
  expect(await made.open(file)).toEqual({ pages: 3 });
  expect((await pagesOf(made, file, 3)).map((page) => [page.page, said(page)])).toEqual([[1, "first"], [2, "second"], [3, "third"]]);
  expect((await pagesOf(made, file, 3, 2)).map(said)).toEqual(["second", "third"]);
});

test.each([
  ["an empty file", () => Buffer.alloc(0), "EMPTY"],
  ["a text", () => Buffer.from("PK\x03\x04 this is no PDF"), "NOT_A_PDF"],
  ["a header and nothing else", () => Buffer.from("%PDF-1.7\n"), "DAMAGED"],
  ["a file that breaks off", async () => (await drawnPdf((document) => void document.text("Hello ".repeat(500)))).subarray(0, 900), "DAMAGED"],
  ["an encrypted file", () => drawnPdf((document) => void document.text("Hello"), { userPassword: "secret" }), "ENCRYPTED"],
  ["a file of more pages than are read", () => writtenPdf([saying("a"), saying("b"), saying("c"), saying("d")]), "TOO_MANY_PAGES"],
])("%s is refused with its reason", async (_name, make, code) => {
  const refused = await reader({ maxPages: 3 }).open(fileOf(await make()));
  expect(refused).toEqual({ refused: { code, reason: expect.stringMatching(/^The file /) } });
});

test("the pages of a file that cannot be opened are told as failed", async () => {
  expect((await pagesOf(reader(), fileOf("nothing"), 2)).map(said)).toEqual(["DAMAGED", "DAMAGED"]);
});

test("a page that never ends is given up, alone", async () => {
  const file = fileOf(writtenPdf([saying("first"), "/F0 Do", saying("third")], { forms: endlessForms() }));
  const made = reader({ pageWithinMs: 2_000, memoryMb: 2_000 });
  const pages = await pagesOf(made, file, 3);
  expect(pages.map(said)).toEqual(["first", "TIMEOUT", "third"]);
  expect(pages[1]).toEqual({ page: 2, failed: { code: "TIMEOUT", reason: "It took longer than 2 s" } });
});

test("a page that takes too much memory is given up, alone", async () => {
  const file = fileOf(writtenPdf([saying("first"), "0 0 m 9 9 l S ".repeat(2_000_000), saying("third")]));
  expect((await pagesOf(reader({ memoryMb: 120, pageWithinMs: 100_000 }), file, 3)).map(said)).toEqual(["first", "MEMORY", "third"]);
});

test("an image of too many pixels is left out, and the page is read", async () => {
  const bomb = pngBomb(8_000, 8_000);
  const file = fileOf(await drawnPdf((document) => void document.image(bomb, 0, 0, { width: 100 }).fontSize(12).text("beside it", 200, 300)));
  const [page] = await pagesOf(reader(), file, 1);
  expect(page).toMatchObject({ images: [], refusedImages: ["The image has more than 36 megapixels"], findings: { text: "beside it" } });
});

test("images come as WebP, each once", async () => {
  const picture = await quarters(200, 100).png().toBuffer();
  const path = fileOf(picture);
  const file = fileOf(await drawnPdf((document) => void document.image(path, 50, 60, { width: 200 }).image(path, 50, 300, { width: 100 })));
  const [page] = await pagesOf(reader(), file, 1);
  if (!page || "failed" in page) throw new Error("The page was not read");
  expect(page.images.map(({ index }) => index)).toEqual([1]);
  expect(page.images[0]).toMatchObject({ width: 200, height: 100 });
  const webp = "webp" in page.images[0]! ? Buffer.from(page.images[0].webp) : Buffer.alloc(0);
  expect(await Promise.all([[10, 10], [190, 10], [10, 90], [190, 90]].map(([x, y]) => colourAt(webp, x!, y!)))).toEqual(["red", "green", "blue", "white"]);
});

test("a page is drawn as it is seen", async () => {
  const file = fileOf(await drawnPdf((document) => void document.rect(0, 0, 306, 792).fill("#dc1e1e").rect(306, 0, 306, 396).fill("#1e1edc")));
  const drawing = await reader().draw(file, 1, { width: 306 });
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  expect([drawing.width, drawing.height]).toEqual([306, 396]);
  const webp = Buffer.from(drawing.webp);
  expect(await Promise.all([[50, 300], [250, 50], [250, 350]].map(([x, y]) => colourAt(webp, x!, y!)))).toEqual(["red", "blue", "white"]);
});

test("a picture of a page is said to be one, and read by OCR where that is switched on", async () => {
  const written = fileOf(await drawnPdf((document) => void document.fontSize(16).text("Carburetor 16100-Z0Y-813", 72, 100)));
  const drawing = await reader().draw(written, 1, { width: 1_600 });
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  const { default: sharp } = await import("sharp");
  const png = await sharp(drawing.webp).png().toBuffer();
  const scan = fileOf(await drawnPdf((document) => void document.image(png, 0, 0, { width: 612, height: 792 })));
  expect((await pagesOf(reader(), scan, 1))[0]).toMatchObject({ findings: { isScanned: true, isRecognised: false, text: "" } });
  const [recognised] = await pagesOf(reader({ ocr: true, pageWithinMs: 100_000 }), scan, 1);
  expect(recognised).toMatchObject({ findings: { isScanned: true, isRecognised: true, text: "Carburetor 16100-Z0Y-813" } });
});

test("who stops it gets the reason, and the next file is read", async () => {
  const made = reader({ pageWithinMs: 100_000, memoryMb: 2_000 });
  const file = fileOf(writtenPdf([saying("first"), "/F0 Do"], { forms: endlessForms() }));
  const stop = new AbortController();
  const reading = made.read(file, 1, 2, () => stop.abort(new Error("cancelled")), { signal: stop.signal });
  await expect(reading).rejects.toThrow("cancelled");
  expect((await pagesOf(made, three(), 1)).map(said)).toEqual(["first"]);
});

test("who stops it while others are read waits no longer", async () => {
  const made = reader({ pageWithinMs: 3_000, memoryMb: 2_000 });
  const endless = made.read(fileOf(writtenPdf(["/F0 Do"], { forms: endlessForms() })), 1, 1, () => {});
  const isFirst = Promise.race([endless.then(() => "endless"), expect(made.open(three(), { signal: AbortSignal.timeout(50) })).rejects.toThrow("timeout").then(() => "stopped")]);
  expect(await isFirst).toBe("stopped");
  await endless;
  expect((await pagesOf(made, three(), 1)).map(said)).toEqual(["first"]);
});

test("what fails where pages are taken ends the reading", async () => {
  const made = reader();
  const taken: number[] = [];
  await expect(made.read(three(), 1, 3, ({ page }) => {
    taken.push(page);
    throw new Error("no room");
  })).rejects.toThrow("no room");
  expect(taken).toEqual([1]);
  expect((await pagesOf(made, three(), 1)).map(said)).toEqual(["first"]);
});

test("many files at once wait for their turn", async () => {
  const made = reader({ processes: 2 });
  const files = Array.from({ length: 12 }, (_, n) => fileOf(writtenPdf([saying(`file ${n}`)])));
  const pages = await Promise.all(files.map((file) => pagesOf(made, file, 1)));
  expect(pages.flat().map(said)).toEqual(files.map((_, n) => `file ${n}`));
});
