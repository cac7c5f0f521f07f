import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { normalizePartNumber } from "../../packages/parts-language/src/part-number.ts";
import { readReference } from "../../services/catalog/interchange/file.ts";
import { readPartRow } from "../../services/catalog/part-row.ts";
import { Remark } from "../../packages/price-files/src/remarks.ts";
import { readItem } from "../../services/catalog/suppliers/read-item.ts";
import { KMT } from "../../services/catalog/suppliers/kmt/kmt.ts";
import { parsePartId, toPartId, toSku, listSkuVariants, toSlug } from "../../services/catalog/part-number.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const separators = fc.stringMatching(/^[-. /]{0,2}$/);
const letters = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);

describe("part numbers", () => {
  it("are the same in any spelling", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, separators), { minLength: 1, maxLength: 5 }), (pieces) => {
        const typed = pieces.flat().join("");
        const plain = pieces.map(([text]) => text).join("");
        expect(normalizePartNumber(typed)).toBe(plain.toUpperCase());
        expect(normalizePartNumber(typed.toLowerCase())).toBe(normalizePartNumber(typed.toUpperCase()));
        expect(normalizePartNumber(normalizePartNumber(typed))).toBe(normalizePartNumber(typed));
      }),
    );
  });

  it("give an id that leads back to vendor and number", () => {
    fc.assert(
      fc.property(fc.constantFrom(...DEFAULT_VENDORS.all), letters, ({ code }, number) => {
        const id = toPartId(code, normalizePartNumber(number));
        expect(id).toBe(id.toLowerCase());
        expect(parsePartId(id)).toEqual({ vendorCode: code, pnNorm: normalizePartNumber(number) });
        expect(parsePartId(id.toUpperCase())).toEqual(parsePartId(id));
      }),
    );
  });

  it.each(["", "bns", "bns-", "-799868", "bns-79 98", "bns-799868-1", "../etc", "bnss-1"])("%j is no id", (id) => {
    expect(parsePartId(id)).toBeUndefined();
  });

  it("are taken out of what a spreadsheet keeps their zeros in, and refused if it rounded them", () => {
    const numbersOf = (number: string): unknown[] => {
      const row = { part_number: "7", title: "Belt" };
      const pair = { vendor: "BNS", part_number: "7", other_vendor: "KAW", other_part_number: number };
      const part = readPartRow({ ...row, part_number: number }, () => "BNS");
      const old = readPartRow({ ...row, superseded_by: number }, () => "BNS");
      const kit = readPartRow({ ...row, components: `${number}*2` }, () => "BNS");
      const reference = readReference(pair, DEFAULT_VENDORS);
      const item = { itemNumber: number, brand: "Acme", description: "Tire", category: "Tires" };
      const listed = readItem(KMT, item);
      return [
        part instanceof Remark ? part.text : part.partNumber,
        old instanceof Remark ? old.text : old.supersededBy,
        kit instanceof Remark ? kit.text : kit.components?.[0]?.partNumber,
        reference instanceof Remark ? reference.text : reference.other.partNumber,
        listed.refusal?.text ?? listed.news?.partNumber,
      ];
    };
    for (const number of ['="00123"', "'00123", "00123"]) expect(numbersOf(number)).toEqual(Array(5).fill("00123"));
    for (const number of ["1.23E+10", "4,5e+12", "1E+10", "1.23E10", "#N/A", "#REF!"])
      for (const reason of numbersOf(number)) expect(reason).toMatch(/by a spreadsheet|spreadsheet error: "/);
    // Makers have such numbers.
    for (const number of ["7E3000", "7E-0331", "12E10", "E10"])
      expect(numbersOf(number)).toEqual(Array(5).fill(number));
  });

  it("come into the catalog with letters of A-Z alone: without the others, they are another part's", () => {
    const row = { part_number: "7125", title: "Belt" };
    const pair = { vendor: "BNS", part_number: "7125", other_vendor: "KAW", other_part_number: "7126" };
    const reasonIn = (read: unknown) => (read instanceof Remark ? read.text : undefined);
    const reasonsOf = (number: string) => [
      reasonIn(readPartRow({ ...row, part_number: number }, () => "BNS")),
      reasonIn(readPartRow({ ...row, superseded_by: number }, () => "BNS")),
      reasonIn(readPartRow({ ...row, components: `BNS:${number}*2` }, () => "BNS")),
      ...(["part_number", "other_part_number"] as const).map((column) =>
        reasonIn(readReference({ ...pair, [column]: number }, DEFAULT_VENDORS)),
      ),
      readItem(KMT, { itemNumber: number, brand: "Acme", description: "Tire", category: "Tires" }).refusal?.text,
    ];
    for (const number of ["Ж-7125", "ÖL7127", "O\u0308L7127", "STRAßE 1", "٣-7125", "零件"]) {
      const why = `has a letter or digit other than A-Z and 0-9: "${number}"`;
      expect(reasonsOf(number)).toEqual([
        `The column 'part_number' ${why}`,
        `The column 'superseded_by' ${why}`,
        `The column 'components' names a part whose number ${why}`,
        `The column 'part_number' ${why}`,
        `The column 'other_part_number' ${why}`,
        `The field 'itemNumber' ${why}`,
      ]);
    }
    for (const number of ["a-1/2.b", "Ａ－７１", "A–7 №2™"])
      expect(reasonsOf(number)).toEqual(Array(6).fill(undefined));
  });

  it("are written as SKU and its variants", () => {
    expect(toSku("HON", "16100-z0y-813")).toBe("CT-HON-16100-Z0Y-813");
    expect(toSku("KOH", "24 050 13-S")).toBe("CT-KOH-24-050-13-S");
    const variants = listSkuVariants("HON", "16100-Z0Y-813");
    expect(variants).toEqual([
      "16100-Z0Y-813",
      "16100Z0Y813",
      "HON-16100-Z0Y-813",
      "HON16100Z0Y813",
      "CT-HON-16100Z0Y813",
    ]);
    expect(new Set(listSkuVariants("BNS", "799868")).size).toBe(listSkuVariants("BNS", "799868").length);
  });

  it("make a slug of any title", () => {
    expect(toSlug('Pöttinger 21" Blade / left', "ptz-1")).toBe("pottinger-21-blade-left-ptz-1");
    expect(toSlug("零件", "bns-1")).toBe("bns-1");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) =>
        expect(toSlug(title, "bns-1")).toMatch(/^[a-z0-9-]*bns-1$/),
      ),
    );
  });
});

describe("vendors", () => {
  it("are those of the specification: 11 of the dealer, 31 manual and RAV, the tire supplier, and no FER", () => {
    const codesBy = (pricing: string): string[] =>
      DEFAULT_VENDORS.all.filter((vendor) => vendor.pricing === pricing).map(({ code }) => code);
    expect(codesBy("dis")).toEqual(["AGC", "ALM", "BNS", "BUS", "HON", "KAW", "KIN", "KOH", "NHL", "VNT", "WDS"]);
    expect(codesBy("manual").join(", ")).toBe(
      "AMC, ART, CLC, DFE, EZT, GRP, GRE, HAR, HLA, HOT, IVA, KIL, KNI, KOR, KRE, KUH, LAN, MAC, MAR, MCH, MID, MIS, PTZ, RIS, RIT, SNX, SWP, TXT, UEB, VAL, WVR, RAV",
    );
    expect(codesBy("listing")[0]).toBe("KMT");
    expect(() => DEFAULT_VENDORS.getByCode("FER")).toThrow("Vendor FER not found: the code is no longer used");
    expect(() => DEFAULT_VENDORS.getByCode("B&S")).toThrow(
      "Vendor B&S not found: the code of Briggs & Stratton is BNS",
    );
    expect(() => DEFAULT_VENDORS.getByCode("k&m")).toThrow("Vendor k&m not found: the code of K&M Tire is KMT");
    expect(() => DEFAULT_VENDORS.getByCode("XYZ")).toThrow(/^Vendor XYZ not found$/);
    expect(DEFAULT_VENDORS.find("FER")).toBeUndefined();
  });

  it.each(["BNS", "bns", "B&S", "b & s", "Briggs & Stratton", "BRIGGS & STRATTON", "briggs and stratton"])(
    "%j is BNS",
    (name) => {
      expect(DEFAULT_VENDORS.find(name)?.code).toBe("BNS");
    },
  );

  it("have no name in common", () => {
    for (const vendor of DEFAULT_VENDORS.all)
      for (const name of [vendor.code, vendor.name, ...vendor.aliases]) expect(DEFAULT_VENDORS.find(name)).toBe(vendor);
  });
});
