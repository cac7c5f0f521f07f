import { describe, expect, it } from "@jest/globals";
import type { SearchQuery } from "../src/search-index/port.ts";
import type { SearchPage } from "../src/search-index/search-page.ts";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, query } from "./search-index.documents.ts";
import { searched } from "./search-index.searched.ts";

export function numberSuite(underTest: IndexUnderTest): void {
  const find = (q: string, more?: Partial<SearchQuery>): Promise<SearchPage> =>
    searched(underTest.index, query(q, more));

  describe("part numbers", () => {
    it.each([
      "16100-Z0Y-813",
      "16100z0y813",
      "16100.Z0Y.813",
      "16100 z0y 813",
      " 16100-Z0Y-813 ",
      "HON 16100-Z0Y-813",
      "hon16100z0y813",
      "Honda 16100Z0Y-813",
      "CT-HON-16100-Z0Y-813",
      "carburetor 16100-Z0Y-813",
      "16100 Z0Y 813 carburetor",
      "１６１００-Z0Y-813",
    ])("are found first when typed as %j", async (typed) => {
      expect(ids(await find(typed))[0]).toBe("hon-16100z0y813");
    });

    it("are those of every vendor, of one alone behind its name, and then what begins so", async () => {
      expect(ids(await find("799868"))).toEqual(["bns-799868", "hon-799868", "bns-7998681"]);
      for (const typed of ["B&S 799868", "Briggs & Stratton 799868", "BNS799868", "CT-BNS-799868"]) {
        expect(ids(await find(typed)).slice(0, 2)).toEqual(["bns-799868", "bns-7998681"]);
      }
      expect(ids(await find("honda 799868"))[0]).toBe("hon-799868");
    });

    it("may be another maker's: the parts that are named so come behind the number's own, with its filters", async () => {
      const named = [
        { pnNorm: "590454", vendor: "BNS" },
        { pnNorm: "799868", vendor: "HON" },
        { pnNorm: "498298", vendor: "BNS" },
        { pnNorm: "TL12345", vendor: "BNS" },
      ];
      // A part that was replaced leads to the last of its successors.
      expect(ids(await find("XX-1", { named })).sort()).toEqual([
        "bns-498298",
        "bns-590454",
        "bns-799866",
        "hon-799868",
      ]);
      expect(ids(await find("16100-Z0Y-813", { named }))[0]).toBe("hon-16100z0y813");
      expect(ids(await find("XX-1", { named, categories: ["blades"] }))).toEqual(["bns-590454"]);
      expect((await find("XX-1", { named })).suggestion).toBeUndefined();
    });

    it("are found by their beginning, in the order of what has a price and an id", async () => {
      expect(ids(await find("7998"))).toEqual(["bns-799868", "bns-7998681", "hon-799868", "bns-799866"]);
      expect(ids(await find("16100-Z"))).toEqual(["hon-16100z0y813"]);
    });

    it("are found by their end of four characters or more", async () => {
      expect(ids(await find("Z0Y-813"))).toEqual(["hon-16100z0y813"]);
      expect(ids(await find("56846"))).toEqual(["hon-9807956846"]);
      expect(ids(await find("846"))).toEqual([]);
    });

    it("are found by another number that the part goes by", async () => {
      expect(ids(await find("590454X1"))).toEqual(["bns-590454"]);
      expect(ids(await find("590-454-x1"))[0]).toBe("bns-590454");
    });

    it("of a discontinued part find the end of the chain of its successors above it", async () => {
      expect(ids(await find("498298")).slice(0, 2)).toEqual(["bns-799866", "bns-498298"]);
      expect(ids(await find("692784")).slice(0, 2)).toEqual(["bns-799866", "bns-692784"]);
      expect(ids(await find("B&S 498298")).slice(0, 2)).toEqual(["bns-799866", "bns-498298"]);
      expect(ids(await find("carburetor 498298")).slice(0, 2)).toEqual(["bns-799866", "bns-498298"]);
    });

    it("of a discontinued part are on the part that replaces it, and on no other", async () => {
      for (const [q, number] of [
        ["498298", "498298"],
        ["692784", "692784"],
        ["carburetor 498298", "498298"],
      ] as const) {
        const { hits } = await find(q);
        expect(hits.map(({ replaces }) => replaces)).toEqual(hits.map((_, at) => (at === 0 ? number : undefined)));
        const shown = JSON.parse((await underTest.index.searchShown("parts", query(q))).hits) as object[];
        expect(shown[0]).toMatchObject({ id: "bns-799866", replaces: number });
        expect(shown[1]).not.toHaveProperty("replaces");
      }
      expect((await find("799866")).hits[0]).not.toHaveProperty("replaces");
    });

    it("of a part find the end of a chain of fifty", async () => {
      const index = await underTest.newPlace().open();
      const links = Array.from({ length: 51 }, (_, n) =>
        part("BNS", `9${1_000 + n}`, "Link", n === 50 ? {} : { status: "discontinued", supersededBy: `9${1_001 + n}` }),
      );
      await index.write({ documents: links, progress: { BNS: 51 } });
      expect(ids(await index.search("parts", query("91000"))).slice(0, 2)).toEqual(["bns-91050", "bns-91000"]);
      expect(ids(await index.search("parts", query("91044")))[0]).toBe("bns-91050");
    });

    it("of a discontinued part are no words for it", async () => {
      expect(ids(await find("carburetor old style"))).toEqual([]);
      expect(ids(await find("carburetor old style", { status: "discontinued" }))).toEqual(["bns-498298"]);
    });

    it("are never corrected", async () => {
      for (const typed of ["799869", "16100-Z0Y-831", "98079-56847"]) expect(ids(await find(typed))).toEqual([]);
    });

    it("are marked, as far as they were typed", async () => {
      const marked = async (typed: string): Promise<string | undefined> =>
        (await find(typed)).hits[0]!.highlights.partNumber;
      expect(await marked("16100z")).toBe("<em>16100-Z</em>0Y-813");
      expect(await marked("799868")).toBe("<em>799868</em>");
      expect(await marked("carburetor 16100 Z0Y 813")).toBe("<em>16100-Z0Y-813</em>");
      expect(await marked("z0y813")).toBe("16100-<em>Z0Y-813</em>");
    });
  });
}
