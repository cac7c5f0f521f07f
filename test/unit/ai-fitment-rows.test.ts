import { describe, expect, it } from "@jest/globals";
import { isOn } from "../../packages/parts-search/src/fitment-index/collections.ts";
import { createQuantityResolver } from "../../services/ai/fitment/equipment-of-manual.ts";
import { toRows, dropRepeats } from "../../services/ai/fitment/fitment-rows.ts";
import type { ManualPart } from "../../packages/manual-reader/src/manual.ts";
import { part } from "../contract/ai.manuals.ts";

const rows = (
  parts: readonly ManualPart[],
  { equipment = ["TK-100", "TK-200 Mower", "TK-300"], onlyOfPage = new Map<number, string[]>() } = {},
) =>
  toRows(parts, 7, {
    sha256: "ab",
    reading: 1,
    figures: [],
    onlyOfPage,
    quantityOf: createQuantityResolver({ equipment }),
  }).map(({ _id, position, quantity, only }) => [_id, position, quantity, only]);
const on = (first?: number, second?: number) => [
  { model: "TK-100", quantity: first },
  { model: "tk200", quantity: second },
];

describe("rows of a part with a quantity for each model", () => {
  it("are one for each quantity, of the models that have it", () => {
    expect(
      rows([
        part("TR10001", 2, { quantities: on(1, 2) }),
        part("TR10002", 2, { quantities: on(3, 3) }),
        part("TR10003", 2, { quantity: 4 }),
      ]),
    ).toEqual([
      ["ab:1:7", 7, 1, ["TK-100"]],
      ["ab:1:8", 8, 2, ["TK-200 Mower"]],
      ["ab:1:9", 9, 3, ["TK-100", "TK-200 Mower"]],
      ["ab:1:10", 10, 4, undefined],
    ]);
  });

  it("are of all models where the maker's code heads their column", () => {
    const quantityOf = createQuantityResolver({ equipment: ["F115TR", "LF115TR", "68V7", "68W7"] }, "F115TR (68V7)");
    const byCode = (first: number, second: number) => [
      ...(quantityOf([
        { model: "68V7", quantity: first },
        { model: "68W7", quantity: second },
      ]) ?? []),
    ];
    expect(byCode(2, 3)).toEqual([...["F115TR", "LF115TR", "68V7"].map((model) => [model, 2]), ["68W7", 3]]);
    expect(byCode(0, 1)).toEqual([["68W7", 1]]);
  });

  it("are of the models that staff named, also on a page for others", () => {
    const onlyOfPage = new Map([[2, ["TK-300"]]]);
    const named = part("TR10001", 2, { quantities: [{ model: "TK-100", quantity: 2 }], areModelsCorrected: true });
    expect(rows([named, part("TR10002", 2, { quantity: 1 })], { onlyOfPage })).toEqual([
      ["ab:1:7", 7, 2, ["TK-100"]],
      ["ab:1:8", 8, 1, ["TK-300"]],
    ]);
  });

  it("are none of a model that it is not on, and give no quantity where the manual does not", () => {
    expect(
      rows([
        part("TR10001", 2, { quantity: 1, quantities: on(1, 0) }),
        part("TR10002", 2, { quantities: on(0, undefined) }),
      ]),
    ).toEqual([
      ["ab:1:7", 7, 1, ["TK-100"]],
      ["ab:1:8", 8, undefined, ["TK-200 Mower"]],
    ]);
    expect(rows([part("TR10002", 2, { quantities: on(0, 2) })], { equipment: ["TK-100"] })).toEqual([]);
  });

  it("are those of the page's models alone", () => {
    expect(
      rows([part("TR10001", 2, { quantities: on(1, 2) })], { onlyOfPage: new Map([[2, ["TK-200 Mower"]]]) }),
    ).toEqual([["ab:1:7", 7, 2, ["TK-200 Mower"]]]);
  });

  it("are of every model where the columns name others", () => {
    expect(rows([part("TR10001", 2, { quantity: 1, quantities: on(1, 0) })], { equipment: ["XR-5", "XR-6"] })).toEqual([
      ["ab:1:7", 7, 1, undefined],
    ]);
  });

  it("of two rows with other quantities are kept apart, and of a mention are not", () => {
    const listed = [
      part("TR10001", 2, { reference: "1", quantities: on(1, 0) }),
      part("TR10001", 2, { reference: "1", quantities: on(0, 2) }),
    ];
    expect(dropRepeats(listed)).toEqual(listed);
    const repeats = [part("TR10001", 2), part("TR10001", 2, { quantity: 2 }), part("TR10001", 2, { quantity: 5 })];
    expect(dropRepeats(repeats).map(({ quantity }) => quantity)).toEqual([7]);
  });
});

it("a number of a list of superseded ones is on no model, and its row says so", () => {
  const [note, row] = toRows(
    [part("594137", 12, { namedIn: "supersessions", replacedBy: "790839" }), part("790839", 4, { namedIn: "text" })],
    0,
    {
      sha256: "ab",
      reading: 1,
      figures: [],
      onlyOfPage: new Map(),
      quantityOf: createQuantityResolver({ equipment: ["TK-100"] }),
    },
  );
  expect(note).toMatchObject({ isSupersession: true, replacedByNorm: "790839" });
  expect([note!, row!].map((each) => isOn(each, "TK-100"))).toEqual([false, true]);
});
