import { describe, expect, test } from "@jest/globals";
import type { PageContent, TextBox } from "../src/page.ts";
import { createPaintedAreas } from "../src/pdf/painted.ts";
import { createTextRuns } from "../src/pdf/text-runs.ts";
import { quarters } from "../../../test/support/images.ts";
import { contentsOf, drawnPdf, saying, writtenPdf } from "../../../test/support/pdf.ts";

const readPage = async (pdf: Buffer | Promise<Buffer>): Promise<PageContent> => (await contentsOf(await pdf))[0]!;
const listTexts = ({ texts }: PageContent): string[] => texts.map(({ text }) => text);
const hiddenIn = ({ texts }: PageContent): (string | undefined)[][] => texts.map(({ text, hidden }) => [text, hidden]);
const near = (number: number): unknown => expect.closeTo(number, 0);

test("texts have their place, size and weight", async () => {
  const page = await readPage(
    drawnPdf((document) => {
      document.font("Helvetica").fontSize(10).text("Ignition coil", 100, 200);
      document.font("Helvetica-Bold").fontSize(20).text("Engine", 300, 400);
    }),
  );
  expect(page).toMatchObject({ number: 1, width: 612, height: 792 });
  expect(page.texts).toEqual([
    {
      text: "Ignition coil",
      x: near(100),
      y: near(200),
      width: near(50),
      height: near(9.7),
      fontSize: 10,
      angle: 0,
      isBold: false,
    },
    {
      text: "Engine",
      x: near(300),
      y: near(399),
      width: near(66.7),
      height: near(19.4),
      fontSize: 20,
      angle: 0,
      isBold: true,
    },
  ]);
});

test("words with a space between them are one text, what stands further apart is another", async () => {
  const page = await readPage(
    writtenPdf([
      "BT /H 10 Tf 72 700 Td [(Air) -278 (filter) -3000 (2) -40 (5)] TJ ET BT /H 10 Tf 10 Tc 72 600 Td (A) Tj ET",
    ]),
  );
  expect(listTexts(page)).toEqual(["Air filter", "25", "A"]);
});

test("small digits above and below a slash are a fraction, apart from a whole number before it", async () => {
  const fraction = (above: string, below: string): string =>
    `0 3 Td /H 5 Tf (${above}) Tj 2.8 -3 Td /H 10 Tf (/) Tj 2.8 -0.5 Td /H 5 Tf (${below}) Tj`;
  const page = await readPage(
    writtenPdf([
      `BT /H 10 Tf 72 700 Td (bolt) Tj 20 0 Td ${fraction("3", "8")} ET
       BT /H 10 Tf 72 600 Td (pin 2) Tj 22.2 0 Td ${fraction("1", "4")} ET`,
    ]),
  );
  expect(listTexts(page)).toEqual(["bolt", "3/8", "pin 2", "1/4"]);
  const [, , whole, quarter] = page.texts;
  expect(quarter!.x - whole!.x - whole!.width).toBeGreaterThan(1);
});

test("a line that is set in pieces, each with a state of its own, is one text", async () => {
  const page = await readPage(
    writtenPdf(["q BT /H 10 Tf 72 700 Td (16100-) Tj ET Q q BT /H 10 Tf 103.2 700 Td (Z0Y-813) Tj ET Q"]),
  );
  expect(listTexts(page)).toEqual(["16100-Z0Y-813"]);
});

test.each([
  [0, { x: near(72), y: near(83), angle: 0 }],
  [90, { x: near(697.4), y: near(72), angle: 90 }],
  [180, { x: near(506.7), y: near(697.4), angle: 180 }],
  [270, { x: near(83), y: near(506.7), angle: 270 }],
])("a page that is turned by %d degrees is described as it is seen", async (turn, place) => {
  const page = await readPage(writtenPdf([saying("Piston")], { page: `/Rotate ${turn}` }));
  expect([page.width, page.height]).toEqual(turn % 180 === 0 ? [612, 792] : [792, 612]);
  expect(page.texts).toEqual([expect.objectContaining({ text: "Piston", ...place })]);
});

test("lines are lines however they are drawn", async () => {
  const page = await readPage(
    writtenPdf([
      "72 700 m 272 700 l S 72 600 200 1 re f 72 500 100 50 re S 0.2 g 72 300 200 20 re f 1 g 72 200 200 1 re f",
    ]),
  );
  const rounded = page.lines.map(({ x, y, width, height }) => [x, y, x + width, y + height].map(Math.round));
  expect(rounded.slice(0, 2)).toEqual([
    [72, 92, 272, 92],
    [72, 192, 272, 192],
  ]);
  // The sides of the frame and the edges of the bar; white leaves nothing.
  expect(rounded).toHaveLength(2 + 4 + 4);
  expect(page.drawnPaths).toBe(0);
});

test("a bar of the colour behind it has no edges", async () => {
  const page = await readPage(writtenPdf(["0.8 g 100 600 200 100 re f 110 620 50 20 re f 0.5 g 110 650 50 20 re f"]));
  // Those of the first and of the darker one.
  expect(page.lines).toHaveLength(8);
});

test("curves and slanted lines are a drawing", async () => {
  const page = await readPage(
    drawnPdf((document) => {
      for (let n = 0; n < 30; n += 1)
        document
          .circle(300, 300, 10 + n)
          .stroke()
          .moveTo(n * 10, 0)
          .lineTo(n * 10 + 50, 80)
          .stroke();
    }),
  );
  expect(page).toMatchObject({ lines: [], drawnPaths: 60 });
});

test("images have their place", async () => {
  const picture = await quarters(200, 100).png().toBuffer();
  const page = await readPage(drawnPdf((document) => void document.image(picture, 50, 60, { width: 100 })));
  expect(page.images).toEqual([{ index: 1, x: near(50), y: near(60), width: near(100), height: near(50) }]);
});

test.each<[string, string, TextBox["hidden"]]>([
  ["drawn without ink", "q BT 3 Tr /H 12 Tf 72 700 Td (secret) Tj ET Q", "invisible-mode"],
  ["too small to read", "BT /H 0.5 Tf 72 700 Td (secret) Tj ET", "too-small"],
  ["white on white", "1 g BT /H 12 Tf 72 700 Td (secret) Tj ET", "no-contrast"],
  ["nearly white on white", "0.97 g BT /H 12 Tf 72 700 Td (secret) Tj ET", "no-contrast"],
  ["black on black", "0 g 60 690 200 30 re f BT /H 12 Tf 72 700 Td (secret) Tj ET", "no-contrast"],
  ["beside the page", "BT /H 12 Tf 900 700 Td (secret) Tj ET", "off-page"],
  ["outside of what is shown", "q 300 300 50 50 re W n BT /H 12 Tf 72 700 Td (secret) Tj ET Q", "off-page"],
  ["painted over", "BT /H 12 Tf 72 700 Td (secret) Tj ET 1 g 60 690 200 30 re f", "covered"],
])("text %s is marked", async (_how, content, reason) => {
  expect(hiddenIn(await readPage(writtenPdf([`${content} 0 g BT /H 12 Tf 72 400 Td (seen) Tj ET`])))).toEqual([
    ["secret", reason],
    ["seen", undefined],
  ]);
});

test.each([
  ["white on a dark bar", "0 g 60 690 200 30 re f 1 g BT /H 12 Tf 72 700 Td (seen) Tj ET"],
  ["white on a thick line", "0 G 16 w 60 704 m 260 704 l S 1 g BT /H 12 Tf 72 700 Td (seen) Tj ET"],
  ["grey on white", "0.7 g BT /H 12 Tf 72 700 Td (seen) Tj ET"],
  ["in outlines", "1 g 0 G BT 1 Tr /H 12 Tf 72 700 Td (seen) Tj ET"],
  ["partly below a bar", "BT /H 12 Tf 72 700 Td (seen) Tj ET 1 g 60 690 20 30 re f"],
])("text %s is not", async (_how, content) => {
  expect(hiddenIn(await readPage(writtenPdf([content])))).toEqual([["seen", undefined]]);
});

test("text of a font that does not say which letters its glyphs are is marked on all of its page", () => {
  const look = { fontSize: 12, isBold: false, color: [0, 0, 0], hidden: undefined } as const;
  const printed = (text: string) => {
    const runs = createTextRuns(createPaintedAreas());
    for (let n = 0; n < 60; n += 1) runs.letter(text, look, [1, 0], [0, -1], [8 * n, 50], [8 * n + 8, 50]);
    runs.letter("4711", look, [1, 0], [0, -1], [8, 90], [32, 90]);
    return runs.finish().at(-1);
  };
  expect([printed("\u0003"), printed("A")]).toMatchObject([{ text: "4711", hidden: "glyph-codes" }, { text: "4711" }]);
  expect(printed("A")?.hidden).toBeUndefined();
});

test("text that is drawn twice at one place is one text", async () => {
  expect(listTexts(await readPage(writtenPdf([`${saying("Piston")} ${saying("Piston")}`])))).toEqual(["Piston"]);
});

describe("text that is printed several times a little beside itself, for bold or a shadow, is one text", () => {
  const SIZE = 12;
  const DIGIT = 0.556 * SIZE;
  const NUMBER = "77001100";
  const at = (x: number, text: string): string => `1 0 0 1 ${x.toFixed(3)} 700 Tm (${text}) Tj`;
  const prints = (x: number, text: string, offset: number, times: number): string =>
    Array.from({ length: times }, (_, nth) => at(x + nth * offset, text)).join(" ");
  const WAYS: Record<string, (x: number, offset: number, times: number) => string> = {
    "string by string": (x, offset, times) => prints(x, `${NUMBER} ${NUMBER}`, offset, times),
    "word by word": (x, offset, times) =>
      `${prints(x, `${NUMBER} `, offset, times)} ${prints(x + (NUMBER.length + 0.5) * DIGIT, NUMBER, offset, times)}`,
    "letter by letter": (x, offset, times) =>
      [...`${NUMBER} ${NUMBER}`]
        .map((letter, nth) => prints(x + (nth - (nth > NUMBER.length ? 0.5 : 0)) * DIGIT, letter, offset, times))
        .join(" "),
  };
  // Wherever it begins: places that are rounded differ at some of these.
  const starts = Array.from({ length: 11 }, (_, nth) => 110 + 0.2 * nth);

  test.each(Object.keys(WAYS))("%s", async (way) => {
    for (const [offset, times] of [
      [0, 2],
      [0.35, 2],
      [0.35, 4],
      [1, 2],
    ] as const) {
      const pages = starts.map((x) => `BT /H ${SIZE} Tf ${WAYS[way]!(x, offset, times)} ET`);
      const found = (await contentsOf(writtenPdf(pages))).map(listTexts);
      expect([offset, times, found]).toEqual([offset, times, pages.map(() => [`${NUMBER} ${NUMBER}`])]);
    }
  });

  test("and equal letters beside each other stay", async () => {
    const narrow = "Illinois: ...... |||| '' 1111 -- ,,";
    expect(listTexts(await readPage(writtenPdf([saying(narrow)])))).toEqual([narrow]);
  });
});
