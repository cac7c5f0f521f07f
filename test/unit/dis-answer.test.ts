import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { toPartKey, readAnswer } from "../../services/dis-router/dis-client.ts";

const row = (over: object = {}) => ({
  ManufacturerCode: "B&S",
  PartNumber: "24 050 13-S",
  Price: 12.5,
  Available: true,
  QtyOnHand: 3,
  ...over,
});
const KEY = toPartKey("B&S", "24 050 13-S");
const read = (rows: unknown[], asked = [KEY]) => readAnswer({ Parts: rows }, asked);
const value = { found: true, price: 1250, available: true, quantity: 3 };

describe("an answer of the dealer inventory system", () => {
  it("is matched by code and number, in any spelling and order", () => {
    const asked = [KEY, toPartKey("HON", "24-050-13-S")];
    expect(
      read(
        [
          row({ ManufacturerCode: " hon", PartNumber: "24.050.13.s", Price: 1 }),
          row({ PartNumber: "2405013S" }),
          row({ ManufacturerCode: "NHL" }),
        ],
        asked,
      ),
    ).toEqual(
      new Map([
        [KEY, value],
        [asked[1], { ...value, price: 100 }],
      ]),
    );
  });

  it.each([
    [{ Price: 0 }, { price: null }],
    [{ Price: 0.01 }, { price: 1 }],
    [{ Price: 999_999.99 }, { price: 99_999_999 }],
    [{ Price: 19.99 }, { price: 1999 }],
    [{ QtyOnHand: 2.9 }, { quantity: 2 }],
    [{ QtyOnHand: -4 }, { quantity: 0 }],
    [
      { Available: false, QtyOnHand: 7 },
      { available: false, quantity: 7 },
    ],
    [{ Extra: 1 }, {}],
  ])("is read with care: %j", (over, read_) => {
    expect(read([row(over)]).get(KEY)).toEqual({ ...value, ...read_ });
  });

  it.each([
    { Price: -0.01 },
    { Price: 1e999 },
    { Price: Number.NaN },
    { Price: "12.50" },
    { Price: null },
    { Price: undefined },
    { Price: 12.345 },
    { Price: 1_000_000 },
    { Available: "true" },
    { Available: undefined },
    { QtyOnHand: "3" },
    { QtyOnHand: -1e999 },
    { QtyOnHand: null },
  ])("has nothing to say of a part whose row is %j, and does not say that it is unknown", (over) => {
    expect(read([row(over)])).toEqual(new Map());
    expect(read([row(over), row()])).toEqual(new Map([[KEY, value]]));
  });

  it("says the same twice, or nothing", () => {
    expect(read([row(), row()])).toEqual(new Map([[KEY, value]]));
    expect(read([row(), row({ QtyOnHand: 4 })])).toEqual(new Map());
  });

  it("leaves out what it does not know, unless a row may be about it", () => {
    expect(read([])).toEqual(new Map([[KEY, { found: false }]]));
    for (const unnamed of [
      null,
      7,
      {},
      row({ PartNumber: 2405013 }),
      row({ PartNumber: " " }),
      row({ ManufacturerCode: undefined }),
    ]) {
      expect(read([unnamed])).toEqual(new Map());
      expect(read([unnamed, row()])).toEqual(new Map([[KEY, value]]));
    }
  });

  it.each([null, [], {}, "", { Parts: {} }, { parts: [] }])("is none when it is %j", (answer) => {
    expect(() => readAnswer(answer, [KEY])).toThrow(expect.objectContaining({ name: "UnreadableAnswer" }));
  });

  it("never says anything but a price in whole cents and a stock that can be sold, for any rows", () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(12.5, 0, -1, 0.1 + 0.2, 1e21));
    const anyRow = fc.record({
      ManufacturerCode: fc.constant("B&S"),
      PartNumber: fc.constant("24 050 13-S"),
      Price: fc.oneof(number, fc.anything()),
      Available: fc.oneof(fc.boolean(), fc.anything()),
      QtyOnHand: fc.oneof(number, fc.anything()),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(anyRow, fc.anything()), { maxLength: 4 }), (rows) => {
        const said = read(rows).get(KEY);
        if (!said?.found) return;
        expect(
          said.price === null || (Number.isInteger(said.price) && said.price >= 1 && said.price <= 99_999_999),
        ).toBe(true);
        expect(Number.isInteger(said.quantity) && said.quantity >= 0).toBe(true);
        expect(typeof said.available).toBe("boolean");
      }),
      { numRuns: 1_000 },
    );
  });
});
