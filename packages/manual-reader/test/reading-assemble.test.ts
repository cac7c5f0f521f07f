import { describe, expect, it } from "@jest/globals";
import { assemble } from "../src/assemble.ts";
import { listPagesToCheck } from "../src/parts/pages-to-check.ts";
import { unreadListsNote } from "../src/parts/unread-lists.ts";
import { readPage } from "../src/read-page.ts";
import { COLUMNS, lines, page, tablePage, text } from "./reading.support.ts";

const given = { sha256: "ab", filename: "gt-2254.pdf" };
const HEAD = ["Ref", "Part No.", "Description", "Qty"];
const list = (number: number, rows: string[][], beside: ReturnType<typeof lines> = []) => {
  const { content, tables } = tablePage(rows, COLUMNS, { number, beside });
  return readPage(content, tables);
};
const prose = (number: number, ...rows: string[]) => readPage(page(lines(rows), { number }), []);

describe("the note on a manual", () => {
  const ofPages = (...pages: ReturnType<typeof prose>[]) => unreadListsNote(assemble(pages, given).pages);

  it("names the pages with a list of parts if no part was read at all", () => {
    const none = list(2, [HEAD, ["1", "as required", "Nut", "1"]]);
    expect(none.parts).toEqual([]);
    const doubled = prose(5, "REF.REF. PART NO.PART NO. QTY.QTY.");
    const positions = prose(7, "Einzelteilliste", ...Array.from({ length: 10 }, (_, n) => `${10 + n} Sicherung`));
    expect(ofPages(prose(1, "Engine"), none, doubled, positions)).toBe(
      "No part was read, but a list of parts seems to begin on page 2, 5, 7: check the file",
    );
    expect(ofPages(none, list(3, [HEAD, ["1", "691035", "Nut", "1"]]))).toBeUndefined();
    expect(ofPages(prose(1, "Have the part number at hand when you call."))).toBeUndefined();
  });
});

describe("a manual that is put together", () => {
  it("takes no legend beside a figure's title for its limits, and the models for which its rows count", () => {
    const columns = [30, 120, 250, 400, 450, 500];
    const tables = tablePage(
      [
        ["REF", "PART NO.", "DESCRIPTION", "(A)", "(B)", "(C)"],
        ["1", "128377-42500", "PUMP", "1", "", ""],
        ["2", "128397-42500", "PUMP", "", "1", "1"],
      ],
      columns,
      {
        number: 2,
        beside: lines(
          [
            "Fig.4. PUMP(TK20-W) (A)=TK20-W (C)=TK20F-W",
            "(B)=TK20C-W",
            "Fig.5. COVER",
            "Models TK20-W, TK20C-W, TK20F-W",
          ],
          { y: 20 },
        ),
      },
    );
    const { pages } = assemble([readPage(tables.content, tables.tables)], {
      ...given,
      equipment: ["TK20-W", "TK20C-W", "TK20F-W"],
    });
    expect(pages[0]!.figures).toMatchObject([{ label: "4", title: "PUMP(TK20-W)" }, { label: "5" }]);
    expect(pages[0]!.models).toEqual(["TK20-W", "TK20C-W", "TK20F-W"]);
    expect(pages[0]!.parts[0]!.quantities).toEqual([
      { model: "TK20-W", quantity: 1 },
      { model: "TK20C-W", quantity: 0 },
      { model: "TK20F-W", quantity: 0 },
    ]);
  });

  it("has an index, headed by a series, say of each number what the lists say", () => {
    const numbers = [1, 2, 3, 4, 5, 6].map((n) => `12837${n}-42500`);
    const counted = tablePage(
      [
        ["REF", "PART NO.", "DESCRIPTION", "TK20-W", "TK20C-W"],
        ...numbers.map((number, n) => [String(n + 1), number, "PUMP", n === 0 ? "1" : "", "2"]),
      ],
      [30, 120, 250, 400, 480],
    );
    const index = list(
      2,
      [HEAD, ...numbers.map((number, n) => [String(n + 1), number, "PUMP", "2"])],
      lines(["MODEL : TK20-W SERIES"], { y: 40 }),
    );
    const { pages } = assemble([readPage(counted.content, counted.tables), index], {
      ...given,
      equipment: ["TK20-W", "TK20C-W"],
    });
    expect(pages[1]!.models).toEqual([]);
    expect(pages[1]!.parts.map(({ quantities }) => quantities?.map(({ model }) => model))).toEqual([
      ["TK20-W", "TK20C-W"],
      ...numbers.slice(1).map(() => ["TK20C-W"]),
    ]);
  });

  it("applies a replacement that one page names everywhere", () => {
    const { pages } = assemble(
      [list(1, [HEAD, ["1", "690111", "Nut", "1"]]), prose(9, "690111 replaced by 691036.")],
      given,
    );
    expect(pages[0]!.parts).toMatchObject([{ partNumber: "690111", replacedBy: "691036", quantity: 1 }]);
  });

  it("leaves out what OCR read of a list if most of its numbers are spelled as no others, and says so", () => {
    const numbers = [
      "2S04.03",
      "1I.9L-0.1",
      "J0L1FJ6-01",
      "90/4-.5.3-0.4",
      "V901-511-21",
      "90II-15-02.1",
      "9O14-6O.A7",
    ];
    const read = list(1, [HEAD, ...numbers.map((number, n) => [`${n + 1}`, number, "Gate", "1"])]);
    const readAs = (isRecognised: boolean) => assemble([{ ...read, isRecognised }], given).pages[0]!;
    expect(readAs(false).parts.length).toBeGreaterThan(5);
    expect(readAs(true).parts).toEqual([]);
    expect(listPagesToCheck([readAs(true)])).toEqual([{ page: 1, reason: "list_without_parts" }]);
  });

  it("leaves out a number at the same place of most pages", () => {
    const { pages } = assemble(
      [1, 2, 3, 4, 5].map((number) =>
        prose(number, "Order P/N 691035.", `Kit no. ${842_870 + number} is for page ${number}.`),
      ),
      given,
    );
    expect(pages.flatMap(({ parts }) => parts.map(({ partNumber }) => partNumber))).toEqual([
      "842871",
      "842872",
      "842873",
      "842874",
      "842875",
    ]);
  });

  it("leaves out the manual's own number, which is at the edge of most pages", () => {
    const contents = prose(1, "CONTENTS", "PC NO : 0CR10-G47101", "1. BLOCK");
    const rows = [5, 6, 7, 8, 9].map((n) => [String(n), `0CR1${n}-G4710${n}`, "Nut", "1"]);
    const lists = [2, 3, 4, 5].map((number) => list(number, [HEAD, ...rows], [text("0CR10-G47101", 50, 20)]));
    const { pages } = assemble([contents, ...lists], given);
    expect(contents.possible).toMatchObject([{ partNumber: "0CR10-G47101" }]);
    expect(pages[0]!.parts).toEqual([]);
  });

  it("knows model, maker and title from its first pages", () => {
    const title = readPage(
      page([
        text("Briggs & Stratton", 50, 60),
        text("GT-2254 Garden Tractor", 50, 100, { fontSize: 24 }),
        text("Illustrated Parts List", 50, 140),
        ...lines(["Model: 28N707 and LT2042", "Keep this list with the machine at all times."], { y: 300 }),
      ]),
      [],
    );
    const parts = list(2, [HEAD, ["1", "84123456", "Nut", "1"], ["2", "11013-7047", "Element", "1"]]);
    const { manual, pages } = assemble([parts, title], given);
    expect(manual).toMatchObject({
      sha256: "ab",
      filename: "gt-2254.pdf",
      title: "Illustrated Parts List",
      manufacturer: "Briggs & Stratton",
      pages: 2,
    });
    expect(new Set(manual.equipment)).toEqual(new Set(["GT-2254", "28N707", "LT2042"]));
    expect(pages[1]!.parts).toMatchObject([{ vendor: "BNS" }, { vendor: "KAW" }]);
  });

  it("believes its first sender", () => {
    const title = prose(1, "Kohler", "Model CH20S", "Parts Manual");
    const { manual } = assemble([title], { ...given, equipment: ["Command CH20"], manufacturer: "Kohler Co." });
    expect(manual).toMatchObject({ equipment: ["Command CH20"], manufacturer: "Kohler Co." });
    expect(assemble([title], { ...given, equipment: [] }).manual.equipment).toEqual(["CH20S"]);
  });

  it("of pages without a word is named after its file", () => {
    expect(assemble([readPage(page([]), [])], given).manual).toEqual({
      sha256: "ab",
      filename: "gt-2254.pdf",
      title: "gt-2254",
      equipment: [],
      unsure: { equipment: [{ name: "GT-2254", confidence: 0.4 }], manufacturer: [] },
      pages: 1,
      figures: [],
    });
  });

  it("is named by the file's own title if that names a manual and its first page does not", () => {
    const titleOf = (text: string, title: string) => assemble([prose(1, text)], { ...given, title }).manual.title;
    expect(titleOf("Model GT-2254", "GT-2254 Parts Manual")).toBe("GT-2254 Parts Manual");
    expect(titleOf("Illustrated Parts List", "GT-2254 Parts Manual")).toBe("Illustrated Parts List");
    expect(titleOf("Model GT-2254", "WS-PH016_layout.qxp")).toBe("Model GT-2254");
    const twoLines = prose(1, "Montage- und", "Kundendienst");
    expect(assemble([twoLines], given).manual.title).toBe("Montage- und Kundendienst");
  });

  it("is named by no header of a table", () => {
    const titleOf = (text: string, title?: string) => assemble([prose(1, text)], { ...given, title }).manual.title;
    const specification = list(1, [
      ["Код", "Обозначение", "Масса"],
      ["", "и техническая характеристика", ""],
      ["1", "12345-2", "2"],
      ["2", "12346-2", "1"],
    ]);
    expect(assemble([{ ...specification, text: `Код Масса\n${specification.text}` }], given).manual.title).toBe(
      "gt-2254",
    );
    expect(titleOf("Pos. Menge Einheit Benennung", "Getriebe 7")).toBe("Getriebe 7");
    expect(titleOf("Pos. Menge Einheit Benennung", "BOM.xlsx")).toBe("gt-2254");
    expect(titleOf("NOTES:")).toBe("gt-2254");
  });
});

describe("models of a page", () => {
  it.each([
    ["Model: GT-2254", ["GT-2254"]],
    ["Models HRX217VKA, HRX217HYA", ["HRX217VKA", "HRX217HYA"]],
    ["Model No. 28N707", ["28N707"]],
    ["MODEL NUMBERS: FR651V-AS00 / FR691V-AS00", ["FR651V-AS00", "FR691V-AS00"]],
    ["TX 53.05 Parts Manual", ["TX 53.05"]],
    ["MF 4710 Operator's Manual", ["MF 4710"]],
    ["Model year 2019 begins here", []],
    ["Form No. AB-1234 Parts Manual", []],
    ["Add SAE 30 oil, see the service manual", []],
  ])("%s", (line, models) => {
    expect(prose(5, line, "Some words about something else.").models).toEqual(models);
  });
});
