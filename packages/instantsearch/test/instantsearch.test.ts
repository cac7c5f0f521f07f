import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { answerRequests } from "../src/answer.ts";
import { parseFacetFilters, parseFilters, parseNumericFilters, type Term } from "../src/filters.ts";
import { markTerms, withTags } from "../src/highlight.ts";
import { toIndexQuery } from "../src/query.ts";
import { readRequest } from "../src/request.ts";
import { hasCode } from "../../../mixins/errors.ts";

const category = (value: string): Term => ({ attribute: "category", value });
const price = (min: number, max = 99_999_999): Term => ({ attribute: "price", min, max });

describe("facetFilters", () => {
  it.each<[unknown, Term[][]]>([
    ["category:Belts", [[category("Belts")]]],
    [[], []],
    ["", []],
    [[[]], []],
    [
      ["category:Wheels & Tires", ["category:a:b", "category:\\-c"]],
      [[category("Wheels & Tires")], [category("a:b"), category("-c")]],
    ],
  ])("reads %j", (value, expected) => {
    expect(parseFacetFilters(value, "facetFilters")).toEqual(expected);
  });
});

describe("numericFilters", () => {
  it.each<[unknown, Term[][]]>([
    [
      ["price>=10", " price <= 19.99 "],
      [[price(1_000)], [price(0, 1_999)]],
    ],
    ["price>10,price<20", [[price(1_001)], [price(0, 1_999)]]],
    [["price:5 TO 7.5"], [[price(500, 750)]]],
    [["price=19.99"], [[price(1_999, 1_999)]]],
    [
      ["price>=9.991", "price<=9.999"],
      [[price(1_000)], [price(0, 999)]],
    ],
    [["price>=-5"], [[price(0)]]],
  ])("reads %j as whole cents", (value, expected) => {
    expect(parseNumericFilters(value, "numericFilters")).toEqual(expected);
  });

  it("means what it says of every price", () => {
    const cents = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(cents, cents, fc.constantFrom(">=", "<=", ">", "<", "="), (of, bound, operator) => {
        const [[term]] = parseNumericFilters([`price${operator}${bound / 100}`], "numericFilters") as [
          [Term & { attribute: "price" }],
        ];
        const means = { ">=": of >= bound, "<=": of <= bound, ">": of > bound, "<": of < bound, "=": of === bound }[
          operator
        ];
        expect(of >= term.min && of <= term.max).toBe(means);
      }),
    );
  });
});

describe("filters", () => {
  it.each<[string, Term[][]]>([
    ["", []],
    ["category:Belts", [[category("Belts")]]],
    ['category:"Fuel \\"A\\" AND B" AND price >= 3', [[category('Fuel "A" AND B')], [price(300)]]],
    ["(category:a OR category:b) AND price:1 TO 2", [[category("a"), category("b")], [price(100, 200)]]],
    ["category:a OR category:'b c' AND price=1", [[category("a"), category("b c")], [price(100, 100)]]],
    ['category:"OR"', [[category("OR")]]],
  ])("reads %s", (value, expected) => {
    expect(parseFilters(value, "filters")).toEqual(expected);
  });

  it("reads any text, or refuses it as the client's", () => {
    const piece = fc.oneof(
      fc.constantFrom("category", ":", '"', "'", "(", ")", "AND", "OR", "NOT", "price", ">=", "3", "TO", " ", "\\"),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          try {
            return Array.isArray(parseFilters(text, "filters"));
          } catch (error) {
            return hasCode(error, "VALIDATION_FAILED");
          }
        },
      ),
    );
  });

  it("reads back every value that it is given in quotes", () => {
    const value = fc.string({ minLength: 1, maxLength: 50 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(value, (text) => {
        expect(parseFilters(`category:"${text.replace(/["\\]/g, "\\$&")}"`, "filters")).toEqual([[category(text)]]);
      }),
    );
  });
});

describe("a request", () => {
  it.each([
    [{ distinct: true }, "The 'requests[0].distinct' field is not supported, and may only be off."],
    [{ tagFilters: ["new"] }, "The 'requests[0].tagFilters' field is not supported, and may only be empty."],
    [{ aroundLatLng: "1,2" }, "The 'requests[0].aroundLatLng' field is not supported."],
  ])("says what may be sent of what is not supported: %j", (fields, message) => {
    expect(() => readRequest({ indexName: "parts", ...fields }, "requests[0]")).toThrow(message);
  });

  const query = (params: object) => toIndexQuery(readRequest({ indexName: "parts", ...params }, "requests[0]"));

  it("becomes a query of the index", () => {
    expect(
      query({
        query: "belt",
        page: 2,
        hitsPerPage: 10,
        facetFilters: [["category:Belts", "category:Pulleys"], "manufacturer:BNS"],
        filters: "price<5 AND status:discontinued",
      }),
    ).toEqual({
      q: "belt",
      categories: ["Belts", "Pulleys"],
      manufacturers: ["BNS"],
      minPrice: 0,
      maxPrice: 499,
      status: "discontinued",
      sort: "relevance",
      offset: 20,
      limit: 10,
    });
    expect(query({})).toEqual({
      q: "",
      categories: [],
      manufacturers: [],
      status: "active",
      sort: "relevance",
      offset: 0,
      limit: 20,
    });
  });

  it("may have its parameters as an object, URL-encoded or beside the name", () => {
    const params = { query: "belt", page: 1, facetFilters: [["category:Belts"]], numericFilters: ["price>=10"] };
    const pairs = Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const read = [params, { params }, { params: new URLSearchParams(pairs).toString() }].map(query);
    expect(read[0]).toMatchObject({ q: "belt", offset: 20, categories: ["Belts"], minPrice: 1_000 });
    expect(read.slice(1)).toEqual([read[0], read[0]]);
  });

  it("keeps of several filters of one attribute what all of them name, in any spelling, and asks nothing where that is nothing", () => {
    expect(query({ facetFilters: [["category:Belts", "category:Fuel Pumps"], ["category:FUEL PUMPS"]] })).toMatchObject(
      { categories: ["Fuel Pumps"] },
    );
    expect(query({ facetFilters: ["category:Belts", "category:Pumps"] })).toBeUndefined();
    expect(query({ numericFilters: ["price>3", "price<3"] })).toBeUndefined();
  });
});

describe("highlights", () => {
  const tags = { preTag: "<b>", postTag: "</b>" };

  it("are the plain text with the caller's tags", () => {
    expect(
      withTags("<em>Belt</em> &amp; &lt;<em>Cover</em>&gt; &quot;&#39;", "Belt & <Cover> \"'", {
        ...tags,
        query: "belt cover pulley",
      }),
    ).toEqual({
      value: "<b>Belt</b> & <<b>Cover</b>> \"'",
      matchLevel: "partial",
      fullyHighlighted: true,
      matchedWords: ["belt", "cover"],
    });
    expect(withTags("<em>Belt</em> Cover", "Belt Cover", { ...tags, query: "belt" })).toMatchObject({
      matchLevel: "full",
      fullyHighlighted: false,
    });
    expect(withTags(undefined, "a & b", { ...tags, query: "x" })).toEqual({
      value: "a & b",
      matchLevel: "none",
      fullyHighlighted: false,
      matchedWords: [],
    });
  });

  it("of a facet's value mark the beginnings that were typed, all of them", () => {
    expect(markTerms("Wheels & Tires", ["ti", "wh"], tags)).toBe("<b>Wh</b>eels & <b>Ti</b>res");
    expect(markTerms("Wheels & Tires", ["ti", "x"], tags)).toBeUndefined();
    expect(markTerms("Wheels", [], tags)).toBe("Wheels");
  });
});

describe("a request that is refused", () => {
  it.each([
    [{ indexName: "products" }, "requests[0].indexName"],
    [{ indexName: "parts", params: "query=a&query=b" }, "requests[0].params.query"],
    [{ indexName: "parts", params: 7 }, "requests[0].params"],
    [{ indexName: "parts", type: "recommend" }, "requests[0].type"],
    [{ indexName: "parts", query: 7 }, "requests[0].query"],
    [{ indexName: "parts", hitsPerPage: 101 }, "requests[0].hitsPerPage"],
    [{ indexName: "parts", page: -1 }, "requests[0].page"],
    [{ indexName: "parts", page: 1_000 }, "requests[0].page"],
    [{ indexName: "parts", facets: ["brand"] }, "requests[0].facets"],
    [{ indexName: "parts", facetFilters: ["category:-Belts"] }, "requests[0].facetFilters"],
    [{ indexName: "parts", facetFilters: [["category:Belts", "manufacturer:BNS"]] }, "requests[0].facetFilters"],
    [{ indexName: "parts", facetFilters: ["colour:red"] }, "requests[0].facetFilters"],
    [{ indexName: "parts", facetFilters: [[["category:Belts"]]] }, "requests[0].facetFilters"],
    [{ indexName: "parts", facetFilters: ["status:gone"] }, "requests[0].facetFilters"],
    [{ indexName: "parts", facetFilters: [["status:active", "status:discontinued"]] }, "requests[0].facetFilters"],
    [{ indexName: "parts", filters: "status:gone" }, "requests[0].filters"],
    [{ indexName: "parts", params: "query=%FF" }, "requests[0].params"],
    [{ indexName: "parts", params: "query=a%00" }, "requests[0].params"],
    [
      { indexName: "parts", params: `facetFilters=${encodeURIComponent('["category:\\ud800"]')}` },
      "requests[0].params",
    ],
    [{ indexName: "parts", numericFilters: ["price!=3"] }, "requests[0].numericFilters"],
    [{ indexName: "parts", numericFilters: ["stock>3"] }, "requests[0].numericFilters"],
    [{ indexName: "parts", numericFilters: [["price>3", "price<2"]] }, "requests[0].numericFilters"],
    [{ indexName: "parts", filters: "NOT category:Belts" }, "requests[0].filters"],
    [{ indexName: "parts", filters: 'category:"Belts' }, "requests[0].filters"],
    [{ indexName: "parts", filters: "category:Belts category:Pumps" }, "requests[0].filters"],
    [{ indexName: "parts", filters: "(category:Belts" }, "requests[0].filters"],
    [{ indexName: "parts", clickAnalytics: true }, "requests[0].clickAnalytics"],
    [{ indexName: "parts", type: "facet", facet: "price" }, "requests[0].facet"],
  ])("%j is named by %s", async (request, field) => {
    const answer = answerRequests([request] as Parameters<typeof answerRequests>[0], {
      toCode: (name) => name,
      find: () => Promise.reject(new Error("It was searched")),
      recordSearch: () => undefined,
    });
    await expect(answer).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining(`'${field}'`),
      data: [{ field }],
    });
  });
});
