import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

interface Search {
  event_type: string;
  data: { query: string; results_count: number };
}

const system = useSystem();
beforeAll(async () => {
  await importParts(
    system,
    "swp",
    "part_number,title,list_price,status,superseded_by,category,image_url\nDQ-77.0101,Deskquill Nib,19.99,,,Deskquills,\n",
  );
}, 180_000);

const ask = (query: string) => system.request("ai", "POST", "/query", { body: { query } });

/** Searches since then that have one of these words; other suites search in the same system. */
async function searchesWith(words: RegExp, since: Date): Promise<Search["data"][]> {
  const { body } = await system.request(
    "eventstore",
    "GET",
    `/events?event_type=SEARCH_PERFORMED&limit=1000&since=${since.toISOString()}`,
  );
  return (body.events as Search[]).map(({ data }) => data).filter(({ query }) => words.test(query));
}

/**
 * What a question left: a search that is made when that is there is behind all that the question's look-ups could have
 * left.
 */
async function leftBy(question: string, words: RegExp, mark: string): Promise<Search["data"][]> {
  let since = new Date();
  // A busy machine that cannot look all of it up in time leaves no search of a question that found nothing.
  await eventually(async () => {
    since = new Date();
    const { status, text } = await ask(question);
    expect(status).toBe(200);
    const isLeft = eventually(async () => (await searchesWith(words, since)).length > 0, 20_000);
    return isLeft.catch(() =>
      Promise.reject(new Error(`No search was left of the question that was answered ${text}`)),
    );
  }, 120_000);
  await system.request("search", "GET", `/api/search?q=${mark}`);
  await eventually(async () => (await searchesWith(new RegExp(mark), since)).length > 0, 60_000);
  return searchesWith(words, since);
}

test("a question with personal data leaves one search that has none of it", async () => {
  const question =
    "Joe Doe, 14 Elm Street 60614 Chicago, joe.doe@example.com, +1 312 555 0177, card 3782 822463 10005 cvv 123, needs a quuxolator";
  const left = await leftBy(question, /\[e-mail\].*\[card\]|quux|joe|elm|60614|3782|312 555/i, "deskmarkone");
  expect(left).toEqual([expect.objectContaining({ query: "[e-mail] [phone] [card]", results_count: 0 })]);
  const zeroHits = await system.request("analytics", "GET", "/api/analytics/searches/zero-hits", {
    adminToken: ADMIN_TOKEN,
  });
  expect(zeroHits.status).toBe(200);
  expect(zeroHits.text).not.toMatch(/3782|60614|312 555 0177|joe doe|elm street/i);
});

test("a question that finds a part leaves one search, for what found it", async () => {
  const left = await leftBy(
    "My name is Joe Deskquill, joe.doe@example.com: how much is DQ-77.0101, and do you have it in stock?",
    /77\.?0101|deskquill/i,
    "deskmarktwo",
  );
  expect(left).toEqual([expect.objectContaining({ query: "DQ-77.0101", results_count: 1 })]);
});
