import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { ServiceSchema } from "moleculer";
import { openSearchIndex } from "../../packages/parts-search/src/search-index/open.ts";
import type { SearchIndex } from "../../packages/parts-search/src/search-index/port.ts";
import { startUpkeep, type Upkeep } from "../../services/search/upkeep.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { part, query } from "../../packages/parts-search/test/search-index.documents.ts";

/** A part as the catalog keeps it. */
const PART = {
  id: "hon-1",
  vendor: "HON",
  vendorName: "Honda",
  vendorAliases: [],
  partNumber: "1",
  pnNorm: "1",
  sku: "HON-1",
  skuVariants: [],
  slug: "hon-1",
  title: "Belt",
  manufacturer: { name: "Honda", code: "HON" },
  category: "Belts",
  price: 100,
  currency: "usd",
  imageUrl: null,
  status: "active",
  availability: "unknown",
  stock: {},
  createdAt: new Date(),
  updatedAt: new Date(),
  revision: 1,
};

let running: TestBroker;
let directory: string;
let index: SearchIndex;
let upkeep: Upkeep | undefined;
const start = (): Upkeep => {
  const started = startUpkeep(running.broker, index, () => undefined);
  running.tasks.handle("search.build", {
    run: (payload, task) => started.builds.work(payload as { buildId: string }, task),
  });
  return started;
};
let isDown: boolean;
let asked: number;
/** Readers of the catalog's changes wait for it. */
let gate: Promise<void>;

const catalog = (): ServiceSchema => ({
  name: "catalog",
  actions: {
    revisions: () => {
      asked += 1;
      if (isDown) throw new Error("down");
      return { vendors: [{ vendor: "HON", revision: 1 }] };
    },
    changes: async ({ params }: { params: { after: number } }) => {
      await gate;
      return { parts: params.after < 1 ? [PART] : [] };
    },
  },
});

beforeEach(async () => {
  [isDown, asked, gate, upkeep] = [false, 0, Promise.resolve(), undefined];
  running = await startTestBroker({ services: [catalog] });
  directory = mkdtempSync(join(tmpdir(), "partline-rebuild-"));
  index = await openSearchIndex({ directory, synonyms: [] });
});
afterEach(async () => {
  await upkeep?.stop();
  await index.close();
  await running.stop();
});

test("an index that cannot be used is rebuilt without being asked for, and is unavailable until then", async () => {
  await index.close();
  for (const file of readdirSync(directory).filter((name) => /_v.*\.db/.test(name))) rmSync(join(directory, file));
  index = await openSearchIndex({ directory, synonyms: [] });
  await expect(index.status()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
  upkeep = start();
  expect(await eventually(async () => (await index.status().catch(() => undefined))?.parts.documents)).toBe(1);
  expect((await index.search("parts", query("belt"))).total).toBe(1);
});

test("an index that knows more than the catalog is rebuilt as a whole, though a build of the tires alone is running", async () => {
  await index.write({ documents: [part("HON", "99", "Stale Muffler")], progress: { HON: 100 } });
  isDown = true;
  upkeep = start();
  await eventually(() => asked > 0);
  isDown = false;
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  const { buildId } = await upkeep.builds.start({ index: "tires", force: true });
  const done = upkeep.catchUp();
  const before = asked;
  await eventually(() => asked > before);
  open();
  await done;
  expect(await upkeep.builds.get(buildId)).toMatchObject({ status: "published", indexes: [{ index: "tires" }] });
  expect((await index.search("parts", query("muffler"))).total).toBe(0);
  expect((await index.search("parts", query("belt"))).total).toBe(1);
});
