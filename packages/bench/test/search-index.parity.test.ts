import { DEFAULT_SYNONYMS } from "@partline/parts-language/terms";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { sandboxDocuments } from "../src/support/index-documents.ts";
import { readJudgedQueries } from "../src/support/relevance/judged-queries.ts";
import { openSearchIndex } from "../../parts-search/src/search-index/open.ts";
import type { SearchIndex, SearchQuery } from "../../parts-search/src/search-index/port.ts";
import type { SearchPage } from "../../parts-search/src/search-index/search-page.ts";
import { elasticsearchTestPrefix, removeTestIndexes } from "../../../test/support/elasticsearch.ts";
import { ids, query } from "../../parts-search/test/search-index.documents.ts";

const url = process.env.ELASTICSEARCH_URL;

if (url) {
  describe("embedded and Elasticsearch, over the sandbox's catalog", () => {
    const documents = sandboxDocuments();
    const synonyms = Object.values(DEFAULT_SYNONYMS).flat();
    const prefix = elasticsearchTestPrefix("parity");
    let engines: [SearchIndex, SearchIndex];
    beforeAll(async () => {
      engines = [
        await openSearchIndex({
          directory: mkdtempSync(join(tmpdir(), "partline-parity-")),
          synonyms,
        }),
        await openSearchIndex({
          elasticsearchUrl: url,
          elasticsearchPrefix: prefix,
          directory: "",
          synonyms,
        }),
      ];
      for (const engine of engines) await engine.write({ documents, progress: {} });
    });
    afterAll(async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await removeTestIndexes(prefix);
    });

    const both = async <T>(ask: (engine: SearchIndex) => Promise<T>): Promise<[T, T]> =>
      Promise.all([ask(engines[0]), ask(engines[1])]);

    /** Everything of a page but the order below the first hit: scores are not rounded alike. */
    async function answer(engine: SearchIndex, each: SearchQuery): Promise<unknown> {
      const { hits, ...rest }: SearchPage = await engine.search("parts", {
        ...each,
        offset: 0,
        limit: documents.length,
      });
      const byId = hits.toSorted((a, b) => (a.document.id < b.document.id ? -1 : 1));
      return { q: each.q, first: ids({ hits })[0], hits: byId, ...rest };
    }

    test("find the same parts, and the same one first, for every judged query", async () => {
      for (const { q } of await readJudgedQueries(documents)) {
        const [embedded, elasticsearch] = await both((engine) => answer(engine, query(q)));
        expect(elasticsearch).toEqual(embedded);
      }
    }, 300_000);

    test("find the same for any query, filter and order", async () => {
      const word = fc.constantFrom(
        "carburetor",
        "belt",
        "filter",
        "oil",
        "pto",
        "shaft",
        "honda",
        "briggs",
        "blade",
        "plug",
        "sparkplug",
        "wheel",
        "gx120",
        "kit",
        "tire",
        "brake",
        "with",
        "16",
        "10.9",
      );
      // Elasticsearch corrects two letters only behind a first one that is right.
      const typo = fc
        .tuple(word, fc.integer({ min: 1, max: 7 }), fc.constantFrom("", "x", "ee"))
        .map(([text, at, by]) => text.slice(0, at) + by + text.slice(at + 1));
      const number = fc
        .tuple(fc.constantFrom(...documents.slice(0, 400)), fc.nat(8), fc.integer({ min: 2, max: 12 }))
        .map(([{ partNumber }, from, length]) => partNumber.slice(from, from + length));
      const text = fc
        .array(fc.oneof({ weight: 3, arbitrary: word }, typo, number), { maxLength: 3 })
        .map((words) => words.join(" "));
      const anyQuery = fc
        .record({
          q: text,
          manufacturers: fc.subarray(["HON", "Kubota", "B&S"], { maxLength: 2 }),
          maxPrice: fc.option(fc.constantFrom(2_000, 10_000), { nil: undefined }),
          sort: fc.constantFrom("relevance" as const, "price_asc" as const, "newest" as const),
        })
        .map(({ q, ...more }) => query(q, more));
      await fc.assert(
        fc.asyncProperty(anyQuery, async (each) => {
          const [embedded, elasticsearch] = await both((engine) => answer(engine, each));
          expect(elasticsearch).toEqual(embedded);
        }),
        { numRuns: 150 },
      );
    }, 300_000);

    test("suggest the same while a query is typed", async () => {
      for (const q of [
        "carb",
        "spark pl",
        "oil fi",
        "honda c",
        "16100",
        "cut",
        "tire",
        "Air-F",
        "belt, d",
        "799",
        "HON 16",
        "gx1",
        "kaws",
        "fliter",
        "c",
        "h",
        "f",
        "oil",
        "fil",
        "kawsaki c",
        "briggs & s",
        "command p",
        "54 in",
        "v-tw",
        "hydrualic h",
        "fs 7",
        "massy",
      ]) {
        const [embedded, elasticsearch] = await both((engine) => engine.suggest("parts", { q, limit: 8 }));
        expect({ q, elasticsearch }).toEqual({ q, elasticsearch: embedded });
      }
      const titles = fc
        .tuple(fc.constantFrom(...documents), fc.constantFrom(...documents))
        .map(([one, other]) => `${one.manufacturer.name} ${other.title}`);
      await fc.assert(
        fc.asyncProperty(
          titles,
          fc.nat(20),
          fc.integer({ min: 1, max: 25 }),
          fc.constantFrom("", "x", " "),
          async (title, from, length, by) => {
            const typed = title.slice(from, from + length);
            const q = typed.slice(0, -2) + by + typed.slice(-2);
            const [embedded, elasticsearch] = await both((engine) => engine.suggest("parts", { q, limit: 20 }));
            expect({ q, elasticsearch }).toEqual({ q, elasticsearch: embedded });
          },
        ),
        { numRuns: 100 },
      );
    }, 120_000);
  });
} else {
  describe.skip("embedded and Elasticsearch", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}
