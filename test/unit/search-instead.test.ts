import { expect, test } from "@jest/globals";
import { CatalogMachines, type HitDocument, type SearchPage, type SearchQuery } from "@partline/parts-search";
import { findInstead } from "../../services/search/instead.ts";
import { toHitsQuery } from "../../services/search/query.ts";

const PARTS: [title: string, ...fits: string[]][] = [
  ["Fuel Pump, Electric 12V, FR651V", "FR651V"],
  ["Fuel Pump, Pulse, FR651V", "FR651V", "FX850V"],
  ["Fuel Pump, Pulse, GX160", "GX160"],
  ["Muffler, FX850V", "FX850V"],
  ["Oil Filter, GX160", "GX160"],
  ["Hydraulic Hose, 1/2in x 48in, GX160", "GX160"],
  ["Wheel Tire 16x6.50-8 Flat"],
  ["Wheel Flat"],
];
const hits = PARTS.map(([title, ...fits], index) => ({
  document: { id: String(index), pnNorm: `N${index}`, title, fits, price: 100 } as unknown as HitDocument,
  highlights: {},
}));
const hasWord = (title: string, word: string) => title.toLowerCase().split(/[ ,]+/).includes(word.toLowerCase());
/** The parts that have every word and fit one of the machines. */
const search = async ({ q, machines, limit }: SearchQuery): Promise<SearchPage> => {
  const found = hits.filter(
    ({ document: { title, fits = [] } }) =>
      (!machines || machines.some((name) => fits.includes(name))) &&
      q.split(/\s+/).every((word) => word === "" || hasWord(title, word)),
  );
  return { hits: found.slice(0, limit), total: found.length, facets: { category: [] } } as unknown as SearchPage;
};
const deps = {
  search,
  count: async (query: SearchQuery) => (await search({ ...query, limit: 1 })).total,
  readMachines: async () =>
    new CatalogMachines([
      { name: "FR651V", maker: "Kawasaki" },
      { name: "FX850V", maker: "Kawasaki" },
      { name: "GX160", maker: "Honda" },
    ]),
  partsOf: async () => [],
  hasOwnWords: async () => false,
};
const find = async (q: string): Promise<string[]> => {
  const instead = await findInstead(toHitsQuery(q, 10), deps);
  const found = instead && (instead.hits ?? (await search(instead.query)).hits);
  return found?.map(({ document: { title } }) => title) ?? [];
};

test.each([
  ["hydraulic hose 1/2 inch 4 foot", ["Hydraulic Hose, 1/2in x 48in, GX160"]],
  ["Ölfilter GX160 dringendst bitteschön", ["Oil Filter, GX160"]],
  ["filtro de aceite honda gx ciento sesenta", ["Oil Filter, GX160"]],
  ["Kraftstoffpumpe FR651V, nicht elektrisch", ["Fuel Pump, Pulse, FR651V"]],
  ["tuyau hydraulique 122 cm GX160", ["Hydraulic Hose, 1/2in x 48in, GX160"]],
  ["no flat wheel with tire 16x6.50-8", ["Wheel Tire 16x6.50-8 Flat"]],
  ["fuel pump FR651V, not electric", ["Fuel Pump, Pulse, FR651V"]],
  ["GX160 oil filter, FX850V muffler", ["Oil Filter, GX160", "Muffler, FX850V"]],
  ["oil filter and fuel pump for a GX160", ["Oil Filter, GX160", "Fuel Pump, Pulse, GX160"]],
  [
    "Hi there,\nThe Honda GX160 needs a new oil filter, and on the Kawasaki FX850V the muffler has rusted through.",
    ["Oil Filter, GX160", "Muffler, FX850V"],
  ],
])("%j finds all that it asks for", async (q, titles) => expect(await find(q)).toEqual(titles));

test("what fits both machines stands first", async () =>
  expect((await find("fuel pump that fits both FR651V and FX850V"))[0]).toBe("Fuel Pump, Pulse, FR651V"));
