import { join } from "node:path";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { answerCacheOf } from "../../broker/caching/middleware.ts";
import { paginate } from "../../broker/contract/common.ts";
import { implement } from "../../broker/contract/implement.ts";
import { metricsOf } from "../../broker/metrics/metrics.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { indexPrefixOf } from "../../broker/settings/namespace.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import { SYNONYMS } from "../../mixins/search-index/synonyms.ts";
import type { IndexDocument, SearchIndex, SearchPage, SearchQuery } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { alternativesTo } from "./alternatives.ts";
import { answerInTime, hasIndexCode } from "./answer-in-time.ts";
import { searchContract } from "./contract.ts";
import { healthOf } from "./health.ts";
import { answerRequests } from "./instantsearch/answer.ts";
import { AVAILABILITY_DEADLINE, availabilityOfParts, summaryOf } from "./part-availability.ts";
import { pagesOf } from "./limits.ts";
import { findByNumber } from "./part-lookup.ts";
import { performed } from "./performed.ts";
import { toFacets, toPartDetail, toPartPreview, toSuggestion } from "./preview.ts";
import { toFacetQuery, toFits, toHitsQuery, toSearchQuery, type PartsOf } from "./query.ts";
import { routeToIndex, withSupplierCode, withWiderFacet } from "./routing.ts";
import { recordedFamilies } from "./search-metrics.ts";
import { createSearchRecorder, type SearchRecorder } from "./search-recorder.ts";
import { isWorthShowing } from "./suggestion.ts";
import { toldIndex } from "./told-index.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";

/** What is in the index is told without the catalog's word where that takes longer than this, in milliseconds: less than the index itself may take. */
const CATALOG_DEADLINE = 2_000;
/** Longest wait for what manuals say; milliseconds. */
const MANUALS_DEADLINE = 2_000;
/** Of the time for asking the supplier, what the way to the router and back may take; milliseconds. */
const FOR_THE_ROUTER = 150;

export default function searchService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = serviceRuntimeOf(broker);
  const { logger } = broker;
  let opened: { index: SearchIndex; upkeep: Upkeep; recorder: SearchRecorder } | undefined;
  const use = () => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is not open yet");
    return opened;
  };

  const find = async (asked: SearchQuery): Promise<SearchPage> => {
    const { index } = use();
    const { aliases } = settings.tireSupplier;
    const query = withSupplierCode(asked, aliases);
    const { index: target, wider } = routeToIndex(query, aliases);
    if (wider === undefined) return answerInTime(index.search(target, query));
    const [page, { facets }] = await answerInTime(
      Promise.all([index.search(target, query), index.search("parts", { ...query, limit: 0, offset: 0 })]),
    );
    return { ...page, facets: withWiderFacet(page.facets, wider, facets) };
  };
  const partsOf =
    (ctx: Parameters<typeof call>[0]): PartsOf =>
    async (model) => {
      try {
        return (await call(ctx, "ai.partsOf", { model }, { timeout: MANUALS_DEADLINE })).partKeys;
      } catch (error) {
        throw new PartlineError("SERVICE_UNAVAILABLE", "It is not known now which parts an equipment has", undefined, {
          cause: error,
        });
      }
    };
  const record = (query: SearchQuery, found: number, tookMs: number): void =>
    use().recorder.record(performed(query, found, tookMs, new Date()));
  /** A search that somebody made, which leaves its event. */
  const recorded = async <P extends { total: number }>(query: SearchQuery, search: Promise<P>): Promise<P> => {
    const startedAt = performance.now();
    const page = await search;
    record(query, page.total, performance.now() - startedAt);
    return page;
  };
  const toFound = ({ hits, total, facets, suggestion }: SearchPage) => ({
    parts: hits.map(toPartPreview),
    total,
    facets: toFacets(facets),
    ...(suggestion !== undefined && isWorthShowing(suggestion) ? { suggestion } : {}),
  });
  /** What is looked at without a word typed is the same for many. The embedded index keeps such pages itself. */
  const look = async (ctx: Parameters<typeof call>[0], query: SearchQuery): Promise<ReturnType<typeof toFound>> => {
    const { q, fits, ...narrowed } = query;
    if (q.trim() !== "" || fits !== undefined || use().index.backend === "embedded") return toFound(await find(query));
    return call(ctx, "search.browse", narrowed, { paramsCloning: false });
  };
  const toHits = ({ hits, total }: SearchPage) => ({ hits: hits.map(toPartPreview), total });
  const instantsearch = async (requests: Record<string, unknown>[]) => ({
    results: await answerRequests(requests, {
      find,
      performed: record,
      supplierAliases: settings.tireSupplier.aliases,
    }),
  });

  return implement(searchContract, {
    actions: {
      search: async (ctx) => {
        const { query: typed, page, pageSize } = toSearchQuery(ctx.params);
        const query = { ...typed, ...(await toFits(ctx.params.equipment, partsOf(ctx))) };
        const { parts, total, ...found } = await recorded(query, look(ctx, query));
        return {
          parts,
          pagination: { ...paginate(total, page, pageSize), totalPages: pagesOf(total, pageSize) },
          ...found,
        };
      },
      filters: async (ctx) => {
        const { total, facets } = await look(ctx, {
          ...toFacetQuery(ctx.params),
          ...(await toFits(ctx.params.equipment, partsOf(ctx))),
        });
        return { facets, total };
      },
      browse: async ({ params }) => toFound(await find({ q: "", ...params })),
      suggest: async ({ params: { q, limit } }) => {
        if (q.trim() === "") return { suggestions: [] };
        return { suggestions: (await answerInTime(use().index.suggest("parts", { q, limit }))).map(toSuggestion) };
      },
      instantsearch: (ctx) => instantsearch(ctx.params.requests),
      algoliaQueries: (ctx) => instantsearch(ctx.params.requests),

      ai: async ({ params: { q, limit } }) => {
        const query = toHitsQuery(q, limit);
        return toHits(await recorded(query, find(query)));
      },
      lookUp: async ({ params: { q, limit } }) => toHits(await find(toHitsQuery(q, limit))),
      recordSearch: async ({ params: { query, resultsCount, tookMs } }) => {
        record(toHitsQuery(query, 0), resultsCount, tookMs);
        return {};
      },
      aiPart: async (ctx) => {
        const { index } = use();
        const { id } = ctx.params;
        const [part] = await answerInTime(index.get("parts", [id.toLowerCase()]));
        if (!part) throw notFound("Part", id);
        const supersession = async ({ manufacturer: { code }, partNumber }: IndexDocument) => {
          const { supersededBy, supersedes } = await call(
            ctx,
            "catalog.supersession",
            { vendor: code, partNumber },
            { timeout: CATALOG_DEADLINE },
          );
          return {
            supersededBy: supersededBy.map(({ id: successor }) => successor),
            supersedes: supersedes.map(({ id: predecessor }) => predecessor),
          };
        };
        const onError = (what: string, error: unknown): void => logger.debug(what, error);
        const [fitment, { alternatives, missing = [] }] = await Promise.all([
          call(
            ctx,
            "ai.fitmentOf",
            { pnNorm: part.pnNorm, vendor: part.manufacturer.code },
            { timeout: MANUALS_DEADLINE },
          ).then(
            (told) => told.fitment,
            (error: unknown) => onError("It could not be asked what a part fits", error) as undefined,
          ),
          answerInTime(alternativesTo(part, { index, supersession, onError })),
        ]);
        const lacking = [...missing, ...(fitment ? [] : ["fitment" as const])];
        return {
          part: toPartDetail(part),
          fitment: fitment ?? [],
          alternatives,
          ...(lacking.length === 0 ? {} : { missing: lacking }),
        };
      },
      aiAvailability: async (ctx) => {
        const { index } = use();
        const results = await availabilityOfParts(ctx.params.partNumbers, {
          find: (partNumber) => answerInTime(findByNumber(index, partNumber), AVAILABILITY_DEADLINE),
          // Tried again, what did not answer in time would take that time twice.
          inCatalog: (id, timeout) => call(ctx, "catalog.get", { id }, { timeout }),
          // What the supplier does not say in time, the router tells with the reason, which takes a moment as well.
          inquire: async (parts, timeout) =>
            (
              await call(
                ctx,
                "dis-router.inquire",
                { parts, deadlineMs: Math.max(1, timeout - FOR_THE_ROUTER) },
                { timeout },
              )
            ).parts,
          learn: async (parts, timeout) => {
            const said = parts.map(({ vendor, partNumber, found, price, quantity, available }) => ({
              vendor,
              partNumber,
              found: found === true,
              price,
              quantity,
              available,
            }));
            await call(ctx, "catalog.learn", { parts: said }, { timeout });
          },
          onError: (what, error) => logger.debug(what, error),
        });
        return { results, summary: summaryOf(results) };
      },

      reindex: (ctx) => use().upkeep.builds.start(ctx.params),
      build: (ctx) => use().upkeep.builds.get(ctx.params.buildId),
      indexes: async () => ({ indexes: await answerInTime(use().index.indexes()) }),
      rollback: async ({ params: { index } }) => {
        try {
          return { index, ...(await answerInTime(use().upkeep.rollback(index), 60_000)) };
        } catch (error) {
          if (hasIndexCode(error, "NOTHING_TO_ROLL_BACK")) throw notFound(`An older index of ${index}`);
          throw error;
        }
      },
      refresh: async () => ({ indexed: await use().upkeep.catchUp() }),
      rebuild: (ctx) => use().upkeep.rebuild(ctx.params),

      ready: async () => {
        const { index, upkeep } = use();
        const { parts } = await answerInTime(index.status(), 1_500);
        // A new process's index lacks what the catalog has; where that cannot be read, what there is is better than nothing.
        if (upkeep.state() === "caught-up" || (upkeep.state() === "failing" && parts.documents > 0)) return {};
        throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is being brought up to the catalog");
      },
      health: (ctx) =>
        healthOf({
          index: () => answerInTime(use().index.status(), 1_500),
          catalog: () => call(ctx, "catalog.stats", {}, { timeout: 1_500 }),
        }),
    },
    started: async () => {
      const changed = (): Promise<void> => answerCacheOf(broker).changed("search.index");
      const index = toldIndex(
        await openSearchIndex({
          directory: join(settings.dataDir, "search"),
          elasticsearchUrl: settings.elasticsearchUrl,
          elasticsearchPrefix: indexPrefixOf(settings.namespace),
          synonyms: SYNONYMS,
          logger,
        }),
        changed,
      );
      // A process may have been killed before it told of its last change.
      await changed();
      const recorder = createSearchRecorder({ documents, channels, logger });
      opened = { index, recorder, upkeep: await startUpkeep(broker, index) };
      metricsOf(broker).contribute("search", () => recordedFamilies(recorder.counts()));
    },
    stopped: async () => {
      await opened?.upkeep.stop();
      await opened?.recorder.stop();
      await opened?.index.close();
      opened = undefined;
    },
  });
}
