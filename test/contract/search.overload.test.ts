import { beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexDocument } from "../../packages/parts-search/src/search-index/index-document.ts";
import { IndexThread } from "../../packages/parts-search/src/search-index/embedded/index-thread.ts";
import { Readers } from "../../packages/parts-search/src/search-index/embedded/readers.ts";
import { call } from "../../services/contracts.ts";
import { searchContract } from "../../services/search/contract.ts";
import { eventually } from "../support/eventually.ts";
import { importPrices } from "../support/import-prices.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { PARTS, query, SYNONYMS } from "../../packages/parts-search/test/search-index.documents.ts";
import { useStarted } from "../support/use-started.ts";

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-overload-"));

/** How each of a number of calls at the same moment ended, in the order in which they did. */
async function atOnce(count: number, ask: () => Promise<unknown>): Promise<string[]> {
  const endings: string[] = [];
  await Promise.all(
    Array.from({ length: count }, async () => {
      await ask().then(
        () => endings.push("answered"),
        (error: { type?: string; code: string }) => endings.push(error.type ?? error.code),
      );
    }),
  );
  return endings;
}
const times = (count: number, what: string): string[] => Array.from({ length: count }, () => what);

describe("more searches at once than fit", () => {
  const test = useStarted(() => startTestBroker({ services: ["catalog", "search"], transport: "fake" }));
  beforeAll(async () => {
    await importPrices(test.broker, "part_number,title\n1,Belt\n");
  });

  let typed = 0;
  const requests = [{ indexName: "parts", query: "belt" }];
  const asks = {
    search: () => call(test.broker, "search.search", { q: "belt" }),
    filters: () => call(test.broker, "search.filters", { q: "belt" }),
    // What was asked for before would be answered at once.
    suggest: () => call(test.broker, "search.suggest", { q: `belt ${(typed += 1)}` }),
    instantsearch: () => call(test.broker, "search.instantsearch", { requests }),
    algoliaQueries: () => call(test.broker, "search.algoliaQueries", { indexes: "*", requests }),
    ai: () => call(test.broker, "search.ai", { q: "belt" }),
    aiPart: () => call(test.broker, "search.aiPart", { id: "bns-1" }),
    aiAvailability: () => call(test.broker, "search.aiAvailability", { partNumbers: ["1"] }),
  } as const satisfies Partial<Record<keyof typeof searchContract.actions, () => Promise<unknown>>>;

  it.each(Object.keys(asks) as (keyof typeof asks)[])(
    "of %s are refused before the first is answered, the rest is answered, and then there is room again",
    async (action) => {
      const { concurrency, maxQueueSize } = searchContract.actions[action].bulkhead;
      const fit = concurrency + maxQueueSize;
      const ask: () => Promise<unknown> = asks[action];
      await ask();
      expect(await atOnce(fit + 50, ask)).toEqual([...times(50, "QUEUE_FULL"), ...times(fit, "answered")]);
      expect(await atOnce(fit, ask)).toEqual(times(fit, "answered"));
    },
  );
});

describe("the thread of an embedded index", () => {
  /** Of which each search goes to a thread. */
  const openThread = async ({
    put,
    ...options
  }: {
    put: readonly IndexDocument[];
    threads?: number;
    readWithinMs?: number;
  }) => {
    const readers = new Readers({ synonyms: SYNONYMS, effortHere: 0, ...options });
    const thread = new IndexThread("parts", { path: join(newDirectory(), "parts.db"), isBuild: false }, readers);
    await thread.write({ put: [...put], removed: [] }, {});
    const close = async (): Promise<void> => {
      await thread.close();
      await readers.close();
    };
    return { readers, close };
  };

  it("refuses what is more than a thousand searches at once, and answers the rest", async () => {
    const { readers, close } = await openThread({ put: PARTS });
    const ask = () => readers.search("parts", query("799868"));
    expect(await atOnce(1_030, ask)).toEqual([...times(30, "UNAVAILABLE"), ...times(1_000, "answered")]);
    expect(await atOnce(1, ask)).toEqual(["answered"]);
    await close();
  });

  it("does not run a search that nobody waits for any more", async () => {
    const put = Array.from({ length: 3_000 }, (_, number) => ({ ...PARTS[0]!, id: `many-${number}` }));
    const { readers, close } = await openThread({ put, threads: 1, readWithinMs: 30 });
    const everything = query(PARTS[0]!.title);
    await eventually(async () => (await readers.search("parts", everything)).total === put.length);
    // Keeps the thread for longer than anybody waits.
    const endings = await atOnce(500, () => readers.search("parts", everything));
    expect(endings).toContain("UNAVAILABLE");
    await eventually(async () => (await readers.search("parts", everything)).total === put.length);
    await close();
  });
});
