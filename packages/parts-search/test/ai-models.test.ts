import { describe, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { toModelKey, type Model } from "../src/fitment-index/model-names.ts";
import { Models } from "../src/fitment-index/models.ts";

const KNOWN: Model[] = [
  { equipment: "GT-2254", manufacturer: "Cub Crafter" },
  { equipment: "GT-2254H", manufacturer: "Cub Crafter" },
  { equipment: "GT-2260", manufacturer: "Cub Crafter" },
  { equipment: "GTX 100 Garden Tractor", manufacturer: "Meadow" },
  { equipment: "Meadow RX-48B", manufacturer: "Meadow" },
  { equipment: "Ranger" },
  { equipment: "7720" },
  { equipment: "BS-900", manufacturer: "Briggs & Stratton" },
  { equipment: "9QM20F-W" },
];
const models = new Models(KNOWN);
const names = (found: readonly Model[]): string[] => found.map(({ equipment }) => equipment);

describe("equipment models as people type them", () => {
  test.each([
    ["GT-2254", ["GT-2254"]],
    ["gt2254", ["GT-2254"]],
    ["GT 2254", ["GT-2254"]],
    ["gt.2254", ["GT-2254"]],
    ["  Cub Crafter GT-2254 ", ["GT-2254"]],
    ["cubcrafter gt2254", ["GT-2254"]],
    ["GT-2254 mower", ["GT-2254"]],
    ["model GT-2254", ["GT-2254"]],
    ["GT2254h", ["GT-2254H"]],
    ["gtx100", ["GTX 100 Garden Tractor"]],
    ["Meadow GTX-100", ["GTX 100 Garden Tractor"]],
    ["RX 48B", ["Meadow RX-48B"]],
    ["meadow rx48b", ["Meadow RX-48B"]],
    ["ranger", ["Ranger"]],
    ["7720", ["7720"]],
  ])("%j is that one", (typed, expected) => expect(names(models.match(typed))).toEqual(expected));

  test.each([
    ["GT", ["GT-2254", "GT-2254H", "GT-2260"]],
    ["gt series", ["GT-2254", "GT-2254H", "GT-2260"]],
    ["GT-22xx", ["GT-2254", "GT-2254H", "GT-2260"]],
    ["gt225x", ["GT-2254", "GT-2254H"]],
    ["Cub Crafter", ["GT-2254", "GT-2254H", "GT-2260"]],
    ["RX-48", ["Meadow RX-48B"]],
  ])("%j is a family", (typed, expected) => expect(names(models.match(typed))).toEqual(expected));

  test.each([
    ["GT-225"],
    ["GT-22"],
    ["GT-22540"],
    ["2254"],
    ["T-2254"],
    ["772"],
    ["77201"],
    [""],
    ["---"],
    ["series"],
    ["G"],
    ["54"],
  ])("%j is none", (typed) => {
    expect(models.match(typed)).toEqual([]);
  });

  test.each([
    ["Series 60", "Series 60"],
    ["Meadow Series 60", "Series 60"],
    ["blade for a Series 60", "Series 60"],
    ["Type 12345", "Type 12345"],
    ["Model 8N Parts Catalog", "Model 8N Parts Catalog"],
    ["Operator's Manual", "Operator's Manual"],
    ["operator’s manual", "Operator's Manual"],
    ["operator-manual", "Operator's Manual"],
    ["model GT-2254 series", "GT-2254"],
  ])("%j is one whose name has such words", (typed, equipment) => {
    const named = ["Series 60", "Type 12345", "Model 8N Parts Catalog", "Operator's Manual", "GT-2254"];
    const known = new Models(named.map((each) => ({ equipment: each, manufacturer: "Meadow" })));
    expect(names(known.match(typed))).toEqual([equipment]);
    if (typed === equipment) expect(names(known.findNamed(typed))).toEqual([equipment]);
  });

  test("of a text, the models that it names in full", () => {
    expect(names(models.findNamedIn("What carburetor fits my Cub Crafter GT 2254, or the RX-48B's?"))).toEqual([
      "GT-2254",
      "Meadow RX-48B",
    ]);
    expect(names(models.findNamedIn("how many bolts does a gt-2254h have"))).toEqual(["GT-2254H"]);
    expect(models.findNamedIn("Is 15964-8141 for the GT-22541? Ask 7720-1 in 48 days")).toEqual([]);
  });

  test.each([
    ["carburetor for my cub crafter gt 2254 mower", "cub crafter gt 2254", "named", ["GT-2254"]],
    ["gt2260carburetor", "gt2260", "named", ["GT-2260"]],
    ["mufflergtx100", "gtx100", "named", ["GTX 100 Garden Tractor"]],
    ["blade for the 2260", "2260", "part", ["GT-2260"]],
    ["GT-22 blade", "GT-22", "part", ["GT-2254", "GT-2254H", "GT-2260"]],
    ["RX48 belt", "RX48", "part", ["Meadow RX-48B"]],
    ["impeller of a 9QM20F", "9QM20F", "part", ["9QM20F-W"]],
    ["belt for a GT-2261", "GT-2261", "near", ["GT-2260"]],
    ["Cub Crafter tractor 2260 belt", "Cub Crafter tractor 2260", "part", ["GT-2260"]],
    ["cub crafter GT-2260 belt", "cub crafter GT-2260", "named", ["GT-2260"]],
    ["belt for a briggs", "briggs", "maker", ["BS-900"]],
    ["belt for a Briggs and Stratton", "Briggs and Stratton", "maker", ["BS-900"]],
    ["a briggs 900, its belt", "briggs 900", "part", ["BS-900"]],
    ["filter and Brigs and Straton BS-900 belt", "Brigs and Straton BS-900", "named", ["BS-900"]],
    ["a kub craftr GT-2260 belt", "craftr GT-2260", "named", ["GT-2260"]],
  ] as const)("in %j it is %j, %s", (text, typed, how, expected) => {
    const [mention] = models.findMentions(text);
    expect([text.slice(mention!.from, mention!.to), mention!.how, names(mention!.models)]).toEqual([
      typed,
      how,
      expected,
    ]);
  });

  test("are those that a name without its suffix begins, and no others that go on with letters", () => {
    const equipmentNames = ["2GM20-YEU", "2GM20F-YEU", "2GM20FC-YEU", "2GM20F-YEUB"];
    const yanmarModels = new Models(equipmentNames.map((equipment) => ({ equipment, manufacturer: "Yanmar" })));
    const [mention] = yanmarModels.findMentions("V-belt for the 2GM20F");
    expect(names(mention!.models)).toEqual(["2GM20F-YEU", "2GM20F-YEUB"]);
  });

  test("makers of the same first word are distinguished, and a part is no maker", () => {
    const makers = new Models([
      { equipment: "CS-100", manufacturer: "Cub Star Farms" },
      { equipment: "CC-200", manufacturer: "Cub Crafter" },
      { equipment: "CU-300", manufacturer: "Cub" },
      { equipment: "SF-400", manufacturer: "Spring & Filter" },
      { equipment: "SF-500", manufacturer: "Belt & Sons" },
    ]);
    const meant = (text: string) => names(makers.findMentions(text).flatMap((mention) => mention.models));
    expect(meant("blade for a cub crafter")).toEqual(["CC-200"]);
    expect(meant("blade for a cub star farms")).toEqual(["CS-100"]);
    expect(meant("blade for a cub")).toEqual(["CU-300"]);
    expect(meant("a belt, and its spring")).toEqual([]);
    expect(meant("a belt and sons blade")).toEqual(["SF-500"]);
  });

  test.each(["2260 of them", "part 15964-8141", "M8 bolts", "a 12 volt battery", "blade", "a cub with a belt"])(
    "%j names none",
    (text) => {
      expect(models.findMentions(text)).toEqual([]);
    },
  );

  test("a model is found however it is written, and is the only one", () => {
    const model = fc.constantFrom(
      ...KNOWN.map(({ equipment }) => equipment).filter((name) => /^[A-Z0-9-]+$/.test(name)),
    );
    const separator = fc.constantFrom("", " ", "-", ".", " - ", "/");
    fc.assert(
      fc.property(
        model,
        fc.array(separator, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        (name, separators, lower) => {
          const groups = toModelKey(name).match(/[A-Z]+|[0-9]+/g)!;
          const typed = groups.map((group, at) => group + (at < groups.length - 1 ? separators[at]! : "")).join("");
          expect(names(models.match(lower ? typed.toLowerCase() : typed))).toEqual([name]);
        },
      ),
    );
  });

  test("models that are learnt and forgotten one by one are found as if only the rest had ever been known", () => {
    const equipment = fc.constantFrom("GT-2254", "GT 2254", "GT-2260", "7720", "GTX 100 Tractor", "Ranger");
    const manufacturer = fc.constantFrom("Cub Crafter", "Cub Star", "Briggs & Stratton", undefined);
    const model = fc.record({ equipment, manufacturer });
    const texts = [
      "GT",
      "GT-2261",
      "gt 2254 belt",
      "the 2260",
      "7720",
      "cub crafter 7720",
      "briggs",
      "ranger",
      "GT-22",
    ];
    fc.assert(
      fc.property(fc.array(fc.record({ model, isKept: fc.boolean() })), (each) => {
        const changed = new Models([]);
        for (const { model: added } of each) changed.change({ added: [added] });
        changed.findMentions(texts.join(", "));
        for (const { model: gone, isKept } of each) if (!isKept) changed.change({ added: [], gone: [gone] });
        const left = new Models(each.flatMap((one) => (one.isKept ? one.model : [])));
        const sorted = (found: readonly Model[]) => found.map((one) => JSON.stringify(one)).sort();
        expect(sorted(changed.all())).toEqual(sorted(left.all()));
        for (const text of texts) {
          expect(sorted(changed.match(text))).toEqual(sorted(left.match(text)));
          const seen = (models: Models) =>
            models.findMentions(text).map((one) => ({ ...one, models: sorted(one.models) }));
          expect(seen(changed)).toEqual(seen(left));
        }
      }),
    );
  });

  test("any text finds known models alone, and a digit more or less is another model", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (typed) => {
        for (const found of [...models.match(typed), ...models.findNamedIn(typed)]) expect(KNOWN).toContain(found);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom("GT-2254", "GT-2260", "7720"), fc.integer({ min: 0, max: 9 }), (name, digit) => {
        expect(models.match(`${name}${digit}`)).toEqual([]);
        expect(models.match(name.slice(0, -1))).toEqual([]);
      }),
    );
  });
});
