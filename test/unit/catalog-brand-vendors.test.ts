import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { proposeVendorCode } from "@partline/parts-language";
import { createBrandVendors } from "../../services/catalog/brand-vendors.ts";
import { importFile } from "../../services/catalog/import-file.ts";
import { createPriceFile } from "../../services/catalog/part-row.ts";
import type { PartNews } from "../../services/catalog/part-content.ts";
import { countShelfByFile, type FileCount, keepHandCount, type Shelf } from "../../services/catalog/shelf.ts";
import { DEFAULT_VENDORS, type Vendor } from "../../services/catalog/vendors.ts";

const GRP = DEFAULT_VENDORS.getByCode("GRP");
const BRANDS = ["", "Kawasaki", "KOH", "kohler", "Tigerwerk", "TIGER-WERK", "日本", "§"];

it("gives every row to the vendor of its brand, or says which brand is no vendor's, and counts each", async () => {
  const row = fc.record({ number: fc.integer({ min: 1, max: 60 }), brand: fc.constantFrom(...BRANDS) });
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.boolean(), async (rows, isAdding) => {
      const partsByVendor = new Map<string, string[]>();
      const write = async ({ code }: Vendor, news: PartNews[]) => {
        const parts = partsByVendor.get(code) ?? [];
        partsByVendor.set(code, [...parts, ...news.map(({ partNumber }) => partNumber)]);
        return { written: news.length, unchanged: 0 };
      };
      async function* send(): AsyncGenerator<string> {
        yield ["part_number,title,brand", ...rows.map(({ number, brand }) => `P-${number},Part,${brand}`), ""].join(
          "\n",
        );
      }
      const brands = createBrandVendors(DEFAULT_VENDORS, { isAdding });
      const report = await importFile(createPriceFile({ write }, GRP, { brands, isByBrand: true }), "csv", send());
      const added = new Map((report.brands ?? []).map(({ brand, vendor }) => [brand, vendor]));
      const expected = new Map<string, Set<string>>();
      let refused = 0;
      for (const { number, brand } of rows) {
        const known = brand === "" ? GRP : DEFAULT_VENDORS.find(brand);
        const code = known?.code ?? (isAdding ? added.get(brand) : undefined);
        const parts = code == null ? undefined : (expected.get(code) ?? new Set<string>());
        if (!parts || parts.has(`P-${number}`)) refused += 1;
        else expected.set(code!, parts.add(`P-${number}`));
      }
      expect([...partsByVendor].map(([code, parts]) => [code, new Set(parts)]).sort()).toEqual([...expected].sort());
      expect(report).toMatchObject({ read: rows.length, written: rows.length - refused, refusedTotal: refused });
      const branded = rows.filter(({ brand }) => brand !== "").length;
      expect((report.brands ?? []).reduce((sum, brand) => sum + brand.rows, 0)).toBe(branded);
      if (isAdding) expect(added.get("Tigerwerk") ?? "TIG").toBe(added.get("TIGER-WERK") ?? "TIG");
      expect(added.get("§") ?? null).toBeNull();
    }),
  );
});

it("proposes free codes of three letters, from the name where it can", () => {
  const none = (): boolean => false;
  expect(["Stens", "Oregon Tool Inc", "Étesia", "日本"].map((name) => proposeVendorCode(name, none))).toEqual([
    ...["STE", "ORE", "ETE", "XAA"],
  ]);
  expect(proposeVendorCode("Oregon Tool Inc", (code) => code === "ORE")).toBe("OTI");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 40 }), (names) => {
      const taken = new Set<string>();
      for (const name of names) {
        const code = proposeVendorCode(name, (candidate) => taken.has(candidate))!;
        expect(code).toMatch(/^[A-Z]{3}$/);
        expect(taken.has(code)).toBe(false);
        taken.add(code);
      }
    }),
  );
});

it("counts a place by a file once, and keeps of what a person said all that the file says otherwise", () => {
  const now = new Date("2026-11-29T12:00:00Z");
  const shelf = fc.record<Shelf>(
    {
      place: fc.constantFrom("main", "yard"),
      onHand: fc.nat(3),
      bin: fc.constantFrom("A1", "B2"),
      reorderPoint: fc.nat(3),
      countedAt: fc.constantFrom("2026-11-01T00:00:00.000Z", undefined),
      version: fc.nat(9),
      isByHand: fc.boolean(),
    },
    { requiredKeys: ["place", "onHand", "countedAt", "version"] },
  );
  const shelves = fc.uniqueArray(shelf, { selector: ({ place }) => place, maxLength: 2 });
  const count = fc.record<FileCount>(
    {
      place: fc.constantFrom("main", "yard"),
      onHand: fc.nat(3),
      bin: fc.constantFrom("A1", "B2", null),
      reorderPoint: fc.option(fc.nat(3)),
    },
    { requiredKeys: ["place"] },
  );
  fc.assert(
    fc.property(shelves, count, (before, fileCount) => {
      const kept = keepHandCount(before, fileCount);
      const after = countShelfByFile(before, kept, now) ?? before;
      expect(countShelfByFile(after, kept, now)).toBeUndefined();
      expect(after.filter(({ place }) => place !== fileCount.place)).toEqual(
        before.filter(({ place }) => place !== fileCount.place),
      );
      const [known, next] = [before, after].map((list) => list.find(({ place }) => place === fileCount.place));
      if (known?.isByHand) {
        const isCounted = known.countedAt === undefined && fileCount.onHand === known.onHand;
        const last = isCounted ? { countedAt: now.toISOString() } : { countedAt: known.countedAt, isByHand: true };
        expect(next).toMatchObject({ onHand: known.onHand, ...last });
        if (known.bin !== undefined) expect(next?.bin).toBe(known.bin);
      } else if (fileCount.onHand !== undefined) expect(next?.onHand ?? 0).toBe(fileCount.onHand);
      else if (known) expect(next).toMatchObject({ onHand: known.onHand, countedAt: known.countedAt });
      else expect(after).toBe(before);
    }),
  );
});
