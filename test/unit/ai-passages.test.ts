import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { resolveEquipment, createModelNarrower } from "../../services/ai/fitment/equipment-of-manual.ts";
import { formatSchemaName } from "../../services/ai/manual-source.ts";
import { cutPage, toPassages, renderEmbeddingText } from "../../services/ai/passages.ts";

const HEADER = "Ref  Part No.  Description  Qty";
const row = (number: number): string =>
  `${number}  15964-8${String(number).padStart(3, "0")}  BOLT, HEX FLANGE M8 X ${number}  ${(number % 4) + 1}`;

describe("passages of a page", () => {
  test("a short page is one, and an empty one none", () => {
    expect(cutPage("Change the oil every 50 hours.")).toEqual([{ text: "Change the oil every 50 hours." }]);
    expect(cutPage(" \n\n \n")).toEqual([]);
  });

  test("rows of a table stay whole, and each passage begins with the words that head their columns", () => {
    const rows = Array.from({ length: 60 }, (_, at) => row(at + 1));
    const pieces = cutPage(["FIGURE 7: MOWER DECK", HEADER, ...rows].join("\n"));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces[0]!.text.split("\n").slice(0, 2)).toEqual(["FIGURE 7: MOWER DECK", HEADER]);
    for (const { text, heading } of pieces) {
      expect(text).toContain(HEADER);
      expect(heading).toBe("FIGURE 7: MOWER DECK");
      expect(text.length).toBeLessThanOrEqual(1_000 + HEADER.length + 1);
    }
    expect(pieces.flatMap(({ text }) => text.split("\n")).filter((line) => /^\d/.test(line))).toEqual(rows);
  });

  test("a heading begins a passage and goes with what it stands over", () => {
    const prose = "Park on level ground and let the engine cool before you begin. ".repeat(6).trim();
    expect(cutPage(`BLADE REMOVAL\n${prose}\nOIL CHANGE\n${prose}`)).toEqual([
      { text: `BLADE REMOVAL\n${prose}`, heading: "BLADE REMOVAL" },
      { text: `OIL CHANGE\n${prose}`, heading: "OIL CHANGE" },
    ]);
    expect(cutPage("SERVICE\nOIL CHANGE\n3.2 Draining the oil\nDrain it warm.")).toEqual([
      { text: "SERVICE\nOIL CHANGE\n3.2 Draining the oil\nDrain it warm.", heading: "3.2 Draining the oil" },
    ]);
  });

  test("long prose is cut behind sentences", () => {
    const sentence = "The carburetor is adjusted with the engine warm and the choke open.";
    const pieces = cutPage(Array.from({ length: 60 }, () => sentence).join(" "));
    for (const { text } of pieces) {
      expect(text.endsWith(".")).toBe(true);
      expect(text.length).toBeLessThanOrEqual(1_000);
    }
    for (const { text } of pieces.slice(0, -1)) expect(text.length).toBeGreaterThan(600);
  });

  test("nothing is lost, moved or cut through, for any page", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,-]{1,12}$/);
    const line = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(" ")),
      fc.array(word, { minLength: 2, maxLength: 5 }).map((cells) => cells.join("  ")),
      fc.constantFrom("", HEADER, "FIGURE 3: ENGINE", "IMPORTANT", "x".repeat(3_000)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const pieces = cutPage(lines.join("\n"));
        const characters = (text: string): string => text.replaceAll(HEADER, "").replace(/\s/g, "");
        expect(characters(pieces.map(({ text }) => text).join("\n"))).toBe(characters(lines.join("\n")));
        for (const { text } of pieces) {
          expect(text.trim()).not.toBe("");
          const hasLongLine = text.split("\n").some((each) => each.length > 1_000);
          if (!hasLongLine) expect(text.length).toBeLessThanOrEqual(1_000 + HEADER.length + 1);
          expect(text.length).toBeLessThanOrEqual(2_400);
        }
        const rows = lines
          .map((each) => each.trim())
          .filter((each) => / {2,}/.test(each) && each !== HEADER && each.length <= 1_000);
        const kept = pieces.flatMap(({ text }) => text.split("\n"));
        for (const each of rows) expect(kept).toContain(each);
      }),
      { numRuns: 200 },
    );
  });

  test("have their schema and equipment, and are embedded with them", () => {
    const figures = [{ label: "7", title: "Mower Deck", page: 7, images: [] }];
    const made = toPassages(
      [
        { page: 7, text: "Two bolts hold the blade.", figure: "7" },
        { page: 8, text: "Grease it." },
      ],
      {
        figures,
        equipment: ["GT-2254", "GT-2260"],
        onlyOfPage: new Map([[8, ["GT-2260"]]]),
      },
    );
    expect(made).toEqual([
      { page: 7, text: "Two bolts hold the blade.", schema: "Figure 7: Mower Deck", equipment: ["GT-2254", "GT-2260"] },
      { page: 8, text: "Grease it.", equipment: ["GT-2260"] },
    ]);
    expect(renderEmbeddingText(made[0]!)).toBe("GT-2254, GT-2260. Figure 7: Mower Deck\nTwo bolts hold the blade.");
  });
});

describe("the equipment of a manual", () => {
  test("is what it names, else what it calls itself", () => {
    expect(resolveEquipment({ equipment: ["GT-2254", " GT-2254 ", ""], title: "Parts", filename: "a.pdf" })).toEqual([
      "GT-2254",
    ]);
    expect(resolveEquipment({ equipment: [], title: "Tiller parts", filename: "a.pdf" })).toEqual(["Tiller parts"]);
    expect(resolveEquipment({ equipment: [], title: " ", filename: "tiller-9.PDF" })).toEqual(["tiller-9"]);
  });

  test("a page is for those of its models that it names, and for all where it names none or all, or something else's", () => {
    const of = createModelNarrower({ equipment: ["GT-2254", "GT-2260"], manufacturer: "Meadow" });
    expect(of(["gt 2260"])).toEqual(["GT-2260"]);
    expect(of(["Meadow GT-2254"])).toEqual(["GT-2254"]);
    expect(of(["GT-2254", "GT-2260"])).toBeUndefined();
    expect(of([])).toBeUndefined();
    expect(of(["FS730V"])).toBeUndefined();
  });

  test("a page that names the maker's code alone is for all models, as the title has it beside one of them", () => {
    const manual = { equipment: ["68V7", "68W7", "F115TR", "LF115TR"], manufacturer: "Yamaha" };
    const narrow = createModelNarrower(manual, "F115TR/LF115TR (68V7)");
    expect(narrow(["68V7"])).toBeUndefined();
    expect(narrow(["68V7", "68W7"])).toBeUndefined();
    expect(narrow(["68V7", "LF115TR"])).toEqual(["68V7", "LF115TR"]);
    expect(createModelNarrower(manual, "(F115TR)")(["F115TR"])).toEqual(["F115TR"]);
  });

  test.each([
    [{ label: "7", title: "Mower Deck" }, "Figure 7: Mower Deck"],
    [{ label: "A", title: "" }, "Figure A"],
    [{ label: "", title: "Engine" }, "Engine"],
  ])("a schema is called %j", (figure, name) => expect(formatSchemaName(figure)).toBe(name));
});
