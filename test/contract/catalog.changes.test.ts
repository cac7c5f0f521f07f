import { describe, expect, it } from "@jest/globals";
import { WHEELS_AND_TIRES } from "../../packages/parts-language/src/tires.ts";
import { findCyclesAfterImport } from "../../services/catalog/supersession.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { useStores } from "./catalog.support.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");
describe("the changes of a vendor's parts", () => {
  const openStore = useStores("changes");
  const open = async () => {
    const documents = await openStore();
    return { reader: createPartReader(documents), writer: createPartWriter(documents) };
  };

  it("are those of tires alone where these are asked for, in the order of their changes and page by page", async () => {
    const { reader, writer } = await open();
    const tire = { category: WHEELS_AND_TIRES, kind: "Tires" as const };
    await writer.write(
      BNS,
      Array.from({ length: 30 }, (_, n) => ({
        partNumber: `P-${n}`,
        title: `Part ${n}`,
        ...(n % 10 === 3 ? tire : {}),
      })),
      "price_file",
    );
    // The first of them changes last.
    await writer.write(BNS, [{ partNumber: "P-3", title: "Part 3, new", ...tire }], "price_file");
    await writer.write(
      DEFAULT_VENDORS.getByCode("KMT"),
      [{ partNumber: "Belt", title: "Belt", category: "Belts" }],
      "price_file",
    );
    const read = async (vendor: typeof BNS, after: number, limit: number) =>
      (await reader.listChanges(vendor, { after, limit, tires: true })).map(({ partNumber, revision }) => [
        partNumber,
        revision,
      ]);
    expect(await read(BNS, 0, 2)).toEqual([
      ["P-13", 14],
      ["P-23", 24],
    ]);
    expect(await read(BNS, 24, 2)).toEqual([["P-3", 31]]);
    expect(await read(BNS, 31, 2)).toEqual([]);
    expect(await read(DEFAULT_VENDORS.getByCode("KMT"), 0, 2)).toEqual([["Belt", 1]]);
    expect(await reader.listChanges(BNS, { after: 0, limit: 100, tires: false })).toHaveLength(30);
  });

  it("show the circles that they close, however many chains they are in, and no other", async () => {
    const { reader, writer } = await open();
    const write = (...pairs: [string, string?][]) =>
      writer.write(
        BNS,
        pairs.map(([partNumber, supersededBy]) => ({
          partNumber,
          title: partNumber,
          supersededBy: supersededBy ?? null,
        })),
        "price_file",
      );
    await write(["A-1", "A-2"], ["A-2", "A-1"], ["B-1", "B-2"], ["B-2", "B-3"], ["B-3"]);
    const before = await reader.getRevision(BNS);
    expect(before).toBe(5);
    expect(await findCyclesAfterImport(reader, new Map([[BNS, before]]))).toEqual({});
    await write(...Array.from({ length: 600 }, (_, n): [string, string] => [`C-${n}`, `C-${n + 1}`]), ["B-3", "B-1"]);
    expect(await findCyclesAfterImport(reader, new Map([[BNS, before]]))).toEqual({
      supersessionCycles: [["B-1", "B-2", "B-3"]],
    });
    expect(await findCyclesAfterImport(reader, new Map([[BNS, 0]]))).toEqual({
      supersessionCycles: [
        ["A-1", "A-2"],
        ["B-1", "B-2", "B-3"],
      ],
    });
  });
});
