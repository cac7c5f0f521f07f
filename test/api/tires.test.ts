import { beforeAll, describe, expect, it } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";
import { type Answer } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

const system = useSystem();
beforeAll(async () => {
  const rows = [
    'ZT-1,"Zturf Tire 18.5x9.50-8 Zsaver, 4 ply",Tires',
    'ZT-2,"Zturf Tire 26x12LL-12 Zsaver, Load Range C TL",Tires',
    'ZT-3,"Zlug 460/85R38 149A8/B TL Zmax",Tires',
    'ZT-4,"Zwheel 18.5x9.50-8 5 Hole",Wheels',
    'ZT-5,"Zlug 460/85D38 Zmax 8PR TT",Tires',
  ];
  await importParts(system, "aMc", `part_number,title,category\n${rows.join("\n")}\n`);
});

const search = async (query: string): Promise<Answer["body"]> =>
  (await system.request("gateway", "GET", `/api/search?manufacturer=amc&${query}`)).body;
const found = async (query: string): Promise<string[]> =>
  (await search(query)).parts.map(({ id }: { id: string }) => id).sort();

describe("tires", () => {
  it.each([
    ["q=18.5%20950%208", ["amc-zt1", "amc-zt4"]],
    ["q=18.5x9.5x8", ["amc-zt1", "amc-zt4"]],
    ["q=zsaver%2026x12-12", ["amc-zt2"]],
    ["q=460%2085%2038", ["amc-zt3", "amc-zt5"]],
    ["q=460%2F85R38", ["amc-zt3", "amc-zt5"]],
    ["tireSize=18.5%20950%208", ["amc-zt1", "amc-zt4"]],
    ["tireSize=26x12LL-12", ["amc-zt2"]],
    ["tireSize=460%2085%2038", ["amc-zt3", "amc-zt5"]],
    ["tireSize=460%2F85R38&tireSize=26X12.00LL-12", ["amc-zt2", "amc-zt3"]],
    ["tireRim=38&tireTube=tubeless", ["amc-zt3"]],
    ["tireWidth=9.50&category=tires", ["amc-zt1"]],
    ["tirePly=6", ["amc-zt2"]],
    ["tirePattern=zsaver&tirePly=4", ["amc-zt1"]],
    ["tireLoadIndex=149&tireSpeed=a8", ["amc-zt3"]],
    ["tireSize=nonsense", []],
  ])("are found by %s", async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  it("have facets, each without its own filter", async () => {
    const { facets } = await search("category=tires&tireRim=38");
    expect(facets.tireRim.map(({ value, count }: Answer["body"]) => [value, count])).toEqual([
      ["38", 2],
      ["12", 1],
      ["8", 1],
    ]);
    expect(facets.tireTube.map(({ value }: Answer["body"]) => value).sort()).toEqual(["tube_type", "tubeless"]);
    expect(facets).not.toHaveProperty("tireWidth.2");
    const { status, body } = await system.request("gateway", "GET", `/api/filters?tireRim=${"8".repeat(101)}`);
    expect([status, body.error.details[0].field]).toEqual([400, "tireRim[0]"]);
  });

  it("are filtered and counted for InstantSearch", async () => {
    const params = { query: "", facets: ["tireRim"], facetFilters: ["manufacturer:AMC", ["tireRim:38", "tireRim:12"]] };
    const { body } = await system.request("gateway", "POST", "/api/search/instantsearch", {
      body: { requests: [{ indexName: "parts", params: { ...params, filters: "tireTube:tubeless" } }] },
    });
    const [{ hits, facets }] = body.results;
    expect(hits.map(({ id }: { id: string }) => id).sort()).toEqual(["amc-zt2", "amc-zt3"]);
    expect(facets).toEqual({ tireRim: { 12: 1, 38: 1 } });
  });
});
