import { join } from "node:path";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { metricsOf } from "../../broker/metrics/metrics.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { FitmentReader, openSearchIndex, type SearchIndex } from "@partline/parts-search";
import { call, implement } from "../contracts.ts";
import { createManualFitment } from "../shared/manual-fitment.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { answerInTime, hasIndexCode } from "./answer-in-time.ts";
import { searchContract } from "./contract.ts";
import { healthOf } from "./health.ts";
import {
  answerRequest,
  answerRequests,
  type InstantSearchDeps,
  objectsOf,
  type ObjectRequest,
} from "./instantsearch/answer.ts";
import { ROLLBACK_WITHIN_MS } from "./limits.ts";
import { withoutClient } from "./instantsearch/request.ts";
import { standInsSource } from "./interchange.ts";
import { availabilityOfParts, availabilitySources, summaryOf } from "./part-availability.ts";
import { partDetail } from "./part-detail.ts";
import { toHitsQuery } from "./query.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { createSearchRecorder, type SearchRecorder } from "./search-recorder.ts";
import { createSupplierCoder } from "./routing.ts";
import { createSearches } from "./searches.ts";
import { createShopSynonyms } from "./synonyms.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";
import { inCatalogOf, wholePart } from "./whole-part.ts";

/** A change of the index by another process shows after so long, milliseconds. */
const OF_OTHERS_AFTER_MS = 5_000;

export default function searchService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = serviceRuntimeOf(broker);
  const { logger } = broker;
  let opened: { index: SearchIndex; upkeep: Upkeep; recorder: SearchRecorder } | undefined;
  // An embedded index is changed by this process alone, which clears them.
  const recent = new RecentAnswers(settings.elasticsearchUrl === undefined ? undefined : OF_OTHERS_AFTER_MS);
  const use = () => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is not open yet");
    return opened;
  };

  const { partsOf, fitmentOf } = createManualFitment(
    new FitmentReader(documents),
    createManualLinks(linkBase(settings, "gateway")),
  );
  const synonyms = createShopSynonyms({
    documents,
    onChange: () => recent.clear(),
    onError: (error) => logger.warn("The synonyms cannot be read; the index keeps those that it has", error),
  });
  const synonymsOf = async (language: string) =>
    (await synonyms.sets()).find((set) => set.language === language) ?? { language, isDefault: true, lines: [] };
  const toCode = createSupplierCoder(settings.suppliers);
  const onError = (what: string, error: unknown): void => logger.debug(what, error);
  const searches = createSearches({
    index: () => use().index,
    recorder: () => use().recorder,
    recent,
    toCode,
    standInsOf: standInsSource(broker, onError),
  });
  const asked: InstantSearchDeps = {
    find: searches.find,
    performed: searches.record,
    toCode,
  };
  const instantsearch = async (requests: Record<string, unknown>[]) => ({
    results: await answerRequests(requests, asked),
  });
  const objects = (requests: ObjectRequest[]) =>
    objectsOf(requests, (ids) => answerInTime(use().index.get("parts", ids)));

  return implement(searchContract, {
    actions: {
      search: ({ params }) => searches.page(params, partsOf),
      filters: ({ params }) => searches.facets(params, partsOf),
      suggest: ({ params }) => searches.suggest(params),
      instantsearch: (ctx) => instantsearch(ctx.params.requests),
      algoliaQueries: (ctx) => instantsearch(ctx.params.requests),
      algoliaQuery: ({ params }) => answerRequest(withoutClient(params), asked),
      algoliaFacet: ({ params: { facetName, ...params } }) =>
        answerRequest({ ...withoutClient(params), type: "facet", facet: facetName }, asked),
      algoliaObject: async ({ params: { indexName, objectID, attributesToRetrieve } }) => {
        const [found] = await objects([
          { indexName, objectID, attributesToRetrieve: attributesToRetrieve?.split(",") },
        ]);
        if (!found) throw notFound("Object", objectID);
        return found;
      },
      algoliaObjects: async ({ params: { requests } }) => ({ results: await objects(requests) }),

      ai: ({ params }) => searches.hits(params, { isRecorded: true }),
      lookUp: ({ params }) => searches.hits(params),
      recordSearch: ({ params: { query, resultsCount, tookMs } }) => {
        searches.record(toHitsQuery(query, 0), resultsCount, tookMs);
        return {};
      },
      part: (ctx) => wholePart(ctx.params.id, use().index, { inCatalog: inCatalogOf(ctx), onError }),
      aiPart: (ctx) => partDetail(ctx, ctx.params.id, { index: use().index, fitmentOf, onError }),
      aiAvailability: async (ctx) => {
        const sources = availabilitySources(ctx, use().index, onError);
        const results = await availabilityOfParts(ctx.params.partNumbers, sources);
        return { results, summary: summaryOf(results) };
      },

      reindex: (ctx) => use().upkeep.builds.start(ctx.params),
      build: (ctx) => use().upkeep.builds.get(ctx.params.buildId),
      builds: async () => ({ builds: await use().upkeep.builds.list() }),
      indexes: async () => ({ indexes: await answerInTime(use().index.indexes()) }),
      rollback: async ({ params: { index } }) => {
        try {
          return { index, ...(await answerInTime(use().upkeep.rollback(index), ROLLBACK_WITHIN_MS)) };
        } catch (error) {
          if (hasIndexCode(error, "NOTHING_TO_ROLL_BACK")) throw notFound(`An older index of ${index}`);
          throw error;
        }
      },
      synonyms: async () => ({ sets: await synonyms.sets() }),
      setSynonyms: async ({ params: { language, lines } }) => {
        await synonyms.set(language, lines);
        return synonymsOf(language);
      },
      trySynonyms: async ({ params: { language, lines, q } }) =>
        searches.compare(q, await synonyms.linesWith(language, lines)),
      resetSynonyms: async ({ params: { language } }) => {
        await synonyms.reset(language);
        return synonymsOf(language);
      },
      refresh: async () => ({ indexed: await use().upkeep.catchUp() }),

      ready: async () => {
        const { index, upkeep } = use();
        const { parts } = await answerInTime(index.status(), 1_500);
        // A new process's index lacks parts. If the catalog cannot be read, an incomplete index is better than none.
        if (upkeep.state() === "caught-up" || (upkeep.state() === "failing" && parts.documents > 0)) return {};
        throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is being brought up to the catalog");
      },
      health: (ctx) =>
        healthOf({
          index: () => answerInTime(use().index.status(), 1_500),
          catalog: () => call(ctx, "catalog.stats", {}, { timeout: 1_500 }),
        }),
    },
    channels: {
      "catalog.changed": { group: "search", handler: () => use().upkeep.catalogChanged() },
      "catalog.synced": {
        group: "search",
        handler: ({ payload }) => use().upkeep.catalogSynced(payload),
      },
    },
    tasks: {
      "search.build": {
        concurrency: 1,
        run: (payload, task) => use().upkeep.builds.work(payload, task),
        gaveUp: (payload) => use().upkeep.builds.gaveUp(payload),
      },
    },
    started: async () => {
      const lines = await synonyms.lines();
      const index = await openSearchIndex({
        directory: join(settings.dataDir, "search"),
        elasticsearchUrl: settings.elasticsearchUrl,
        elasticsearchShards: settings.elasticsearchShards,
        elasticsearchPrefix: settings.indexPrefix,
        synonyms: lines,
        logger,
      });
      synonyms.follow(index, lines);
      const recorder = createSearchRecorder({ documents, channels, logger });
      opened = { index, recorder, upkeep: startUpkeep(broker, index, () => recent.clear()) };
      const metrics = metricsOf(broker);
      metrics.read(
        "partline_search_events_recorded_total",
        "Searches whose event was written",
        () => recorder.counts().recorded,
      );
      metrics.read(
        "partline_search_events_lost_total",
        "Searches whose event was lost: the store did not take it in time",
        () => recorder.counts().lost,
      );
    },
    stopped: async () => {
      synonyms.stop();
      await opened?.upkeep.stop();
      await opened?.recorder.stop();
      await opened?.index.close();
      opened = undefined;
    },
  });
}
