import { describe, expect, it } from "@jest/globals";
import { HARROW } from "../support/harrow/harrow.ts";
import { readItem } from "../../services/catalog/suppliers/read-item.ts";

const ITEM = {
  sku: "VBT-1007",
  name: "V-Belt B section 13 in",
  maker: "Gripline",
  department: "Belts",
  unit_price: "14.62",
  currency: "usd",
  on_hand: 4,
  pictures: [],
  state: "live",
};

describe("an item of Harrow Supply", () => {
  it("becomes a part by its maker, with price and stock", () => {
    expect(readItem(HARROW, ITEM)).toEqual({
      id: "hrw-vbt1007",
      news: {
        partNumber: "VBT-1007",
        title: "V-Belt B section 13 in",
        manufacturer: { name: "Gripline", code: "HRW" },
        category: "Belts",
        price: 1_462,
        quantityOnHand: 4,
        imageUrls: [],
        status: "active",
      },
    });
    expect(readItem(HARROW, { ...ITEM, unit_price: null, state: "retired" }).news).toMatchObject({
      price: null,
      status: "discontinued",
    });
  });

  it.each([
    [{ unit_price: 14.62 }, "'unit_price' must be 0.01 to 999,999.99 with at most two decimals as text"],
    [{ unit_price: "14.625" }, "'unit_price'"],
    [{ unit_price: "1e3" }, "'unit_price'"],
    [{ unit_price: "-1" }, "'unit_price'"],
    [{ unit_price: "" }, "'unit_price'"],
    [{ currency: "CAD" }, "'currency' must be USD"],
    [{ state: "sold" }, "'state' must be live or retired"],
  ])("is refused naming the field: %j", (wrong, reason) => {
    expect(readItem(HARROW, { ...ITEM, ...wrong }).refusal?.text).toContain(reason);
  });
});

describe("a page of Harrow Supply", () => {
  const page = (answer: unknown, cursor?: string) => {
    const asked: unknown[] = [];
    const listed = HARROW.list(
      (path, query, read) => {
        asked.push([path, query]);
        return Promise.resolve().then(() => read(answer));
      },
      { page: 1, pageSize: 500, cursor },
    );
    return { asked, listed };
  };

  it("is asked for by its cursor, and names the next one", async () => {
    const { asked, listed } = page({ data: [ITEM], next_cursor: "b" }, "a");
    expect([await listed, asked]).toEqual([
      { items: [ITEM], next: "b" },
      [["/catalog/items", { limit: 100, cursor: "a" }]],
    ]);
    expect(await page({ data: [] }).listed).toEqual({ items: [], next: null });
  });

  it.each([[{}], [{ data: [], next_cursor: 7 }], [{ data: [], next_cursor: "" }], [[]]])(
    "cannot be read of %j",
    async (answer) => {
      await expect(page(answer).listed).rejects.toMatchObject({ name: "UnreadableAnswer" });
    },
  );
});
