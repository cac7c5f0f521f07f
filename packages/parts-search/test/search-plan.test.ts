import { isDecimalSize } from "@partline/parts-language/terms";
import { describe, expect, it } from "@jest/globals";
import { part as createPart } from "./search-index.documents.ts";
import fc from "fast-check";
import { createHighlighter } from "../src/search-index/highlight.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import {
  planQuery,
  readSynonyms,
  listVariantNorms,
  listVendorKeys,
  type QueryPlan,
  type WordGroup,
} from "../src/search-index/query-plan.ts";
import { processorMs } from "../../../test/support/processor-time.ts";
import { ANY_CHARACTER } from "../../../test/support/any-character.ts";
import { readCases } from "../../../test/support/read-cases.ts";

const cases = readCases<{ synonyms: [string, string[][]][]; highlights: [string, string, string][] }>(
  import.meta.url,
  "search-words.yaml",
);

const NONE = readSynonyms([]);
const SYNONYMS = readSynonyms([
  "carburetor, carb, carburettor",
  "spark plug, sparkplug",
  "clutch disc, clutch plate",
  "disc, disk",
  "utility vehicle, side by side",
  "v-belt, vee belt, vbelt",
]);

const norm = fc.stringMatching(/^[A-Z0-9]{3,20}$/).filter((text) => /[0-9]/.test(text));
const separator = fc.constantFrom("", "", "-", ".", " ", "/", "_", "–", " - ");
/** What reads as a tire's size, also at the beginning or the end of more. */
const SIZE = /\d{1,2}\.\d{1,2}\s*[-–]\s*\d{1,2}(?!\d)/;
/** A number as people write it: in any case, with separators anywhere, but where they make a size of it. */
const spelled = norm
  .chain((number) =>
    fc
      .tuple(fc.array(separator, { minLength: number.length, maxLength: number.length }), fc.boolean())
      .map(([separators, isLower]) => {
        const text = [...number].map((character, at) => (at === 0 ? "" : separators[at]!) + character).join("");
        return { number, text: isLower ? text.toLowerCase() : text };
      }),
  )
  .filter(({ text }) => !isDecimalSize(text) && !SIZE.test(text));

const termsOf = ({ words }: QueryPlan) =>
  words.flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms));
const texts = ({ alternatives }: WordGroup): string[] =>
  alternatives.map(({ terms }) => terms.map(({ text }) => text).join(" "));

describe("the numbers of a query", () => {
  it("are the norm, however they are spelled", () => {
    fc.assert(
      fc.property(spelled, ({ number, text }) => {
        const { numbers } = planQuery(text, NONE);
        expect(numbers.whole).toBe(number);
        expect(numbers.prefixes).toContainEqual({ norm: number });
        expect(numbers.suffix).toBe(number.length >= 4 ? number : undefined);
      }),
    );
  });

  it("are found behind a vendor's code, name or alias, and behind CT-{MFG}-", () => {
    const vendor = {
      manufacturer: { name: "Briggs & Stratton", code: "BNS" },
      vendorName: "Briggs & Stratton",
      vendorAliases: ["B&S", "Pöttinger"],
    };
    const keys = new Set(listVendorKeys(vendor));
    fc.assert(
      fc.property(
        spelled,
        fc.constantFrom("BNS-", "bns ", "CT-BNS-", "B&S ", "briggs & stratton ", "Pottinger ", "PÖTTINGER "),
        ({ number, text }, lead) => {
          const { ofVendor } = planQuery(lead + text, NONE).numbers;
          expect(ofVendor.some((reading) => reading.norm === number && keys.has(reading.vendor!))).toBe(true);
        },
      ),
    );
  });

  it("are found among other words, also with blanks in them", () => {
    fc.assert(
      fc.property(
        norm.filter((number) => number.length >= 6),
        fc.nat(2),
        (number, at) => {
          const words = ["carburetor", "for", "mower"];
          words.splice(at, 0, `${number.slice(0, 2)} ${number.slice(2, 4)} ${number.slice(4)}`);
          expect(planQuery(words.join(" "), NONE).numbers.amidWords).toContainEqual({ norm: number });
        },
      ),
    );
  });

  it("have no typo variants, nor has any part of them", () => {
    fc.assert(
      fc.property(spelled, fc.constantFrom("", "carburetor "), ({ text }, before) => {
        for (const { text: term, typos } of termsOf(planQuery(before + text, SYNONYMS)))
          if (/\d/.test(term)) expect([term, typos]).toEqual([term, 0]);
      }),
    );
    expect(termsOf(planQuery("16100-ABCDEFGH-813", NONE)).map(({ typos }) => typos)).toEqual([0, 0, 0, 0]);
  });

  it("are beginnings from three characters on and ends from four, where they have a digit", () => {
    expect(planQuery("79", NONE).numbers).toMatchObject({ whole: "79", prefixes: [] });
    expect(planQuery("799", NONE).numbers).toEqual({
      whole: "799",
      ofVendor: [],
      amidWords: [],
      prefixes: [{ norm: "799" }],
    });
    expect(planQuery("7998", NONE).numbers.suffix).toBe("7998");
    expect(planQuery("belts", NONE).numbers).toEqual({
      whole: "BELTS",
      ofVendor: [{ vendor: "BEL", norm: "TS" }],
      amidWords: [],
      prefixes: [],
    });
  });

  it.each(["4.80-8", "5.7-8", "23x8.50-12", "23 x 8.50 - 12", "23X8.5X12"])(
    "are no sizes, such as %j, nor begin or end with one",
    (q) => {
      expect(planQuery(q, NONE).numbers).toEqual({ ofVendor: [], amidWords: [], prefixes: [] });
    },
  );

  it("are no sizes among other words", () => {
    expect(planQuery("trailer tire 5.70-8", NONE).numbers.amidWords).toEqual([]);
    expect(planQuery("K&M 5.70-8", NONE).numbers).toMatchObject({ ofVendor: [], amidWords: [] });
    expect(planQuery("5.70-8 TL12345", NONE).numbers.amidWords).toContainEqual({ norm: "TL12345" });
  });

  it("of a part are its variants that say something new", () => {
    const part = {
      pnNorm: "799868",
      manufacturer: { code: "BNS" },
      skuVariants: ["799-868", "BNS-799868", "CT-BNS-799868", "79-9868-X", "79 9868 x", "–"],
    };
    expect(listVariantNorms(part)).toEqual(["799868X"]);
  });
});

describe("the words of a query", () => {
  it("forgive one letter from four on, two from nine on, and none in what has a digit", () => {
    expect(
      termsOf(planQuery("cap belt blade carburator gx1600 mufflerx carburato", NONE)).map(({ text, typos }) => [
        text,
        typos,
      ]),
    ).toEqual([
      ["cap", 0],
      ["belt", 1],
      ["blade", 1],
      ["carburator", 2],
      ["gx1600", 0],
      ["mufflerx", 1],
      ["carburato", 2],
    ]);
  });

  it("that are plurals forgive as much as they are long as typed", () => {
    expect(
      termsOf(planQuery("woos wonds caps of belts", NONE)).map(({ text, typed, typos }) => [text, typed, typos]),
    ).toEqual([
      ["woo", "woos", 1],
      ["wond", "wonds", 1],
      ["cap", "caps", 1],
      ["belt", "belts", 1],
    ]);
  });

  it("are asked for once, however often they are typed", () => {
    expect(planQuery("belt Belts deck belt", NONE).words.map(texts)).toEqual([["belt"], ["deck"]]);
    expect(planQuery("side by side", SYNONYMS).words.map(texts)).toEqual([["side side", "utility vehicle"]]);
  });

  it("may be unfinished where they are last", () => {
    expect(termsOf(planQuery("mower bla", NONE)).map(({ isBeginning }) => isBeginning)).toEqual([false, true]);
    expect(termsOf(planQuery("wheel 23x8.50", NONE)).map(({ text, isBeginning }) => [text, isBeginning])).toEqual([
      ["wheel", false],
      ["23x8", false],
      ["50", true],
      ["23x850", true],
      ["23x85", true],
    ]);
    expect(termsOf(planQuery("b", NONE))[0]!.isBeginning).toBe(false);
  });

  it("are whole where they are short for a synonym", () => {
    expect(termsOf(planQuery("carb", SYNONYMS)).map(({ text, isBeginning }) => [text, isBeginning])).toEqual([
      ["carb", false],
      ["carburetor", false],
      ["carburettor", false],
    ]);
    expect(termsOf(planQuery("disc", SYNONYMS))[0]!.isBeginning).toBe(true);
  });

  it("are none where they say nothing", () => {
    expect(planQuery("the", SYNONYMS).words).toEqual([]);
  });

  it.each(cases.synonyms)("%j have synonyms in both directions, what was typed first", (q, expected) => {
    expect(planQuery(q, SYNONYMS).words.map(texts)).toEqual(expected);
  });

  it("are planned for any text at all, in little time, as letters and digits only", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 400 }), (text) => {
        const plan = planQuery(text, SYNONYMS);
        expect(plan.words.length).toBeLessThanOrEqual(12);
        expect(plan.numbers.amidWords.length).toBeLessThan(500);
        for (const { text: term } of termsOf(plan)) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
        for (const { norm: each } of [...plan.numbers.amidWords, ...plan.numbers.ofVendor])
          expect(each).toMatch(/^[A-Z0-9]+$/);
      }),
    );
    for (const long of [
      "x".repeat(10_000),
      "16100 ".repeat(2_000),
      "\ud800".repeat(5_000),
      "a1-".repeat(4_000),
      "😀".repeat(3_000),
    ]) {
      const start = processorMs();
      planQuery(long, SYNONYMS);
      expect(processorMs() - start).toBeLessThan(500);
    }
  });
});

describe("highlights", () => {
  const part = (partNumber: string, title: string): IndexDocument =>
    createPart("HON", partNumber, title, { skuVariants: [] });
  const unescape = (html: string): string =>
    html
      .replace(/<\/?em>/g, "")
      .replace(
        /&(lt|gt|quot|#39|amp);/g,
        (_, name: string) => ({ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" })[name]!,
      );

  it("say what the title and the number say, with nothing in them but em", () => {
    const title = fc
      .array(fc.constantFrom("Carburetor", "<b>", "&amp;", "Spark", "Plug", "23x8.50-12", '"Bolt"', "é", "😀"), {
        minLength: 1,
        maxLength: 6,
      })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(
        title,
        spelled,
        fc.oneof(
          fc.string({ unit: ANY_CHARACTER }),
          title,
          spelled.map(({ text }) => text),
        ),
        (words, { text }, q) => {
          const document = part(text, words);
          const highlights = createHighlighter(planQuery(q, SYNONYMS))(document);
          if (highlights.title !== undefined) expect(unescape(highlights.title)).toBe(words);
          if (highlights.partNumber !== undefined) expect(unescape(highlights.partNumber)).toBe(text);
          for (const html of [highlights.title ?? "", highlights.partNumber ?? ""])
            expect(html.replace(/<em>[^<>]+<\/em>/g, "")).not.toMatch(/[<>]/);
        },
      ),
    );
  });

  it.each([
    ["16100z", "<em>16100-Z</em>0Y-813"],
    ["honda 16100z0y813", "<em>16100-Z0Y-813</em>"],
    ["Y813", "16100-Z0<em>Y-813</em>"],
    ["0y-813", "16100-Z<em>0Y-813</em>"],
  ])("of a number typed as %j are %s", (q, expected) => {
    expect(createHighlighter(planQuery(q, NONE))(part("16100-Z0Y-813", "Carburetor")).partNumber).toBe(expected);
  });

  it.each(cases.highlights)("of %j in %j are of all that is one size or model", (q, title, expected) => {
    expect(createHighlighter(planQuery(q, SYNONYMS))(part("1", title)).title).toBe(expected);
  });

  it("of words mark synonyms and, where the word itself is not there, what is like it", () => {
    const title = (q: string): string | undefined =>
      createHighlighter(planQuery(q, SYNONYMS))(part("1", "Filter for Filler Cap, Carburetors")).title;
    expect(title("filter")).toBe("<em>Filter</em> for Filler Cap, Carburetors");
    expect(title("filtre")).toBe("<em>Filter</em> for Filler Cap, Carburetors");
    expect(title("carb")).toBe("Filter for Filler Cap, <em>Carburetors</em>");
    expect(title("flter")).toBe("<em>Filter</em> for Filler Cap, Carburetors");
    expect(title("belt")).toBeUndefined();
    expect(createHighlighter(planQuery("bult", SYNONYMS))(part("1", "Bolt, Boult")).title).toBe("Bolt, <em>Boult</em>");
  });
});
