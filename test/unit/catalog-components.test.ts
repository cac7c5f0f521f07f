import { describe, expect, it } from "@jest/globals";
import { readComponents } from "../../services/catalog/components.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const read = (text: string) =>
  readComponents(text, "KIT1", (name) => (name === undefined ? "KAW" : DEFAULT_VENDORS.find(name)?.code));

describe("the components of a kit", () => {
  it("are numbers with a vendor in front and a quantity behind if need be, or a list", () => {
    const both = [
      { vendor: "KAW", partNumber: "11013-7002", quantity: 2 },
      { vendor: "HON", partNumber: "16100-Z0Y-813", quantity: 1 },
    ];
    expect(read("11013-7002*2; honda:16100-Z0Y-813;")).toEqual(both);
    expect(read('[{"partNumber":"11013-7002","quantity":2},{"partNumber":"16100-Z0Y-813","vendor":"HON"}]')).toEqual(
      both,
    );
    expect(read("")).toEqual([]);
  });

  it.each([
    ["kit-1", "names the kit itself"],
    ["A1; A-1*3", 'names a part twice: "A-1"'],
    ["Acme:A1", 'names no vendor: "Acme"'],
    ["A1*0", "must have quantities from 1 to 10000"],
    ["A1*x", "must be like"],
    ["[1]", "must be like"],
    ["[{", "must be like"],
    [Array.from({ length: 201 }, (_, n) => `A${n}`).join(";"), "has more than 200 components"],
  ])("are refused: %s", (text, reason) => {
    expect(read(text)).toMatchObject({ text: expect.stringContaining(reason) });
  });
});
