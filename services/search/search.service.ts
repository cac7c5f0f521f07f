import { join } from "node:path";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { paginate } from "../../broker/contract/common.ts";
import type { Result } from "../../broker/contract/define.ts";
import { implement } from "../../broker/contract/implement.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import type { IndexStatus, SearchIndex, SearchPage, SearchQuery } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { searchContract } from "./contract.ts";
import { startIndexer, type Indexer } from "./indexer.ts";
import { keepInStep } from "./keep-in-step.ts";
import { toFacets, toPartPreview } from "./preview.ts";
import { toFacetQuery, toSearchQuery } from "./query.ts";
import { routeToIndex } from "./routing.ts";
import { isWorthShowing } from "./suggestion.ts";

export default function searchService(broker: ServiceBroker): ServiceSchema {
  const { settings } = serviceRuntimeOf(broker);
  let opened: { index: SearchIndex; indexer: Indexer; follower: { stop(): Promise<void> } } | undefined;
  const use = () => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is not open yet");
    return opened;
  };

  const indexStatus = async (): Promise<IndexStatus> => use().index.status();
  const find = async (query: SearchQuery): Promise<SearchPage> => {
    const { index } = use();
    const target = routeToIndex(query);
    if (target === "parts") return index.search(target, query);
    // A facet that is counted without its own filter counts parts that are no tires, too.
    const [page, { facets }] = await Promise.all([index.search(target, query), index.search("parts", { ...query, limit: 0, offset: 0 })]);
    return { ...page, facets };
  };

  return implement(searchContract, {
    actions: {
      search: async (ctx) => {
        const { query, page, pageSize } = toSearchQuery(ctx.params);
        const { hits, total, facets, suggestion } = await find(query);
        return {
          parts: hits.map(toPartPreview),
          pagination: paginate(total, page, pageSize),
          facets: toFacets(facets),
          ...(suggestion !== undefined && isWorthShowing(suggestion) ? { suggestion } : {}),
        };
      },
      filters: async (ctx) => {
        const query = toFacetQuery(ctx.params);
        const { total, facets } = await find(query);
        return { facets: toFacets(facets), total };
      },
      refresh: async () => ({ indexed: await use().indexer.catchUp() }),
      rebuild: async () => {
        const { parts, tires } = await use().indexer.rebuild();
        return { aliasTarget: { parts: parts.name, tires: tires.name } };
      },
      health: async (ctx) => {
        const [index, catalog] = await Promise.allSettled([indexStatus(), call(ctx, "catalog.stats", {})]);
        const indexed = index.status === "fulfilled" ? index.value : undefined;
        const inCatalog = catalog.status === "fulfilled" ? catalog.value.total : 0;
        const body: Result<(typeof searchContract)["actions"]["health"]> = {
          elasticsearch: indexed ? "ok" : "error",
          mongodb: catalog.status === "fulfilled" ? "ok" : "error",
          docCount_es: indexed?.parts.documents ?? 0,
          docCount_api: inCatalog,
          delta: inCatalog - (indexed?.parts.documents ?? 0),
          aliasTarget: { parts: indexed?.parts.name ?? null, tires: indexed?.tires.name ?? null },
        };
        return body;
      },
    },
    started: async () => {
      const index = await openSearchIndex({ directory: join(settings.dataDir, "search"), synonyms: [] });
      const indexer = startIndexer(index, {
        revisions: async () => (await call(broker, "catalog.revisions", {})).vendors,
        count: async () => (await call(broker, "catalog.stats", {})).total,
        changes: async (vendor, after, limit) => (await call(broker, "catalog.changes", { vendor, after, limit })).parts,
      });
      opened = { index, indexer, follower: keepInStep(indexer, (error) => broker.logger.warn("The search index could not catch up", error)) };
    },
    stopped: async () => {
      await opened?.follower.stop();
      await opened?.index.close();
      opened = undefined;
    },
  });
}
