import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";

interface Search {
  event_type: string;
  data: { query: string; results_count: number };
}

let system: SystemClient;
let end: (() => Promise<void>) | undefined;
beforeAll(async () => {
  ({ system, end } = await useSystem());
  await system.request("catalog", "POST", "/catalog/import/swp", {
    rawBody: "part_number,title,list_price,status,superseded_by,category,image_url\nDQ-77.0101,Deskquill Nib,19.99,,,Deskquills,\n",
    headers: { "Content-Type": "text/csv" },
    adminToken: ADMIN_TOKEN,
  });
}, 180_000);
afterAll(() => end?.());

const ask = (query: string) => system.request("ai", "POST", "/query", { body: { query } });
const searches = async (): Promise<Search[]> => {
  const { body } = await system.request("eventstore", "GET", "/events?event_type=SEARCH_PERFORMED&limit=1000");
  return body.events as Search[];
};

/** All searches that were recorded between two of a shopper, which are recorded in their order. */
async function between(begin: string, work: () => Promise<unknown>): Promise<Search["data"][]> {
  await system.request("search", "GET", `/api/search?q=${begin}`);
  await eventually(async () => (await searches()).some(({ data }) => data.query === begin), 20_000);
  const known = (await searches()).length;
  await work();
  await eventually(async () => (await searches()).length > known, 20_000);
  await system.request("search", "GET", `/api/search?q=${begin}end`);
  await eventually(async () => (await searches()).some(({ data }) => data.query === `${begin}end`), 20_000);
  const all = (await searches()).map(({ data }) => data);
  const places = [begin, `${begin}end`].map((query) => all.findIndex((data) => data.query === query));
  return all.slice(Math.min(...places) + 1, Math.max(...places));
}

test("a question with personal data leaves one search that has none of it", async () => {
  const question = "Joe Doe, 14 Elm Street 60614 Chicago, joe.doe@example.com, +1 312 555 0177, card 4111 1111 1111 1111 cvv 123, needs a quuxolator";
  const left = await between("deskmarkone", () => ask(question));
  expect(left).toEqual([expect.objectContaining({ query: "[e-mail] [phone] [card]", results_count: 0 })]);
  const zeroHits = await eventually(async () => {
    const { text } = await system.request("analytics", "GET", "/api/analytics/searches/zero-hits", { adminToken: ADMIN_TOKEN });
    return text.includes("deskmarkoneend") && text;
  }, 20_000);
  expect(zeroHits).not.toMatch(/4111 1111|60614|312 555 0177|joe|elm street/i);
}, 90_000);

test("a question that finds a part leaves one search, for what found it", async () => {
  const left = await between("deskmarktwo", () => ask("My name is Joe Doe, joe.doe@example.com: how much is DQ-77.0101, and do you have it in stock?"));
  expect(left).toEqual([expect.objectContaining({ query: "DQ-77.0101", results_count: 1 })]);
}, 90_000);

test("a shopper's card is struck out on every way of searching", async () => {
  const card = "4111 1111 1111 1111";
  const left = await between("deskmarkthree", async () => {
    await system.request("search", "GET", `/api/search?q=${encodeURIComponent(`deskcard ${card}`)}`);
    await system.request("search", "GET", `/api/ai?q=${encodeURIComponent(`deskcard ${card}`)}`);
    await system.request("search", "POST", "/api/search/instantsearch", { body: { requests: [{ indexName: "parts", query: `deskcard ${card}` }] } });
  });
  expect(left.map(({ query }) => query)).toEqual(Array.from({ length: 3 }, () => "deskcard [card]"));
}, 90_000);
