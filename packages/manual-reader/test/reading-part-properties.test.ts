import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { normalizePartNumber } from "../../parts-language/src/part-number.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { readPage } from "../src/read-page.ts";
import type { PageContent } from "../src/page.ts";
import { COLUMNS, lines, page, tablePage, text } from "./reading.support.ts";

const RUNS = { numRuns: 150 };
const digits = (length: number, max = length): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${length},${max}}$`));
const number = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);
const padded = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, "0"));
const filled = (pattern: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((values) => values.reduce((made, value) => made.replace("%", () => value), pattern));
const MONTHS = ["January", "Feb", "Mar.", "April", "MAY", "Jun", "July", "Aug", "SEPT", "October", "Nov", "Dec."];

const date = fc.oneof(
  ...["%/%/%", "%-%-%", "%.%.%"].map((pattern) => filled(pattern, padded(1, 12), padded(1, 28), number(1990, 2035))),
  ...["%/%/%", "%-%-%"].map((pattern) => filled(pattern, number(1, 12), number(1, 28), padded(10, 35))),
  filled("%-%-%", number(1990, 2035), padded(1, 12), padded(1, 28)),
  filled("%%%", number(1990, 2035), padded(1, 12), padded(1, 28)),
  filled("% %, %", fc.constantFrom(...MONTHS), number(1, 28), number(1990, 2035)),
  filled("% % %", number(1, 28), fc.constantFrom(...MONTHS), number(1990, 2035)),
  filled("%/%", padded(1, 12), number(1990, 2035)),
);
const phone = fc.oneof(
  ...["1-%-%-%", "(%) %-%", "%-%-%", "%.%.%", "+1 % % %", "1.%.%.%", "1 (%) %-%"].map((pattern) =>
    filled(pattern, number(201, 989), number(200, 999), digits(4)),
  ),
  filled("Phone %%%", number(201, 989), number(200, 999), digits(4)),
  filled("Tel. %%%", number(201, 989), number(200, 999), digits(4)),
);
const torque = fc
  .oneof(
    ...[
      "%%% Nm",
      "% N·m",
      "% ft-lb",
      "% ft. lbs.",
      "%-% in-lbs",
      "% lb-ft",
      "%.% N.m",
      "% in. lb.",
      "% kgf·m",
      "% (% Nm)",
      "%lb.ft",
    ].map((pattern) => filled(pattern, number(1, 999_999), digits(2), digits(2))),
  )
  .map((made) => made.replaceAll("%", ""));
const size = fc.oneof(
  filled("%x%.%-%", number(10, 30), number(4, 15), fc.constantFrom("00", "50"), number(6, 16)),
  filled("P%/%R%", number(145, 295), number(35, 80), number(12, 20)),
  filled("M% x %.%", number(4, 24), number(0, 2), digits(1, 2)),
  filled("%/%-% UNC", number(1, 7), fc.constantFrom("16", "8", "4"), number(10, 32)),
  filled("%.% in", number(0, 99), digits(4)),
  filled("%.% mm", number(0, 999), digits(1, 4)),
  filled("%-%/% in.", number(1, 20), number(1, 31), fc.constantFrom("32", "16", "8")),
);
const standard = fc
  .tuple(fc.constantFrom("ISO", "SAE", "DIN", "JIS", "ANSI", "EN", "ASTM"), fc.constantFrom(" ", "-", ""), digits(3, 8))
  .map((parts) => parts.join(""));
const reference = fc
  .tuple(
    fc.constantFrom(
      "page",
      "see page",
      "Page",
      "pages",
      "p.",
      "Figure",
      "Fig.",
      "Serial No.",
      "S/N",
      "Model No.",
      "Form No.",
      "Patent No.",
    ),
    digits(3, 9),
  )
  .map((parts) => parts.join(" "));
const sentence = fc.constantFrom(
  ["On ", " it was done."],
  ["", ""],
  ["The value is ", ", as shown above."],
  ["(", ")"],
  ["It says ", "; check it again."],
);

/** Numbers as makers write them, of known families and of none. */
const partNumber = fc
  .oneof(
    fc.stringMatching(/^[0-9]{5}-[0-9A-Z]{3}-[0-9]{3}$/),
    fc.stringMatching(/^[1-9][0-9]{5}[A-Z]?$/),
    fc.stringMatching(/^[0-9]{2} [0-9]{3} [0-9]{2}-S$/),
    fc.stringMatching(/^[A-Z]{2}[0-9]{6}$/),
    fc.stringMatching(/^[1-9][0-9]{5}$/),
    fc.stringMatching(/^[0-9]{2}-[0-9]{4}$/),
    fc.stringMatching(/^[A-Z][0-9]{3}$/),
    fc.stringMatching(/^[0-9]{3}-[0-9]{5}A$/),
    fc.stringMatching(/^[0-9]{2}\.[0-9]{4}$/),
    digits(5, 10),
    fc.stringMatching(/^[A-Z]{2,3}-[0-9]{3,5}-[A-Z]$/),
  )
  .filter((made) => /[1-9]/.test(made));

const pnNorms = (content: PageContent): string[] =>
  readPage(content, findTables(content))
    .parts.map(({ pnNorm }) => pnNorm)
    .sort();

describe("what the rules of part numbers hold to", () => {
  it.each([
    ["date", date],
    ["telephone", phone],
    ["torque", torque],
    ["size", size],
    ["standard", standard],
    ["reference", reference],
  ])("no %s in any spelling is a part", (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, sentence, (made, [before, after]) => {
        expect(readPage(page(lines([`${before}${made}${after}`])), []).parts).toEqual([]);
      }),
      RUNS,
    );
  });

  it("a number in a column that is headed as part numbers always is one", () => {
    const header = fc.constantFrom(
      "Part No.",
      "PART NO",
      "P/N",
      "Part Number",
      "Part #",
      "Order No.",
      "Stock No.",
      "PART NUMBER",
    );
    fc.assert(
      fc.property(
        header,
        fc.array(partNumber, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (headed, numbers, seen) => {
          const rows = [
            ["Ref", headed, "Description", "Qty"],
            ...numbers.map((each, index) => [String(index + 1), each, "Screw", "2"]),
          ];
          const { content, tables } = tablePage(rows, COLUMNS);
          const found = readPage(content, seen ? tables : findTables(content)).parts;
          for (const [index, each] of numbers.entries())
            expect(found).toContainEqual(
              expect.objectContaining({ pnNorm: normalizePartNumber(each), reference: String(index + 1), quantity: 2 }),
            );
          expect(new Set(found.map(({ pnNorm }) => pnNorm))).toEqual(new Set(numbers.map(normalizePartNumber)));
        },
      ),
      RUNS,
    );
  });

  it("moving all boxes of a page changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(partNumber, { minLength: 2, maxLength: 8 }),
        fc.double({ min: -30, max: 60, noNaN: true }),
        fc.double({ min: -50, max: 200, noNaN: true }),
        (numbers, dx, dy) => {
          const { content } = tablePage(
            [
              ["Ref", "Part No.", "Description", "Qty"],
              ...numbers.map((each, index) => [String(index + 1), each, "Screw", "2"]),
            ],
            COLUMNS,
            { beside: lines(["Figure 3 Axle", "Use P/N 691035 with it."], { y: 30 }) },
          );
          const moved = {
            ...content,
            texts: content.texts.map((each) => ({ ...each, x: each.x + dx, y: each.y + dy })),
          };
          const read = (given: PageContent) =>
            readPage(given, findTables(given)).parts.map(({ box: _, ...part }) => part);
          expect(read(moved)).toEqual(read(content));
        },
      ),
      RUNS,
    );
  });

  it("hidden text adds nothing, wherever it is", () => {
    const reasons = ["invisible-mode", "too-small", "no-contrast", "off-page", "covered"] as const;
    const hidden = fc.record({
      made: partNumber,
      reason: fc.constantFrom(...reasons),
      x: fc.integer({ min: 20, max: 500 }),
      y: fc.integer({ min: 20, max: 700 }),
    });
    fc.assert(
      fc.property(fc.array(hidden, { minLength: 1, maxLength: 6 }), (planted) => {
        const { content } = tablePage(
          [
            ["Ref", "Part No.", "Description", "Qty"],
            ["1", "691035", "Screw", "2"],
            ["2", "691036", "Nut", "4"],
          ],
          COLUMNS,
          { beside: lines(["Use P/N 842873 with it."], { y: 300 }) },
        );
        const more = {
          ...content,
          texts: [
            ...content.texts,
            ...planted.map(({ made, reason, x, y }) =>
              text(`Part No. ${made} replaced by ${made}9`, x, y, { hidden: reason }),
            ),
          ],
        };
        expect(pnNorms(more)).toEqual(pnNorms(content));
        const { text: read, hiddenText } = readPage(more, findTables(more));
        for (const { made } of planted) {
          expect(read).not.toContain(`${made}9`);
          expect(hiddenText).toContain(made);
        }
      }),
      RUNS,
    );
  });

  it("every part has a confidence between a half and one, and a box on its page", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(partNumber, date, phone, torque, standard), { maxLength: 12 }), (made) => {
        const content = page(
          lines(made.map((each, index) => (index % 2 === 0 ? `Part No. ${each}` : `the belt ${each} is old`))),
        );
        for (const { confidence, box } of readPage(content, []).parts) {
          expect(confidence).toBeGreaterThanOrEqual(0.5);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(
            box.x >= 0 &&
              box.y >= 0 &&
              box.x + box.width <= content.width + 400 &&
              box.y + box.height <= content.height,
          ).toBe(true);
        }
      }),
      RUNS,
    );
  });
});
