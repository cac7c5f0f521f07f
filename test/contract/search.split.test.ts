import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
import { reindex } from "../support/reindex.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

/** What a message of NATS may hold, unless an operator says otherwise. */
const NATS_MESSAGE = 1024 * 1024;

let system: TestBroker;
beforeEach(async () => {
  system = await startTestBroker({ services: ["catalog", "search"], transport: "fake", maxMessage: NATS_MESSAGE });
});
afterEach(() => system.stop());

const importFile = (vendor: string, rows: readonly string[]) => {
  const lines = Readable.from(["part_number,title,description", ...rows].map((row) => `${row}\n`));
  return importPrices(system.broker, lines.pipe(new PassThrough()), { vendor });
};
const total = async (q: string): Promise<number> =>
  (await call(system.broker, "search.search", { q, limit: 1 })).pagination.total;

it("search is filled from a catalog on another node, also where a vendor's parts are more than a message holds", async () => {
  const description = "Fits what its manual says that it fits. ".repeat(12);
  await importFile(
    "BNS",
    Array.from({ length: 1_400 }, (_, n) => `A-${10_000 + n},Muffler ${n},${description}`),
  );
  // Few and long: a page of them is more than a message, too.
  await importFile(
    "GRP",
    Array.from({ length: 250 }, (_, n) => `G-${10_000 + n},Gearbox ${n},${description.repeat(10).slice(0, 4_900)}`),
  );
  await importFile("KOH", ["K-1,Carburetor,"]);
  expect([await total("muffler"), await total("gearbox"), await total("carburetor")]).toEqual([1_400, 250, 1]);
  // A build reads all of it again.
  expect(await reindex(system.broker)).toMatchObject({ status: "published" });
  expect([await total("muffler"), await total("gearbox"), await total("carburetor")]).toEqual([1_400, 250, 1]);
}, 120_000);

it("the answer to many searches at once fits a message, or they are refused by name", async () => {
  await importFile(
    "BNS",
    Array.from({ length: 100 }, (_, n) => `A-${10_000 + n},"Muffler ${n}, ${"with a long name ".repeat(8)}",`),
  );
  const ask = (count: number) =>
    call(system.broker, "search.instantsearch", {
      requests: Array.from({ length: count }, () => ({
        indexName: "parts",
        params: { query: "muffler", hitsPerPage: 100 },
      })),
    });
  expect((await ask(5)).results).toHaveLength(5);
  await expect(ask(6)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    message: expect.stringContaining("'requests'"),
  });
}, 120_000);
