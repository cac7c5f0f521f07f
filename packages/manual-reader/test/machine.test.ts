import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parse } from "yaml";
import { Evidence } from "../src/models/evidence.ts";
import { identifyMachine, type Machine } from "../src/models/machine.ts";

interface Written {
  filename?: string;
  title?: string;
  /** A cover, as headlines. */
  cover: string;
  /** Pages behind it. */
  pages?: string[];
  listed?: string[];
}

/** Lines are separated by slashes with blanks around them. */
const identify = ({ filename = "scan.pdf", title, cover, pages = [], listed = [] }: Written): Machine => {
  const toText = (lines: string): string => lines.split(" / ").join("\n");
  return identifyMachine({
    filename,
    title,
    pages: [
      { page: 1, text: toText(cover), headlines: cover.split(" / ") },
      ...pages.map((text, index) => ({ page: index + 2, text: toText(text) })),
    ],
    listed: new Set(listed),
  });
};

/** See the head of machine.yaml. */
type Case = Written & { about: string; models: string[]; maker?: string };

const { machines, titles } = parse(readFileSync(new URL("machine.yaml", import.meta.url), "utf8")) as {
  machines: Case[];
  titles: Case[];
};

describe("the machine that a manual is for", () => {
  it.each<[string, Written, string[], string | undefined]>([
    ...machines.map(({ about, models, maker, ...written }): [string, Written, string[], string | undefined] => [
      about,
      written,
      models,
      maker,
    ]),
    [
      "what runs through all pages",
      {
        cover: "Wartung / Kapitel 9",
        pages: ["1", "2", "3"].map((page) => `Bedienungsanleitung Füllmaschine W-210 / Kapitel 9 / Seite ${page}`),
      },
      ["W-210"],
      undefined,
    ],
    [
      "all of a family in the head of each page's table",
      {
        cover: "PARTS CATALOG / Suzuki",
        pages: ["1", "2", "3", "4"].map(
          (page) =>
            `Remarks / Fig. ${page} / ${page}.COVER / (A)=4KX30-TEU (C)=4KX30F-TEU / (B)=4KX30C-TEU / REF. NO. / ` +
            Array.from({ length: 8 }, (_, row) => `${row} BOLT ${page}${row}`).join(" / "),
        ),
      },
      ["4KX30-TEU", "4KX30C-TEU", "4KX30F-TEU"],
      "Suzuki",
    ],
    [
      "a name with a figure, and no code of a part of it",
      {
        cover: "Instructions SeedMax 500 / QRT 8-32 / Original instructions",
        pages: [
          "© Nordvik AB, Lund, Sweden",
          ...Array.from({ length: 10 }, (_, step) => `${step} Set the SeedMax 500`),
        ],
      },
      ["SeedMax 500"],
      "Nordvik",
    ],
    [
      "no type of a component further back",
      {
        cover: "BX400 / Service Manual",
        pages: ["BX400 / Contents"].concat(
          [1, 2, 3, 4].map((page) => `BX400 / Panel / Type No. : ZEC LTM185AT0${page} / Resolution`),
        ),
      },
      ["BX400"],
      undefined,
    ],
    [
      "the column of suppliers in a list whose numbers are spelled as the drawing's",
      {
        cover: `View Q018-0017 / Assembly Q018-0017 / ${[21, 22, 23, 24, 25, 26].map((n) => `${n} Q018-00${n} Stop TORVA`).join(" / ")}`,
        filename: "torva_press.pdf",
        listed: ["Q0180021", "Q0180022", "Q0180023", "Q0180024", "Q0180025", "Q0180026"],
      },
      [],
      "Torva",
    ],
    [
      "no code behind a revision, on each page",
      {
        cover: "Ann Reed Swing Arm Parts List - Rev 4 QXEE2117 - ACE / Swing Arm Parts List",
        filename: "swing_arm.pdf",
        pages: Array.from({ length: 3 }, (_, n) => `Ann Reed Swing Arm Parts List - Rev 4 QXEE2117 - ACE / ${n}`),
      },
      ["Swing Arm"],
      undefined,
    ],
  ])("is read from %s", (_, written, equipment, manufacturer) => {
    const machine = identify(written);
    expect(new Set(machine.equipment)).toEqual(new Set(equipment));
    expect(machine.manufacturer).toBe(manufacturer);
  });

  it("is asked for with suggestions, the likeliest first, where little speaks for it", () => {
    const { equipment, unsure } = identify({ cover: "Instruction Manual", filename: "bx2350.pdf" });
    expect(equipment).toEqual([]);
    expect(unsure).toEqual({ equipment: [{ name: "BX2350", confidence: 0.4 }], manufacturer: [] });
  });

  it.each<[string, Written, string[]]>([
    ...titles.map(({ about, models, ...written }): [string, Written, string[]] => [about, written, models]),
    [
      "on each page",
      {
        cover: "SILVER FOX components and parts Illustration-01",
        pages: ["2", "3", "4"].map(
          (page) => `No. Part Qty / ${page} Bolt ${page} / SILVER FOX components and parts Illustration-0${page}`,
        ),
      },
      ["SILVER FOX"],
    ],
  ])("is the name that is all of a title %s, to be confirmed", (_, written, equipment) => {
    const machine = identify(written);
    expect(machine.equipment).toEqual(equipment);
    expect(machine.unsure).toBeDefined();
  });

  it("asks for confirmation where the file's name alone has it, and its maker in front", () => {
    const { unsure, ...machine } = identify({
      cover: "Parts of the machine, as we deliver them / 1 Bolt",
      filename: "torvatec_bx2350.pdf",
    });
    expect(machine).toEqual({ equipment: ["BX2350"], manufacturer: "Torvatec" });
    expect(unsure).toEqual({
      equipment: [{ name: "BX2350", confidence: 0.61 }],
      manufacturer: [{ name: "Torvatec", confidence: 0.45 }],
    });
  });

  it("is not asked for where the manual is clear, or its sender said it", () => {
    const clear = {
      cover: "Kubota L3400 / Operator's Manual / Model L3400",
      pages: ["Genuine Kubota parts", "Kubota Corporation"],
    };
    expect(identify(clear)).toEqual({ equipment: ["L3400"], manufacturer: "Kubota" });
    const pages = [{ page: 1, text: "Parts" }];
    expect(identifyMachine({ filename: "a.pdf", pages }, { equipment: ["ZX-1"], manufacturer: "Own" })).toEqual({
      equipment: ["ZX-1"],
      manufacturer: "Own",
    });
  });

  it("is the surer, the more sources say the same, and never certain", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 8 }),
        (weights) => {
          const evidence = new Evidence((name) => name.toUpperCase());
          let before = 0;
          for (const [index, weight] of weights.entries()) {
            evidence.add(index % 2 === 0 ? "gx1" : "GX1", `source ${index}`, weight);
            const [{ confidence } = { confidence: 0 }, ...others] = evidence.rank();
            expect(others).toEqual([]);
            expect(confidence).toBeGreaterThanOrEqual(before);
            before = confidence;
          }
          expect(before).toBeLessThanOrEqual(1);
          // The same source again adds nothing.
          evidence.add("gx1", "source 0", weights[0]!);
          expect(evidence.rank()[0]!.confidence).toBe(before);
        },
      ),
    );
  });
});
