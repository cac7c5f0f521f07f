import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { SearchIndex, SearchQuery } from "../src/search-index/port.ts";
import type { SearchPage } from "../src/search-index/search-page.ts";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, query } from "./search-index.documents.ts";
import { searched } from "./search-index.searched.ts";
import { readCases } from "../../../test/support/read-cases.ts";

const cases = readCases<{ measures: [string, string][]; completions: [string, string[]][] }>(
  import.meta.url,
  "search-words.yaml",
);

export function wordSuite(underTest: IndexUnderTest): void {
  const find = (q: string, more?: Partial<SearchQuery>): Promise<SearchPage> =>
    searched(underTest.index, query(q, more));
  /** Returns a search of an index of its own with these documents; it answers their ids. */
  const fill = async (...documents: Parameters<SearchIndex["write"]>[0]["documents"]) => {
    const index = await underTest.newPlace().open();
    await index.write({ documents, progress: {} });
    return async (q: string, more?: Partial<SearchQuery>) => ids(await index.search("parts", query(q, more)));
  };

  describe("words", () => {
    it.each([
      ["carburetor assembly", ["bns-799866", "hon-16100z0y813"]],
      ["CARBURETORS assembly", ["bns-799866", "hon-16100z0y813"]],
      ["carburator asembly", ["bns-799866", "hon-16100z0y813"]],
      ["carburetor assem", ["bns-799866", "hon-16100z0y813"]],
      ["honda carburetor", ["hon-16100z0y813"]],
      ["carburetor for the honda", ["hon-16100z0y813"]],
      ["mower blades", ["bns-590454"]],
      ["blade mowre", ["bns-590454"]],
      ["23x8.50-12", ["kmt-tl12345"]],
      ["23x850-12", ["kmt-tl12345"]],
      ["carlisle", ["kmt-tl12345"]],
      ["fits gx120", ["hon-16100z0y813"]],
    ])("%j find what they name", async (words, expected) => {
      expect(ids(await find(words)).sort()).toEqual([...expected].sort());
    });

    describe("of models, measures and sizes", () => {
      let index: SearchIndex;
      beforeAll(async () => {
        index = await underTest.newPlace().open();
        await index.write({
          documents: [
            part("BNS", "6101", "Muffler, GX160", { description: "Fits GX160 and FS730V" }),
            part("BNS", "6102", "Muffler, Command CH 20"),
            part("BNS", "6103", "Deck Belt, 54 in Deck"),
            part("BNS", "6104", "Muffler, Intek 17.5 HP"),
            part("BNS", "6105", "Alternator, 95 A"),
            part("BNS", "32 929 80-S", "Crankshaft, 1-1/8 in x 4 in, 8 Bolt"),
            part("KMT", "6201", "Turf Tire 23x8.50-12"),
            part("KMT", "6202", "Turf Tire 18x9.50-8"),
            part("KMT", "6203", "Turf Tire 16x6.50-8"),
            part("KMT", "6204", "Turf Tire 20x10.00-8"),
            part("KMT", "6205", "Trailer Tire ST205/75R14"),
            part("KMT", "6206", "Trailer Tire 4.80/4.00-8"),
            part("KMT", "6207", "Trailer Tire 5.70-8"),
            part("BNS", "578949", "Connecting Rod"),
            part("BNS", "578", "Camshaft"),
            part("KMT", "5708", "Lug"),
          ],
          progress: {},
        });
      });

      it.each(cases.measures)("%j find the part however they are written", async (q, expected) => {
        expect(ids(await index.search("parts", query(q)))).toEqual([expected]);
      });
    });

    it.each([
      ["carb gx120", "hon-16100z0y813"],
      ["carburettor gx120", "hon-16100z0y813"],
      ["sparkplug", "hon-9807956846"],
      ["air cleaner", "hon-799868"],
    ])("%j find what means the same", async (words, expected) => {
      expect(ids(await find(words))).toEqual([expected]);
    });

    it("ask for others too from the moment that those are in use, and one way alone where they say so", async () => {
      const index = await underTest.newPlace().open();
      await index.write({
        documents: [
          part("BNS", "7201", "Spark Plug"),
          part("BNS", "7202", "Spark Arrestor Zünd"),
          part("BNS", "7203", "Oil Filter"),
          part("BNS", "7204", "Air Filter"),
        ],
        progress: {},
      });
      const found = async (q: string): Promise<string[]> => ids(await index.search("parts", query(q))).sort();
      expect(await found("air cleaner")).toEqual(["bns-7204"]);
      await index.useSynonyms([
        "zünder, zündkerzen => spark plug",
        "spark plug, candle",
        "filtro de aceite => oil filter",
      ]);
      for (const q of ["Zünder", "zunder", "ZUENDER", "zündkerzen", "candle"])
        expect([q, await found(q)]).toEqual([q, ["bns-7201"]]);
      for (const q of ["filtro de aceite", "filtro aceite", "filtros de aceite"])
        expect([q, await found(q)]).toEqual([q, ["bns-7203"]]);
      expect(await found("air cleaner")).toEqual([]);
      // Others for one search alone.
      const tried = await index.search("parts", { ...query("kerze"), synonyms: ["kerze => spark plug"] });
      expect(ids(tried)).toEqual(["bns-7201"]);
      expect(await found("kerze")).toEqual([]);
      await index.useSynonyms([]);
      expect(await found("candle")).toEqual([]);
    });

    it("forgive a letter too many, too few, wrong or in another's place", async () => {
      for (const typed of ["carburettor bowl", "carbureor bowl", "carburetar bowl", "craburetor bowl"]) {
        expect(ids(await find(typed))).toEqual(["bns-7998681"]);
      }
      expect((await find("boul carburetor")).hits).toEqual([]);
    });

    it("forgive a word of four letters that it lacks one, where nothing begins like it", async () => {
      expect(ids(await find("spak plug"))).toEqual(["hon-9807956846"]);
      expect(ids(await find("plug sprk"))).toEqual(["hon-9807956846"]);
      expect(ids(await find("mowr blade"))).toEqual(["bns-590454"]);
      // The first letter, wrong ones, and the beginning of a word.
      for (const typed of ["park plug", "spbrk plug spxr", "spar plug", "carburetor bowk"])
        expect(ids(await find(typed))).toEqual([]);
    });

    it("forgive a word of four letters one that sounds alike, or is there twice", async () => {
      const search = await fill(
        part("BNS", "7301", "Radiator Hose, Upper"),
        part("BNS", "7302", "Ignition Coil"),
        part("BNS", "7303", "Bolt"),
        part("BNS", "7304", "Connecting Rod"),
      );
      expect(await search("hoze")).toEqual(["bns-7301"]);
      expect(await search("ingition coyl")).toEqual(["bns-7302"]);
      expect(await search("rodd")).toEqual(["bns-7304"]);
      for (const q of ["belt", "hole", "cool"]) expect([q, await search(q)]).toEqual([q, []]);
    });

    it("forgive a slip in what ends like a plural, as in a maker's name", async () => {
      const index = await underTest.newPlace().open();
      const maker = { manufacturer: { name: "Woods", code: "BNS" }, vendorName: "Woods", vendorAliases: [] };
      await index.write({
        documents: [
          part("BNS", "9101", "Drive Belt", maker),
          part("HON", "9102", "Drive Belt"),
          part("HON", "9103", "Wool Cap"),
          part("HON", "9104", "Drive Belt, Woodruff"),
        ],
        progress: {},
      });
      for (const q of [
        "woos drive belt",
        "wods drive belt",
        "wonds drive belt",
        "drive belt woosd",
        "woods drive blets",
      ])
        expect([q, ids(await index.search("parts", query(q)))]).toEqual([q, ["bns-9101"]]);
      expect(ids(await index.search("parts", query("cags")))).toEqual([]);
    });

    it("forgive no slip in the plural of a word with synonyms", async () => {
      const search = await fill(
        part("HON", "9201", "Carburetor, Assembly"),
        part("BNS", "9202", "Turf Tire, Golf Cart"),
        part("HON", "9203", "Spark Plug Wires"),
      );
      expect(await search("carbs")).toEqual(["hon-9201"]);
      expect(await search("tyres")).toEqual(["bns-9202"]);
    });

    it("of one letter and another word are that word alone", async () => {
      const search = await fill(
        part("BNS", "9201", "V-Belt, 48 in"),
        part("BNS", "9202", "Deck V Belts"),
        part("BNS", "9203", "Deck Belt, V-Twin"),
        part("BNS", "9204", "Wrench, O", { description: "For a ring" }),
        part("BNS", "9205", "O-Ring"),
      );
      for (const q of ["v-belt", "V-Belts", "vbelt"])
        expect([q, (await search(q)).sort()]).toEqual([q, ["bns-9201", "bns-9202"]]);
      expect((await search("belt")).sort()).toEqual(["bns-9201", "bns-9202", "bns-9203"]);
      expect(await search("o-ring")).toEqual(["bns-9205"]);
    });

    it("are alike with a comma or a point for decimals, and with or without one between thousands", async () => {
      const index = await underTest.newPlace().open();
      await index.write({
        documents: [
          part("BNS", "9301", "Gearbox, 1,000 RPM"),
          part("BNS", "9302", "Gearbox, 1000 RPM"),
          part("BNS", "9303", "Gearbox, 540 RPM"),
          part("BNS", "9304", "Lift Cylinder 2,5 x 10 in"),
          part("BNS", "9305", "Lift Cylinder 2.5 x 10 in"),
          part("BNS", "9306", "Lift Cylinder 2-1/2 in x 10 in"),
          part("BNS", "9307", "Lift Cylinder 3 x 10 in"),
          part("BNS", "9308", "Belt, 540,541,542"),
          part("BNS", "9309", "Belt, 640,641"),
        ],
        progress: {},
      });
      for (const q of ["gearbox 1,000 rpm", "gearbox 1000 rpm", "1,000 rpm gearbox", "gearbox 1,000"])
        expect([q, ids(await index.search("parts", query(q))).sort()]).toEqual([q, ["bns-9301", "bns-9302"]]);
      for (const q of ["lift cylinder 2,5 x 10", "lift cylinder 2.5 x 10", "lift cylinder 2,5"])
        expect([q, ids(await index.search("parts", query(q))).sort()]).toEqual([
          q,
          ["bns-9304", "bns-9305", "bns-9306"],
        ]);
      expect(ids(await index.search("parts", query("belt 541")))).toEqual(["bns-9308"]);
      expect(ids(await index.search("parts", query("belt 641")))).toEqual(["bns-9309"]);
      const { hits } = await index.search("parts", query("gearbox 1000"));
      expect(hits.map(({ highlights }) => highlights.title).sort()).toEqual([
        "<em>Gearbox</em>, <em>1000</em> RPM",
        "<em>Gearbox</em>, <em>1</em>,<em>000</em> RPM",
      ]);
    });

    it("forgive nothing in what has a digit", async () => {
      expect(ids(await find("carburetor gx121"))).toEqual([]);
      expect(ids(await find("23x8.50-13"))).toEqual([]);
      expect(ids(await find("bpr6ez"))).toEqual([]);
    });

    it("put a match in the title above one elsewhere", async () => {
      const { hits } = await find("carburetor");
      expect(hits.length).toBeGreaterThan(2);
      const wheel = await find("wheel");
      expect(ids(wheel)).toEqual(["kmt-tl54321", "kmt-tl12345"]);
    });

    it("put what is so called above what has the word behind a comma or elsewhere", async () => {
      const search = await fill(
        part("BNS", "5101", "Fuel Filter, Inline", { description: "Fits RX200", price: null }),
        part("BNS", "5102", "Fuel Pump, RX200", { description: "With a filter" }),
        part("BNS", "5103", "Engine Oil Filter, Spin-On", { price: null }),
        part("BNS", "5104", "Oil Filter, Short", { vendorAliases: ["Briggs Engines"] }),
        part("BNS", "5105", "Fuel Pump, Electric", { vendorAliases: ["Briggs Engines"] }),
        part("BNS", "5106", "Carburetor, Assembly", { description: "Fits RX200", price: null }),
        part("BNS", "5107", "Carburetor Repair Kit, RX200"),
      );
      expect(await search("filter rx200")).toEqual(["bns-5101", "bns-5102"]);
      expect(await search("rx200 carburetor")).toEqual(["bns-5106", "bns-5107"]);
      expect(await search("engine oil filter")).toEqual(["bns-5103", "bns-5104"]);
    });

    it("put what is so called above what belongs to it, with any words before, behind and beside", async () => {
      const search = await fill(
        part("BNS", "8101", "Wheel Bearing", { description: "For any wheel" }),
        part("BNS", "8102", "Rear Wheel Assembly Left, 8 in", { price: null }),
        part("BNS", "8103", "Wheel", { price: null }),
        part("BNS", "8104", "Heavy Duty Galvanized Utility Trailer Wheel with Bearing", { price: null }),
        part("BNS", "8105", "Wheel 8 inch", { price: null }),
        part("BNS", "8106", "Gasket for Wheel Hub"),
      );
      for (const q of ["wheel", "wheels", "whel"]) {
        const found = await search(q);
        expect([q, found.slice(0, 4).sort(), found.slice(4)]).toEqual([
          q,
          ["bns-8102", "bns-8103", "bns-8104", "bns-8105"],
          ["bns-8101", "bns-8106"],
        ]);
      }
      expect(await search("bearing")).toEqual(["bns-8101", "bns-8104"]);
    });

    it("that are short for a synonym find nothing else that begins so, and those that say nothing find nothing", async () => {
      const search = await fill(
        part("BNS", "7101", "Carburetor", { description: "For the engine" }),
        part("BNS", "7102", "Cab Filter, Activated Carbon"),
      );
      expect(await search("carb")).toEqual(["bns-7101"]);
      expect(await search("the")).toEqual([]);
    });

    it("suggest a query that finds something where this one does not", async () => {
      const page = await find("carburator zzzzqq");
      expect(page).toMatchObject({ hits: [], total: 0, suggestion: "carburetor" });
      expect((await find(page.suggestion!)).total).toBeGreaterThan(0);
      expect(await find("zzzzqq")).not.toHaveProperty("suggestion");
      expect(await find("carburetor")).not.toHaveProperty("suggestion");
    });

    it("suggest nothing where filters alone are in the way", async () => {
      expect(await find("carburetor", { categories: ["Blades"] })).not.toHaveProperty("suggestion");
      expect(await find("carburetor old style")).not.toHaveProperty("suggestion");
    });

    it("are marked, and the rest is escaped", async () => {
      expect((await find("spark bpr6")).hits[0]!.highlights).toEqual({
        title: "<em>Spark</em> Plug &lt;<em>BPR6ES</em>&gt;",
      });
      expect((await find("mowre blade")).hits[0]!.highlights.title).toBe("<em>Mower</em> <em>Blade</em>, High Lift");
      expect((await find("sparkplug")).hits[0]!.highlights.title).toContain("<em>Spark</em> <em>Plug</em>");
      expect((await find("")).hits[0]!.highlights).toEqual({});
    });
  });

  describe("while a query is typed", () => {
    const suggest = async (q: string, limit = 5) => underTest.index.suggest("parts", { q, limit });

    it("numbers that begin so are suggested with their parts, in any spelling", async () => {
      for (const q of ["16100-z", "16100Z", "16100 z0"]) {
        const [first] = await suggest(q);
        expect(first).toMatchObject({ text: "16100-Z0Y-813", document: { id: "hon-16100z0y813" } });
        expect(first!.highlighted).toMatch(/^<em>16100-Z0?<\/em>/);
      }
    });

    it("words are completed by their beginning, and find something", async () => {
      for (const q of ["carb", "carburetor a", "mower bl"]) {
        const suggestions = (await suggest(q)).filter(({ document }) => document === undefined);
        expect(suggestions.length).toBeGreaterThan(0);
        for (const { text } of suggestions) expect((await find(text)).total).toBeGreaterThan(0);
      }
      expect((await suggest("mower bl")).map(({ text }) => text)).toContain("mower blade");
    });

    describe("completions", () => {
      let index: SearchIndex;
      beforeAll(async () => {
        index = await underTest.newPlace().open();
        const carlisle = { manufacturer: { name: "Carlisle", code: "KMT" } };
        await index.write({
          documents: [
            part("HON", "7101", "Oil Filter, Spin-On, GX160", { description: "Fits engines with an oilbath" }),
            part("HON", "7102", "Oil Filters, Long"),
            part("HON", "7103", "Oil Filter Housing Gasket"),
            part("BNS", "7104", "Oil Pump, Command CH20", { description: "Fits GX120" }),
            part("BNS", "7105", "Fuel Filter for Carburetor", { status: "discontinued" }),
            part("BNS", "7106", "Air Filter Pre-Cleaner"),
            part("HON", "7107", "Old Ornament", { status: "discontinued" }),
            part("BNS", "7108", "Oil Seal"),
            part("BNS", "7109", "Oil Seal, 1 <in>"),
            part("BNS", "7110", "Oil Seal"),
            part("KMT", "7111", "Turf Tire 23x8.50-12 Turf Saver, 4 ply", carlisle),
            part("KMT", "7112", "Trailer Tire 4.80/4.00-8", carlisle),
            part("BNS", "7113", "Flottör Kit"),
            part("BNS", "7114", "Muffler, FS730V, 25 hp"),
          ],
          progress: {},
        });
      });
      const complete = async (q: string, limit = 8): Promise<string[]> =>
        (await index.suggest("parts", { q, limit })).map(({ text }) => text);

      it.each(cases.completions)("of %j are %j", async (q, expected) => {
        expect(await complete(q)).toEqual(expected);
      });

      it("find something for any words of the catalog", async () => {
        const said = fc.constantFrom(
          "Oil Filter, Spin-On, GX160",
          "Briggs & Stratton Oil Seal, 1 <in>",
          "Turf Tire 23x8.50-12 Turf Saver",
          "Carlisle 4.80/4.00-8 trailer tire",
          "oil pump command ch20",
          "Flottör Kit honda gx120",
          "pre-cleaner air",
        );
        await fc.assert(
          fc.asyncProperty(
            said,
            fc.nat(12),
            fc.integer({ min: 1, max: 20 }),
            fc.constantFrom("", "x", "ee", "-", " "),
            async (text, from, length, by) => {
              const typed = text.slice(from, from + length);
              const q = typed.slice(0, length >> 1) + by + typed.slice(length >> 1);
              for (const suggested of await complete(q, 20))
                expect([q, suggested, (await index.search("parts", query(suggested))).total]).not.toEqual([
                  q,
                  suggested,
                  0,
                ]);
            },
          ),
          { numRuns: underTest.runs },
        );
      }, 120_000);

      it("are marked as far as they were typed", async () => {
        const marked = async (q: string): Promise<string | undefined> =>
          (await index.suggest("parts", { q, limit: 1 }))[0]?.highlighted;
        expect(await marked("oil fi")).toBe("<em>oil</em> <em>fi</em>lter");
        expect(await marked("<honda> oil fi")).toBe("&lt;<em>honda</em>&gt; <em>oil</em> <em>fi</em>lter");
        expect(await marked("briggs & s")).toBe("<em>briggs &amp; s</em>tratton");
        expect(await marked("23x85")).toBe("<em>23x8.5</em>0-12");
        expect(await marked("23x8.5-1")).toBe("<em>23x8.50-12</em>");
        expect(await marked("fliter")).toBe("<em>filter</em>");
      });

      it("leave room for numbers, which come first, and have as much as they leave", async () => {
        const mixed = await underTest.newPlace().open();
        await mixed.write({
          documents: [
            ...Array.from({ length: 6 }, (_, n) => part("BNS", `480${n}`, "Belt, 480V")),
            part("BNS", "9", "Belt, 480VA"),
          ],
          progress: {},
        });
        const suggest = async (limit: number) =>
          (await mixed.suggest("parts", { q: "480", limit })).map(({ text }) => text).join(" ");
        expect(await suggest(4)).toBe("4800 4801 480v 480va");
        expect(await suggest(8)).toBe("4800 4801 4802 4803 4804 4805 480v 480va");
      });
    });

    it("no more than the limit are given, and none for nothing", async () => {
      expect(await suggest("7998", 2)).toHaveLength(2);
      for (const q of ["", "   ", "zzzzqq", "<>&", "B&S"]) expect(await suggest(q)).toEqual([]);
    });
  });
}
