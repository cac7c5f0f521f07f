import { call } from "../../../../../services/contracts.ts";
import { getPartsCollection, VENDOR_STATES, type VendorState } from "../../../../../services/catalog/collections.ts";
import { importFile } from "../../../../../services/catalog/import-file.ts";
import { createPriceFile, readPartRow } from "../../../../../services/catalog/part-row.ts";
import { mergeContent, toDocument, type PartDocument } from "../../../../../services/catalog/part.ts";
import { createPartWriter } from "../../../../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../../../../services/catalog/vendors.ts";
import { startTestBroker, type TestBroker } from "../../../../../test/support/test-broker.ts";
import { Remark } from "../../../../price-files/src/remarks.ts";
import { generateVendors } from "../generated-catalog/vendors.ts";
import { getAt } from "../../../../toolkit/src/get-at.ts";
import { vendorRows } from "../generated-catalog/price-rows.ts";
import type { MixedQuery, QueryKind } from "../generated-catalog/queries.ts";
import { createMix } from "../search/mix.ts";
import { defineFamily, fillCollection, pickRow, type Place } from "./family.ts";

/** Of the mixed queries; a search is asked another one in each round, because recent answers are kept. */
const QUERIES = 1_500;
const IMPORT_TO = DEFAULT_VENDORS.getByCode("BNS");
/** Ids of parts, for look-ups. */
const sampleIds: { vendor: string; partNumber: string; id: string }[] = [];

/** The catalog and its search index. */
export const catalog = defineFamily({
  name: "catalog",
  kinds: {
    "import one row": "write",
    "a part": "look-up",
    "prices of a checkout": "look-up",
    "changes after a revision": "look-up",
    "search: a number": "look-up",
    "search: a beginning of a number": "look-up",
    "search: words": "count",
    "search: a typing error": "count",
    "search: all, filtered": "count",
    "facets of a word": "count",
    "suggest completions": "look-up",
    "rebuild of the index": "rebuild",
    "start of the services": "look-up",
  },
  async fill({ documents }, rows) {
    sampleIds.length = 0;
    for (const { code, parts, ...vendorFacts } of generateVendors(rows)) {
      if (parts === 0) continue;
      const vendor = DEFAULT_VENDORS.getByCode(code);
      const priceRows = vendorRows({ code, parts, ...vendorFacts })[Symbol.iterator]();
      await fillCollection(documents, getPartsCollection(code), parts, (n): PartDocument => {
        const news = readPartRow({ ...priceRows.next().value }, () => undefined);
        if (news instanceof Remark) throw new Error(`A generated row is refused: ${news.text}`);
        const facts = { source: "price_file", now: new Date(), revision: n + 1 };
        const document = toDocument(vendor, mergeContent(vendor, news), facts);
        if (n % 50 === 0) sampleIds.push({ vendor: code, partNumber: document.partNumber, id: document._id });
        return document;
      });
      const state: VendorState = { _id: code, revision: parts, parts };
      await documents.collection<VendorState>(VENDOR_STATES).insertOne(state);
    }
  },
  async open(place, rows) {
    let test = await startServices(place);
    const { documents } = place;
    const writer = createPartWriter(documents);
    const queries = Map.groupBy(createMix(rows, QUERIES), ({ kind }) => kind);
    const take = (kind: QueryKind, round: number): MixedQuery["query"] => {
      const kindQueries = queries.get(kind) ?? [];
      return getAt(kindQueries, round % kindQueries.length).query;
    };
    const search = (kind: QueryKind) => (round: number) => {
      const { q, categories, manufacturers } = take(kind, round);
      return call(test.broker, "search.search", { q, category: categories, manufacturer: manufacturers });
    };
    const pickPart = (round: number) => getAt(sampleIds, pickRow(round, sampleIds.length));
    return {
      operations: {
        "import one row": (round) => {
          const file = [Buffer.from(`part_number,title,list_price\nGROWTH-${rows}-${round},Gasket,12.50\n`)];
          return importFile(createPriceFile(writer, IMPORT_TO), "csv", toStream(file));
        },
        "a part": (round) => {
          const { vendor, partNumber } = pickPart(round);
          return call(test.broker, "catalog.part", { vendor, partNumber });
        },
        "prices of a checkout": (round) => {
          const items = [1, 2, 3].map((n) => pickPart(round * 3 + n));
          return call(test.broker, "catalog.price", {
            items: items.map(({ id: productId, partNumber }) => ({ productId, partNumber })),
          });
        },
        "changes after a revision": (round) =>
          call(test.broker, "catalog.changes", { vendor: "BNS", after: round, limit: 100, tires: false }),
        "search: a number": search("exact number"),
        "search: a beginning of a number": search("number prefix"),
        "search: words": search("two words"),
        "search: a typing error": search("typo"),
        "search: all, filtered": search("empty, or filters alone"),
        "facets of a word": (round) => call(test.broker, "search.filters", { q: take("one word", round).q }),
        "suggest completions": (round) =>
          call(test.broker, "search.suggest", { q: take("one word", round).q.slice(0, 4) }),
        "rebuild of the index": async () => {
          const startedAt = performance.now();
          const { buildId } = await call(test.broker, "search.reindex", { force: true });
          for (;;) {
            const { status } = await call(test.broker, "search.build", { buildId });
            if (status !== "running") return performance.now() - startedAt;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        },
        "start of the services": async () => {
          await test.stop();
          const startedAt = performance.now();
          test = await startServices(place);
          return performance.now() - startedAt;
        },
      },
      close: () => test.stop(),
    };
  },
});

const startServices = ({ documents, settings }: Place): Promise<TestBroker> =>
  startTestBroker({ services: ["catalog", "search"], documents, settings });

async function* toStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}
