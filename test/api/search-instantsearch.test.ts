import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { algoliasearch } from "algoliasearch";
import { liteClient } from "algoliasearch/lite";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

/** InstantSearch as far as it is driven here: its own types need a browser's. */
interface Rendered {
  hits: {
    items: { objectID: string; title: string; price: number | null; _highlightResult: { title: { value: string } } }[];
  };
  pagination: { nbHits: number; nbPages: number; currentRefinement: number; refine(page: number): void };
  searchBox: { refine(query: string): void };
  sortBy: { refine(index: string): void };
  refinementList: Record<
    string,
    {
      items: { value: string; label: string; count: number }[];
      refine(value: string): void;
      searchForItems(query: string): void;
    }
  >;
  range: Record<string, { range: { min: number; max: number }; refine(range: [number?, number?]): void }>;
}
interface InstantSearch {
  addWidgets(widgets: unknown[]): void;
  start(): void;
  dispose(): void;
  status: string;
  error?: Error;
  renderState: Record<string, Rendered>;
}
type RefinementList = Rendered["refinementList"][string];
type Connector = (render: (rendered: RefinementList) => void) => (options: object) => unknown;
const load = createRequire(import.meta.url);
const { default: instantsearch } = load("instantsearch.js") as { default: (options: object) => InstantSearch };
const connectors = load("instantsearch.js/cjs/connectors/index.js") as Record<string, Connector>;
const widget = (
  name: string,
  options: object = {},
  render: (rendered: RefinementList) => void = () => undefined,
): unknown => connectors[name]!(render)(options);

const system = useSystem();
beforeAll(async () => {
  const row = (vendor: string, rows: string): Promise<Answer> =>
    importParts(system, vendor, `part_number,title,list_price,status,category\n${rows}\n`);
  await row(
    "swp",
    "ZQ-1,Zanqor <Bristle> & Brush,10,,Brushes\nZQ-2,Zanqor Motor,20,,Motors\nZQ-3,Zanqor Frame,,,Frames\nZQ-4,Zanqor Brush old,5,discontinued,Brushes",
  );
  await row("hot", "ZH-1,Zanqor Brush,30,,Brushes\nZH-2,Zanqor Pump,40.5,,-Pumps");
});

const post = (requests: unknown, path = "/api/search/instantsearch"): Promise<Answer> =>
  system.request("search", "POST", path, { body: { requests } });
const one = async (params: unknown, more: object = {}): Promise<Answer["body"]> => {
  const { status, body } = await post([{ indexName: "parts", ...more, params }]);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.results[0];
};

describe("InstantSearch itself, through a searchClient of one line", () => {
  let search: InstantSearch;
  let categories: RefinementList;
  const state = (): Rendered => search.renderState.parts!;
  const ids = (): string[] => state().hits.items.map(({ objectID }) => objectID);
  const settled = (condition: () => boolean): Promise<unknown> =>
    eventually(() => search.status === "idle" && condition());

  beforeAll(async () => {
    const url = `${system.url("gateway")}/api/search/instantsearch`;
    search = instantsearch({
      indexName: "parts",
      searchClient: {
        search: (requests: unknown) =>
          fetch(url, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ requests }),
          }).then((response) => response.json()),
      },
      initialUiState: { parts: { query: "zanqor" } },
    });
    search.addWidgets([
      widget("connectConfigure", { searchParameters: { hitsPerPage: 2 } }),
      widget("connectHits"),
      widget("connectSearchBox"),
      widget("connectPagination"),
      widget("connectSortBy", {
        items: [{ value: "parts" }, { value: "parts_price_asc" }, { value: "parts_price_desc" }],
      }),
      widget("connectRefinementList", { attribute: "category", operator: "or" }, (rendered) => (categories = rendered)),
      widget("connectRefinementList", { attribute: "manufacturer", operator: "and" }),
      widget("connectRange", { attribute: "price" }),
    ]);
    search.start();
    await settled(() => state()?.pagination?.nbHits === 5);
  });
  afterAll(() => search.dispose());

  const counts = (attribute: string): Record<string, number> =>
    Object.fromEntries(state().refinementList[attribute]!.items.map(({ label, count }) => [label, count]));

  it("shows hits, highlights, counts and the range of prices", () => {
    expect(state().pagination).toMatchObject({ nbHits: 5, nbPages: 3, currentRefinement: 0 });
    expect(counts("category")).toEqual({ Brushes: 2, Frames: 1, Motors: 1, "-Pumps": 1 });
    expect(counts("manufacturer")).toEqual({ Sweepster: 3, Hotsy: 2 });
    expect(state().range.price!.range).toEqual({ min: 10, max: 41 });
    expect(state().hits.items[0]!._highlightResult.title.value).toMatch(/<mark>Zanqor<\/mark>/);
  });

  it("sorts by replica and pages", async () => {
    state().sortBy.refine("parts_price_asc");
    await settled(() => ids()[0] === "swp-zq1");
    expect(ids()).toEqual(["swp-zq1", "swp-zq2"]);
    expect(state().hits.items[0]!._highlightResult.title.value).toBe("<mark>Zanqor</mark> &lt;Bristle&gt; &amp; Brush");
    state().pagination.refine(2);
    await settled(() => state().pagination.currentRefinement === 2 && ids().length === 1);
    expect(ids()).toEqual(["swp-zq3"]);
    state().pagination.refine(0);
    await settled(() => state().pagination.currentRefinement === 0);
  });

  it("keeps the counts of a facet by OR apart from its own refinement, and counts one by AND among the hits", async () => {
    state().refinementList.category!.refine("Brushes");
    await settled(() => state().pagination.nbHits === 2);
    expect(counts("category")).toEqual({ Brushes: 2, Frames: 1, Motors: 1, "-Pumps": 1 });
    expect(counts("manufacturer")).toEqual({ Sweepster: 1, Hotsy: 1 });
    const pumps = state().refinementList.category!.items.find(({ label }) => label === "-Pumps")!;
    state().refinementList.category!.refine(pumps.value);
    await settled(() => state().pagination.nbHits === 3);
    state().refinementList.manufacturer!.refine("Hotsy");
    await settled(() => state().pagination.nbHits === 2);
    expect(ids()).toEqual(["hot-zh1", "hot-zh2"]);
    expect(counts("manufacturer")).toEqual({ Hotsy: 2 });
    expect(counts("category")).toEqual({ Brushes: 1, "-Pumps": 1 });
  });

  it("narrows by the range slider, whose ends stay", async () => {
    for (const { value, label } of state().refinementList.category!.items)
      if (["Brushes", "-Pumps"].includes(label)) state().refinementList.category!.refine(value);
    state().refinementList.manufacturer!.refine("Hotsy");
    await settled(() => state().pagination.nbHits === 5);
    state().range.price!.refine([15, 30]);
    await settled(() => state().pagination.nbHits === 2);
    expect(ids()).toEqual(["swp-zq2", "hot-zh1"]);
    expect(state().range.price!.range).toEqual({ min: 10, max: 41 });
    state().range.price!.refine([undefined, undefined]);
    await settled(() => state().pagination.nbHits === 5);
  });

  it("searches in the values of a facet", async () => {
    state().refinementList.category!.searchForItems("mot");
    await settled(() => categories.items.length === 1);
    expect(categories.items).toMatchObject([{ value: "Motors", highlighted: "<mark>Mot</mark>ors", count: 1 }]);
  });
});

describe("Algolia's own client", () => {
  it("searches through hosts that are this address", async () => {
    const client = liteClient("partline", "any", {
      hosts: [{ url: new URL(system.url("gateway")).host, protocol: "http", accept: "read" }],
    });
    const { results } = await client.search([{ indexName: "parts", params: { query: "zanqr motor", hitsPerPage: 1 } }]);
    expect(results).toMatchObject([
      { nbHits: 1, index: "parts", query: "zanqr motor", hits: [{ objectID: "swp-zq2", partNumber: "ZQ-2" }] },
    ]);
  });

  it("searches one index and the values of a facet, and gets parts by their ids", async () => {
    const client = algoliasearch("partline", "any", {
      hosts: [{ url: new URL(system.url("gateway")).host, protocol: "http", accept: "readWrite" }],
    });
    const found = await client.searchSingleIndex({
      indexName: "parts_price_desc",
      searchParams: { query: "zanqor", hitsPerPage: 1, facetFilters: ["category:Brushes"] },
    });
    expect(found).toMatchObject({
      nbHits: 2,
      index: "parts_price_desc",
      hits: [{ objectID: "hot-zh1", _highlightResult: { title: { value: "<em>Zanqor</em> Brush" } } }],
    });
    const of = (searchForFacetValuesRequest: object) =>
      client.searchForFacetValues({ indexName: "parts", facetName: "category", searchForFacetValuesRequest });
    expect(await of({ facetQuery: "bru", params: "query=zanqor" })).toMatchObject({
      facetHits: [{ value: "Brushes", highlighted: "<em>Bru</em>shes", count: 2 }],
      exhaustiveFacetsCount: true,
    });
    expect((await of({ params: "query=zanqor", maxFacetHits: 2 })).facetHits).toHaveLength(2);
    expect(await client.getObject({ indexName: "parts", objectID: "swp-zq2" })).toMatchObject({
      objectID: "swp-zq2",
      partNumber: "ZQ-2",
      price: 20,
    });
    expect(
      await client.getObject({ indexName: "parts", objectID: "swp-zq2", attributesToRetrieve: ["title"] }),
    ).toEqual({ objectID: "swp-zq2", title: "Zanqor Motor" });
    const objects = await client.getObjects({
      requests: ["hot-zh2", "swp-none"].map((objectID) => ({
        indexName: "parts",
        objectID,
        attributesToRetrieve: ["price"],
      })),
    });
    expect(objects.results).toEqual([{ objectID: "hot-zh2", price: 40.5 }, null]);
  });

  it("shows in its own form of errors why it is refused any part of the API", async () => {
    const client = algoliasearch("partline", "any", {
      hosts: [{ url: new URL(system.url("gateway")).host, protocol: "http", accept: "readWrite" }],
    });
    const refused = (call: Promise<unknown>, status: number, message: string) =>
      expect(call).rejects.toMatchObject({ status, message: expect.stringContaining(message) });
    await refused(client.searchSingleIndex({ indexName: "others" }), 400, "'indexName'");
    await refused(client.searchForFacetValues({ indexName: "parts", facetName: "price" }), 400, "'facet'");
    await refused(client.getObject({ indexName: "parts", objectID: "swp-none" }), 404, "Object swp-none not found");
    await refused(client.getObject({ indexName: "others", objectID: "swp-zq2" }), 404, "Index others not found");
    await refused(
      client.saveObject({ indexName: "parts", body: { objectID: "x" } }),
      404,
      "There is nothing at this path",
    );
    await refused(client.deleteObject({ indexName: "parts", objectID: "swp-zq2" }), 405, "This path takes GET, HEAD");
  });
});

describe("POST /api/search/instantsearch", () => {
  it("highlights nothing where nothing is asked for", async () => {
    expect((await one({ query: "zanqor", attributesToHighlight: [] })).hits[0]).not.toHaveProperty("_highlightResult");
  });

  it("counts at most as many values as asked for, by count or by name", async () => {
    expect(Object.keys((await one({ query: "zanqor", facets: "*", maxValuesPerFacet: 1 })).facets.category)).toEqual([
      "Brushes",
    ]);
    expect(
      Object.keys((await one({ query: "zanqor", facets: ["category"], sortFacetValuesBy: "alpha" })).facets.category),
    ).toEqual(["-Pumps", "Brushes", "Frames", "Motors"]);
  });

  it("refuses a whole call for one wrong request, and a call without any", async () => {
    expect((await post([{ indexName: "parts" }, { indexName: "parts", page: "x" }])).body.error.message).toContain(
      "'requests[1].page'",
    );
    for (const requests of [[], [null], "x", undefined]) expect((await post(requests)).status).toBe(400);
    expect(
      (
        await system.request("search", "POST", "/api/search/instantsearch", {
          body: { requests: [{ indexName: "parts" }], strategy: "stopIfEnoughMatches" },
        })
      ).body.error.message,
    ).toContain("strategy");
  });
});
