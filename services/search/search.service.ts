import { join } from "node:path";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { getMetrics } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { FitmentReader, openSearchIndex, type SearchIndex } from "@partline/parts-search";
import { call, implement } from "../contracts.ts";
import { createPartFitment } from "../shared/part-fitment.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { answerInTime, hasIndexCode } from "./answer-in-time.ts";
import { listCatalogFitment } from "./catalog-fitment.ts";
import { searchContract } from "./contract.ts";
import { checkHealth } from "./health.ts";
import {
  answerRequest,
  answerRequests,
  type InstantSearchDeps,
  findObjects,
  type ObjectRequest,
  omitClientHeaders,
} from "@partline/instantsearch";
import { ROLLBACK_WITHIN_MS } from "./limits.ts";
import { createStandInsSource } from "./interchange.ts";
import { createLiveBudget } from "./live-budget.ts";
import { readLiveStock } from "./live-stock.ts";
import { checkAvailability, createAvailabilitySources, summarize } from "./part-availability.ts";
import { loadPartDetail } from "./part-detail.ts";
import { toHitsQuery } from "./query.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { createSearchRecorder, type SearchRecorder } from "./search-recorder.ts";
import { createSupplierCoder } from "./routing.ts";
import { createSearches } from "./searches.ts";
import { createShopSynonyms } from "./synonyms.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";
import { loadWholePart } from "./whole-part.ts";

/** A change of the index by another process shows after so long, milliseconds. */
const OF_OTHERS_AFTER_MS = 5_000;

export default function searchService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = getServiceRuntime(broker);
  const { logger } = broker;
  let opened: { index: SearchIndex; upkeep: Upkeep; recorder: SearchRecorder } | undefined;
  // An embedded index is changed by this process alone, which clears them.
  const recent = new RecentAnswers(settings.elasticsearchUrl === undefined ? undefined : OF_OTHERS_AFTER_MS);
  const use = () => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The search index is not open yet");
    return opened;
  };

  const liveBudget = createLiveBudget();
  const onError = (what: string, error: unknown): void => logger.debug(what, error);
  const reader = new FitmentReader(documents);
  const { findParts: partsOf, findFitment: fitmentOf } = createPartFitment(
    reader,
    createManualLinks(linkBase(settings, "gateway")),
    onError,
  );
  const synonyms = createShopSynonyms({
    documents,
    onChange: () => recent.clear(),
    onError: (error) => logger.warn("The synonyms cannot be read; the index keeps those that it has", error),
  });
  const findSynonyms = async (language: string) =>
    (await synonyms.sets()).find((set) => set.language === language) ?? { language, isDefault: true, lines: [] };
  const toCode = createSupplierCoder(settings.suppliers);
  const searches = createSearches({
    index: () => use().index,
    getRecorder: () => use().recorder,
    recent,
    toCode,
    standInsOf: createStandInsSource(broker, onError),
    loadManualModels: async () => (await reader.getDirectory()).models,
    hasOwnWords: async (language) => !(await findSynonyms(language)).isDefault,
  });
  const instantSearchDeps: InstantSearchDeps = {
    find: searches.find,
    recordSearch: searches.record,
    toCode,
  };
  const runRequests = async (requests: Record<string, unknown>[]) => ({
    results: await answerRequests(requests, instantSearchDeps),
  });
  const loadObjects = (requests: ObjectRequest[]) =>
    findObjects(requests, (ids) => answerInTime(use().index.get("parts", ids)));

  return implement(searchContract, {
    actions: {
      search: ({ params }) => searches.page(params, partsOf),
      filters: ({ params }) => searches.findFacets(params, partsOf),
      suggest: ({ params }) => searches.suggest(params),
      instantsearch: (ctx) => runRequests(ctx.params.requests),
      algoliaQueries: (ctx) => runRequests(ctx.params.requests),
      algoliaQuery: ({ params }) => answerRequest(omitClientHeaders(params), instantSearchDeps),
      algoliaFacet: ({ params: { facetName, ...params } }) =>
        answerRequest({ ...omitClientHeaders(params), type: "facet", facet: facetName }, instantSearchDeps),
      algoliaObject: async ({ params: { indexName, objectID, attributesToRetrieve } }) => {
        const [object] = await loadObjects([
          { indexName, objectID, attributesToRetrieve: attributesToRetrieve?.split(",") },
        ]);
        if (!object) throw notFound("Object", objectID);
        return object;
      },
      algoliaObjects: async ({ params: { requests } }) => ({ results: await loadObjects(requests) }),

      ai: ({ params }) => searches.findHits(params, { isRecorded: true }),
      lookUp: ({ params }) => searches.findHits(params),
      findNear: ({ params }) => searches.findNear(params),
      machines: ({ params }) => searches.findMachines(params),
      machineMakes: async ({ params }) => (await searches.machines.openFinder()).findMakes(params),
      machineModels: async ({ params }) => (await searches.machines.openFinder()).findModels(params),
      catalogFitment: ({ params }) => listCatalogFitment(params, { index: use().index, machines: searches.machines }),
      fitting: ({ params }) => searches.findFitting(params),
      recordSearch: ({ params: { query, resultsCount, tookMs } }) => {
        searches.record(toHitsQuery(query, 0), resultsCount, tookMs);
        return {};
      },
      part: (ctx) => loadWholePart(ctx, ctx.params.id, { index: use().index, onError }),
      aiPart: (ctx) => loadPartDetail(ctx, ctx.params.id, { index: use().index, fitmentOf, onError }),
      aiAvailability: async (ctx) => {
        const sources = createAvailabilitySources(ctx, use().index, onError);
        const results = await checkAvailability(ctx.params.partNumbers, sources);
        return { results, summary: summarize(results) };
      },

      stock: async (ctx) => {
        const mayAsk = liveBudget.spend(ctx, ctx.params.ids.length);
        return { results: await readLiveStock(ctx, { ...ctx.params, mayAsk }, settings.shop, onError) };
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
        return findSynonyms(language);
      },
      trySynonyms: async ({ params: { language, lines, q } }) =>
        searches.compare(q, await synonyms.listLinesWith(language, lines)),
      resetSynonyms: async ({ params: { language } }) => {
        await synonyms.reset(language);
        return findSynonyms(language);
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
        checkHealth({
          index: () => answerInTime(use().index.status(), 1_500),
          loadCatalogStats: () => call(ctx, "catalog.stats", {}, { timeout: 1_500 }),
        }),
    },
    channels: {
      "catalog.changed": { group: "search", handler: () => use().upkeep.catalogChanged() },
      "catalog.synced": {
        group: "search",
        handler: ({ payload }) => use().upkeep.onCatalogSynced(payload),
      },
    },
    tasks: {
      "search.build": {
        concurrency: 1,
        run: (payload, task) => use().upkeep.builds.work(payload, task),
        gaveUp: (payload) => use().upkeep.builds.onGaveUp(payload),
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
      const metrics = getMetrics(broker);
      metrics.read(
        "partline_search_events_recorded_total",
        "Searches whose event was written",
        () => recorder.getCounts().recorded,
      );
      metrics.read(
        "partline_search_events_lost_total",
        "Searches whose event was lost because the store did not accept it in time",
        () => recorder.getCounts().lost,
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
