import { afterAll, expect, test } from "@jest/globals";
import { childrenOf, childrenRunning, freezeTheBusy } from "../../../test/support/children.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { colourAt, pngBomb, quarters } from "../../../test/support/images.ts";
import { drawnPdf, endlessForms, fileOf, saying, writtenPdf } from "../../../test/support/pdf.ts";
import { createPdfReader, type PdfReader, type PdfReaderOptions, type ReadPage } from "../src/pdf/reader.ts";

const PROCESS = "manual-reader/src/pdf/process.ts";
/** By their options: a process takes longer to start than most tests. */
const readers = new Map<string, PdfReader>();

afterAll(async () => {
  await Promise.all([...readers.values()].map((reader) => reader.close()));
});

function reader(options: PdfReaderOptions = {}): PdfReader {
  const key = JSON.stringify(options);
  const made = readers.get(key) ?? createPdfReader({ processes: 1, ...options });
  readers.set(key, made);
  return made;
}

async function readPages(made: PdfReader, file: string, to: number, from = 1): Promise<ReadPage[]> {
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
  expect(await made.open(file)).toEqual({ pages: 3, chapters: [] });
  expect((await readPages(made, file, 3)).map((page) => [page.page, said(page)])).toEqual([
    [1, "first"],
    [2, "second"],
    [3, "third"],
  ]);
  expect((await readPages(made, file, 3, 2)).map(said)).toEqual(["second", "third"]);
});

test("a page whose letters are outlines is a picture of a list, one of circles is a drawing", async () => {
  const file = fileOf(
    await drawnPdf((document) => {
      const draw = (end: () => void): void => {
        for (let row = 0; row < 12; row += 1)
          for (let letter = 0; letter < 30; letter += 1) {
            document.circle(60 + 8 * letter, 80 + 30 * row, 3);
            end();
          }
      };
      draw(() => void document.fill());
      for (let row = 0; row < 12; row += 1)
        document
          .moveTo(50, 95 + 30 * row)
          .lineTo(560, 95 + 30 * row)
          .stroke();
      document.addPage();
      draw(() => void document.stroke());
    }),
  );
  await reader().open(file);
  const pages = await readPages(reader(), file, 2);
  expect(pages.map((read) => "findings" in read && [read.findings.isScanned, read.findings.hasListPictures])).toEqual([
    [true, true],
    [false, undefined],
  ]);
});

test.each([
  ["an empty file", () => Buffer.alloc(0), "EMPTY"],
  ["a text", () => Buffer.from("PK\x03\x04 this is no PDF"), "NOT_A_PDF"],
  ["a header and nothing else", () => Buffer.from("%PDF-1.7\n"), "DAMAGED"],
  [
    "a file that breaks off",
    async () => (await drawnPdf((document) => void document.text("Hello ".repeat(500)))).subarray(0, 900),
    "DAMAGED",
  ],
  [
    "an encrypted file",
    () => drawnPdf((document) => void document.text("Hello"), { userPassword: "secret" }),
    "ENCRYPTED",
  ],
  [
    "a file of more pages than are read",
    () => writtenPdf([saying("a"), saying("b"), saying("c"), saying("d")]),
    "TOO_MANY_PAGES",
  ],
])("%s is refused with its reason", async (_name, make, code) => {
  const refused = await reader({ maxPages: 3 }).open(fileOf(await make()));
  expect(refused).toEqual({ refused: { code, reason: expect.stringMatching(/^The file /) } });
});

test("a file reports its title and its chapters, without entries that lead to no page", async () => {
  const outlined = (info: object, add: (document: PDFKit.PDFDocument) => void) =>
    drawnPdf(
      (document) => {
        document.text("Cover");
        document.addPage().text("Engine");
        add(document);
      },
      { info, compress: false },
    );
  const flat = await outlined({ Title: " GT-9\nParts Manual\u200b " }, ({ outline }) => {
    outline.addItem("Engine");
    outline.addItem("Elsewhere");
  });
  // The second entry leads to an object that is not there.
  const at = flat.lastIndexOf("/Dest [") + "/Dest [".length;
  flat.write("9".repeat(flat.indexOf(" ", at) - at), at);
  const nested = await outlined({}, ({ outline }) => void outline.addItem("The whole book").addItem("Engine"));
  expect(await reader().open(fileOf(flat))).toEqual({
    pages: 2,
    title: "GT-9 Parts Manual",
    chapters: [{ title: "Engine", page: 2 }],
  });
  expect(await reader().open(fileOf(nested))).toEqual({ pages: 2, chapters: [{ title: "Engine", page: 2 }] });
});

test("files that cannot be opened leave no memory behind", async () => {
  const made = reader({ memoryMb: 150 });
  const attached = Buffer.alloc(10_000_000, "bulk");
  const file = fileOf(
    await drawnPdf((document) => void document.file(attached, { name: "bulk.txt" }), {
      userPassword: "secret",
      compress: false,
    }),
  );
  const openTimes = async (times: number): Promise<void> => {
    for (let opened = 0; opened < times; opened += 1)
      expect(await made.open(file)).toMatchObject({ refused: { code: "ENCRYPTED" } });
  };
  const otherPids = childrenRunning(PROCESS);
  await openTimes(1);
  const [own] = childrenRunning(PROCESS).filter((pid) => !otherPids.includes(pid));
  // It is gone where it held too much.
  const measureResidentMb = (): number =>
    childrenOf(process.pid).find(({ pid }) => pid === own)?.residentMb ?? Infinity;
  const residentAtFirst = measureResidentMb();
  await openTimes(24);
  expect(measureResidentMb() - residentAtFirst).toBeLessThan(120);
});

test("the pages of a file that cannot be opened are reported as failed", async () => {
  expect((await readPages(reader(), fileOf("nothing"), 2)).map(said)).toEqual(["DAMAGED", "DAMAGED"]);
});

test("a page that never ends is given up, alone", async () => {
  const file = fileOf(writtenPdf([saying("first"), "/F0 Do", saying("third")], { forms: endlessForms() }));
  const made = reader({ pageWithinMs: 10_000, memoryMb: 2_000 });
  const endFreezing = freezeTheBusy(PROCESS);
  const pages = await readPages(made, file, 3).finally(endFreezing);
  expect(pages.map(said)).toEqual(["first", "TIMEOUT", "third"]);
  expect(pages[1]).toEqual({ page: 2, failed: { code: "TIMEOUT", reason: "It took longer than 10 s" } });
});

test("a page that takes too much memory is given up, alone", async () => {
  const file = fileOf(writtenPdf([saying("first"), "0 0 m 9 9 l S ".repeat(2_000_000), saying("third")]));
  expect((await readPages(reader({ memoryMb: 120, pageWithinMs: 100_000 }), file, 3)).map(said)).toEqual([
    "first",
    "MEMORY",
    "third",
  ]);
});

test("an image of too many pixels is left out, and the page is read", async () => {
  const bomb = await pngBomb(8_000, 8_000);
  const file = fileOf(
    await drawnPdf(
      (document) => void document.image(bomb, 0, 0, { width: 100 }).fontSize(12).text("beside it", 200, 300),
    ),
  );
  const [page] = await readPages(reader(), file, 1);
  expect(page).toMatchObject({
    images: [],
    refusedImages: ["The image has more than 36 megapixels"],
    findings: { text: "beside it" },
  });
});

test("an image that is far larger than its entry says costs its own page at most", async () => {
  const image = fileOf(await quarters(64, 64).jpeg().toBuffer());
  const pdf = await drawnPdf(
    (document) => {
      for (const text of ["first", "second", "third"]) {
        document.addPage().fontSize(12).text(text, 200, 300);
        if (text === "second") document.image(image, 0, 0, { width: 100, height: 100 });
      }
    },
    { autoFirstPage: false },
  );
  // The frame's height and width, behind its marker, length and depth.
  pdf.fill(0xff, pdf.indexOf(Buffer.from("ffc00011", "hex")) + 5, pdf.indexOf(Buffer.from("ffc00011", "hex")) + 9);
  const pages = await readPages(reader(), fileOf(pdf), 3);
  expect([said(pages[0]!), said(pages[2]!)]).toEqual(["first", "third"]);
  expect(["second", "MEMORY", "DAMAGED"]).toContain(said(pages[1]!));
  expect(pages[1]).not.toMatchObject({ images: [{ webp: expect.anything() }] });
});

test.each([
  ["a mile wide", "0 0 1000000000 20"],
  ["a mile high", "0 0 20 1000000000"],
  ["as large as a country", "0 0 1000000000 1000000000"],
  ["of no size", "0 0 0 0"],
  ["from right to left", "612 792 0 0"],
  ["of no numbers", "/a /b /c /d"],
])("a page %s is read and drawn as any other", async (_name, box) => {
  const made = reader();
  const file = fileOf(writtenPdf(["BT /H 4 Tf 2 2 Td (small) Tj ET"], { box }));
  expect((await readPages(made, file, 1)).map(said)).toEqual(["small"]);
  const drawing = await made.draw(file, 1);
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  expect(Math.max(drawing.width, drawing.height)).toBeLessThanOrEqual(16_383);
  expect(drawing.width * drawing.height).toBeLessThanOrEqual(16_000_000);
});

test("a page whose process is killed is read by another, and given up only when that happens again and again", async () => {
  const made = reader();
  const file = fileOf(writtenPdf(["first", "second", "third"].map(saying)));
  const kill = (): void => childrenRunning(PROCESS).forEach((pid) => process.kill(pid, "SIGKILL"));
  const pages: ReadPage[] = [];
  await made.read(file, 1, 3, (page) => {
    pages.push(page);
    kill();
  });
  expect(pages.map(said)).toEqual(["first", "second", "third"]);
  const killing = setInterval(kill, 5);
  expect(await made.open(file)).toEqual({
    refused: { code: "DAMAGED", reason: "The process that worked on it ended" },
  });
  clearInterval(killing);
  expect(await made.open(file)).toEqual({ pages: 3, chapters: [] });
});

test("a file of nearly 100 MB, and one of 5,000 pages, are read as any other", async () => {
  const made = reader();
  const large = fileOf(writtenPdf([saying("first"), saying("second")], { padding: 99_000_000 }));
  expect(await made.open(large)).toEqual({ pages: 2, chapters: [] });
  expect((await readPages(made, large, 2)).map(said)).toEqual(["first", "second"]);
  const long = fileOf(writtenPdf(Array.from({ length: 5_000 }, (_, index) => saying(`sheet ${index + 1}`))));
  expect(await made.open(long)).toEqual({ pages: 5_000, chapters: [] });
  expect((await readPages(made, long, 5_000, 4_998)).map(said)).toEqual(["sheet 4998", "sheet 4999", "sheet 5000"]);
});

test("images come as WebP, each once", async () => {
  const picture = await quarters(200, 100).png().toBuffer();
  const path = fileOf(picture);
  const file = fileOf(
    await drawnPdf(
      (document) => void document.image(path, 50, 60, { width: 200 }).image(path, 50, 300, { width: 100 }),
    ),
  );
  const [page] = await readPages(reader(), file, 1);
  if (!page || "failed" in page) throw new Error("The page was not read");
  expect(page.images.map(({ index }) => index)).toEqual([1]);
  expect(page.images[0]).toMatchObject({ width: 200, height: 100 });
  const webp = "webp" in page.images[0]! ? Buffer.from(page.images[0].webp) : Buffer.alloc(0);
  expect(
    await Promise.all(
      [
        [10, 10],
        [190, 10],
        [10, 90],
        [190, 90],
      ].map(([x, y]) => colourAt(webp, x!, y!)),
    ),
  ).toEqual(["red", "green", "blue", "white"]);
});

test("a page is drawn as it is seen", async () => {
  const file = fileOf(
    await drawnPdf(
      (document) => void document.rect(0, 0, 306, 792).fill("#dc1e1e").rect(306, 0, 306, 396).fill("#1e1edc"),
    ),
  );
  const drawing = await reader().draw(file, 1, { width: 306 });
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  expect([drawing.width, drawing.height]).toEqual([306, 396]);
  const webp = Buffer.from(drawing.webp);
  expect(
    await Promise.all(
      [
        [50, 300],
        [250, 50],
        [250, 350],
      ].map(([x, y]) => colourAt(webp, x!, y!)),
    ),
  ).toEqual(["red", "blue", "white"]);
});

test("a JPEG on several pages is kept at the size that is needed, and drawn on each of them before and after", async () => {
  const jpeg = await quarters(2_400, 1_200).jpeg().toBuffer();
  const file = fileOf(
    await drawnPdf((document) => {
      for (let page = 1; page <= 3; page += 1) {
        if (page > 1) document.addPage();
        document.image(jpeg, 0, 0, { width: 612, height: 792 });
      }
    }),
  );
  const countColours = (image: Uint8Array, width: number, height: number) =>
    Promise.all(
      [0.25, 0.75].flatMap((y) =>
        [0.25, 0.75].map((x) => colourAt(Buffer.from(image), Math.round(x * width), Math.round(y * height))),
      ),
    );
  const drawnColours = async (page: number) => {
    const drawing = await reader().draw(file, page, { width: 306 });
    if ("failed" in drawing) throw new Error(drawing.failed.reason);
    return countColours(drawing.webp, drawing.width, drawing.height);
  };
  const four = ["red", "green", "blue", "white"];
  expect(await drawnColours(1)).toEqual(four);
  for (const page of await readPages(reader(), file, 3)) {
    const [image] = "failed" in page ? [] : page.images;
    if (!image || "refused" in image) throw new Error("It has no image");
    expect([image.width, image.height]).toEqual([2_000, 1_000]);
    expect(await countColours(image.webp, image.width, image.height)).toEqual(four);
  }
  for (const page of [3, 1, 2]) expect(await drawnColours(page)).toEqual(four);
  expect((await readPages(reader(), file, 3)).map((page) => "images" in page && page.images.length)).toEqual([1, 1, 1]);
});

test("a picture of a page is said to be one, and read by OCR in the languages that are given", async () => {
  const written = fileOf(
    await drawnPdf((document) => void document.fontSize(16).text("Kühlerlüfter, groß 16100-Z0Y-813", 72, 100)),
  );
  const drawing = await reader().draw(written, 1, { width: 1_600 });
  if ("failed" in drawing) throw new Error(drawing.failed.reason);
  const { default: sharp } = await import("sharp");
  const png = await sharp(drawing.webp).png().toBuffer();
  const scan = fileOf(await drawnPdf((document) => void document.image(png, 0, 0, { width: 612, height: 792 })));
  expect((await readPages(reader(), scan, 1))[0]).toMatchObject({
    findings: { isScanned: true, isRecognised: false, text: "" },
  });
  const [recognised] = await readPages(
    reader({ languages: ["eng", "deu"], pageWithinMs: 100_000, memoryMb: 400 }),
    scan,
    1,
  );
  expect(recognised).toMatchObject({
    findings: { isScanned: true, isRecognised: true, text: "Kühlerlüfter, groß 16100-Z0Y-813" },
  });
});

test("who stops it gets the reason, and the next file is read", async () => {
  const made = reader({ pageWithinMs: 100_000, memoryMb: 2_000 });
  const file = fileOf(writtenPdf([saying("first"), "/F0 Do"], { forms: endlessForms() }));
  const stop = new AbortController();
  const reading = made.read(file, 1, 2, () => stop.abort(new Error("cancelled")), { signal: stop.signal });
  await expect(reading).rejects.toThrow("cancelled");
  expect((await readPages(made, three(), 1)).map(said)).toEqual(["first"]);
});

test("who stops it while others are read waits no longer", async () => {
  const made = reader({ pageWithinMs: 1_500, memoryMb: 2_000 });
  const endless = made.read(fileOf(writtenPdf(["/F0 Do"], { forms: endlessForms() })), 1, 1, () => {});
  const isFirst = Promise.race([
    endless.then(() => "endless"),
    expect(made.open(three(), { signal: AbortSignal.timeout(50) }))
      .rejects.toThrow("timeout")
      .then(() => "stopped"),
  ]);
  expect(await isFirst).toBe("stopped");
  await endless;
  // A busy machine may take longer than a page may over the start of the next process.
  await eventually(async () => (await readPages(made, three(), 1)).map(said)[0] === "first");
});

test("what fails where pages are taken ends the reading", async () => {
  const made = reader();
  const taken: number[] = [];
  await expect(
    made.read(three(), 1, 3, ({ page }) => {
      taken.push(page);
      throw new Error("no room");
    }),
  ).rejects.toThrow("no room");
  expect(taken).toEqual([1]);
  expect((await readPages(made, three(), 1)).map(said)).toEqual(["first"]);
});

test("many files at once wait for their turn", async () => {
  const made = reader({ processes: 2 });
  const files = Array.from({ length: 12 }, (_, n) => fileOf(writtenPdf([saying(`file ${n}`)])));
  const pages = await Promise.all(files.map((file) => readPages(made, file, 1)));
  expect(pages.flat().map(said)).toEqual(files.map((_, n) => `file ${n}`));
});
