import { describe, expect, test } from "@jest/globals";
import { createDesk, readAnswer } from "../src/desk.ts";
import type { CatalogHit } from "../src/port.ts";
import { FORGETFUL_DESK, shopSources } from "./desk.support.ts";

/** Machines that the catalog alone has parts for. */

const MACHINES = ["Vanguard 18 HP", "GX160"];
const createHit = (partNumber: string, title: string, price: number, fits: readonly string[]): CatalogHit => ({
  ...{ id: `x-${partNumber}`, slug: `s-${partNumber}`, partNumber, title, price, fits },
  ...{ manufacturer: { name: "Honda", code: "HON" }, status: "active", supersededBy: null },
});
const HITS = [
  createHit("90-1001", "Spark Plug, Platinum, GX160", 5, ["GX160"]),
  createHit("90-1002", "Spark Plug, RC12YC, GXV160", 3, ["GXV160", "GX160"]),
  createHit("90-1003", "Head Gasket, Cylinder 2, Vanguard 18 HP", 20, ["Vanguard 18 HP"]),
  createHit("90-1004", "Drive Belt, 1/2 in x 68 in, GX160", 30, ["GX160"]),
  createHit("90-1005", "Drive Belt, 1/2 in x 97 in, GX160", 40, ["GX160"]),
  createHit("90-1006", "Radiator Hose, Upper, GX160", 8, ["GX160"]),
  createHit("90-1007", "Radiator Hose, Lower, GX160", 9, ["GX160"]),
];

const desk = createDesk({
  sources: {
    ...shopSources(),
    findCatalogMachines: async (text) =>
      MACHINES.flatMap((name) => {
        const from = text.toLowerCase().indexOf(name.toLowerCase());
        return from < 0 ? [] : [{ from, to: from + name.length, name, how: "named" as const }];
      }),
    findPartsFor: async (machines) => HITS.filter(({ fits = [] }) => fits.some((name) => machines.includes(name))),
    offers: async (parts) =>
      parts.map(({ catalog }) => ({
        ...{ id: catalog?.id ?? null, slug: "s", status: "active" as const, price: catalog?.price ?? null },
        ...{ availability: "in_stock" as const, stock: 7, live: true, supplierFailed: false },
      })),
  },
  ...FORGETFUL_DESK,
});
const ask = (query: string) => readAnswer(desk.answer({ query, includeStoreLink: false }));
const listNumbers = async (query: string) => (await ask(query)).parts.map(({ part_number }) => part_number);

describe("a machine of the catalog", () => {
  test.each([
    "spark plug GX160",
    "what spark plug fits my GX160?",
    "GX160 spark plug price",
    "gaźnik, spark plug GX160",
  ])("has all the parts that the catalog says fit: %s", async (query) => {
    expect((await listNumbers(query)).sort()).toEqual(["90-1001", "90-1002"]);
  });

  test("and the cheapest of all of them", async () => {
    const { answer, parts } = await ask("cheapest spark plug for a GX160");
    expect(parts[0]?.part_number).toBe("90-1002");
    expect(answer).toContain("The cheapest of these: 90-1002, $3.00.");
  });

  test("the longest is first", async () => {
    expect((await listNumbers("longest drive belt for a GX160"))[0]).toBe("90-1005");
  });

  test("what is for another place or cylinder is not meant", async () => {
    expect(await listNumbers("lower radiator hose for a GX160")).toEqual(["90-1007"]);
    expect(await listNumbers("head gasket cylinder 1 for a Vanguard 18 HP")).toEqual([]);
  });

  test("a price that none has is said", async () => {
    const { answer, parts } = await ask("drive belt for a GX160 under $10");
    expect(parts).toEqual([]);
    expect(answer).toContain("none of them is under $10.00");
  });

  test("only some of so many are here", async () => {
    expect((await ask("do you have 10 lower radiator hoses for a GX160?")).answer).toContain(
      "No, only 7 in stock right now",
    );
  });

  test("answers in the language of the question", async () => {
    expect((await ask("Ich brauche eine Zündkerze für den GX160")).answer).toMatch(/^Für GX160:.*\n.*7 auf Lager/);
    expect((await ask("Necesito una bujía para la GX160")).answer).toMatch(/^Para GX160:.*\n.*7 en existencias/);
  });
});

describe("a machine that the titles of parts alone name", () => {
  const titled = ["Air Filter, BR600, Stihl", "Stihl BR 550 / BR 600 Pre-Filter", "Air Filter for Stihl BR 6000"].map(
    (title, index) => createHit(`42-100${index}`, title, 5, []),
  );
  const shop = shopSources();
  const titleDesk = createDesk({
    sources: {
      ...shop,
      catalog: async (query) => (/br ?600/i.test(query) ? titled : []),
      offers: async (parts) => shop.offers(parts),
    },
    ...FORGETFUL_DESK,
  });
  test.each([
    ["air filter for Stihl BR 600", ["42-1000"]],
    ["what fits the Stihl BR 600?", ["42-1000", "42-1001"]],
  ])("has those: %s", async (query, numbers) => {
    const { answer, parts } = await readAnswer(titleDesk.answer({ query, includeStoreLink: false }));
    expect(parts.map(({ part_number }) => part_number)).toEqual(numbers);
    expect(answer).toMatch(/^Going by the part's title: /);
  });
});
