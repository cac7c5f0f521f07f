import { isWorthShowing } from "@partline/parts-language/words";
import type { Params, Result } from "@partline/api-contracts";
import { paginate } from "../../broker/contract/common.ts";
import { toJsonText, createWrittenObject } from "@partline/toolkit";
import { toDecimal, toTitleOrder } from "@partline/parts-language";
import {
  toDecimalOrNull,
  type HitDocument,
  type Models,
  type PartKey,
  presentHit,
  presentPart,
  type SearchIndex,
  type SearchPage,
  type SearchQuery,
  presentPage,
  type ShownPage,
  type Suggestion,
  countPages,
} from "@partline/parts-search";
import { answerInTime } from "./answer-in-time.ts";
import type { searchContract } from "./contract.ts";
import { findInstead, type Instead, type InsteadDeps } from "./instead.ts";
import { findNumbers, withReasons, type FoundPage, type StandIn } from "./interchange.ts";
import { findNearParts, findNumberMeant, hasSeveralNumbers, type NearPart } from "./near-parts.ts";
import { toPerformedSearch, type ShownResult } from "./performed.ts";
import { toFacetQuery, toFits, toHitsQuery, toSearchQuery, type PartsOf } from "./query.ts";
import type { RecentAnswers } from "./recent-answers.ts";
import { createShopMachines } from "./shop-machines.ts";
import { routeToIndex, withWiderFacet, type SupplierCoder } from "./routing.ts";
import type { SearchRecorder } from "./search-recorder.ts";

type Actions = (typeof searchContract)["actions"];

interface SearchesDeps extends Pick<InsteadDeps, "hasOwnWords"> {
  index(): SearchIndex;
  getRecorder(): Pick<SearchRecorder, "record">;
  recent: RecentAnswers;
  toCode: SupplierCoder;
  standInsOf: (numbers: readonly PartKey[]) => Promise<readonly StandIn[]>;
  loadManualModels(): Promise<Models>;
}

/** Longest for the list of all machines of the catalog. */
const LISTING_MS = 10_000;

const HITS_COMPARED = 10;
/** Of suggestions. */
const MOST_MACHINES = 4;
/** Hits of which it is said whether they fit: those of the first pages. */
const MOST_FITTING = 1_000;
/** A page of the shop. Longer ones are asked for by machines, each once. */
const MOST_HITS_KEPT = 24;
/** Characters of a hit, of a page's facets and of a suggestion as JSON, about. */
const HIT_SIZE = 800;
const FACETS_SIZE = 5_000;
const SUGGESTION_SIZE = 400;
const getPageSize = ({ hits }: SearchPage): number => hits.length * HIT_SIZE + FACETS_SIZE;
const getShownSize = ({ hits, facets }: ShownPage): number => hits.length + facets.length;

const toHits = ({ hits, total }: ShownPage) =>
  createWrittenObject<Result<Actions["lookUp"]>>({ hits, total: toJsonText(total) });

const serializeInstead = ({ q, equipment, bounds, query, machines, order, missing, categories }: Instead) => ({
  ...(missing === undefined ? { relaxedTo: toJsonText(q) } : { missing: toJsonText(missing) }),
  ...(machines === undefined ? {} : { machines: toJsonText([...machines]) }),
  ...(categories === undefined ? {} : { categories: toJsonText(categories) }),
  ...(order === undefined ? {} : { order: toJsonText(toTitleOrder(order)) }),
  ...(equipment === undefined ? {} : { equipment: toJsonText(equipment) }),
  ...(bounds.minPrice === undefined ? {} : { minPrice: toJsonText(toDecimal(query.minPrice ?? bounds.minPrice)) }),
  ...(bounds.maxPrice === undefined ? {} : { maxPrice: toJsonText(toDecimal(query.maxPrice ?? bounds.maxPrice)) }),
});

interface ResolvedQuery {
  query: SearchQuery;
  standIns: readonly StandIn[];
  /** That the query may name. */
  numbers: readonly PartKey[];
}

/** Searches and their answers. Each throws SERVICE_UNAVAILABLE when the index does not answer. */
export function createSearches(deps: SearchesDeps) {
  const { index, getRecorder, recent, toCode, standInsOf, loadManualModels, hasOwnWords } = deps;
  const machines = createShopMachines({
    list: () => answerInTime(index().listMachines("parts"), LISTING_MS),
    loadManualModels,
  });
  const readMachines = machines.load;
  const toMachines = async (typed: readonly string[] = []): Promise<Pick<SearchQuery, "machines">> => {
    const texts = typed.filter((text) => text.trim() !== "");
    if (texts.length === 0) return {};
    const shopMachines = await readMachines();
    return { machines: [...new Set(texts.flatMap((text) => shopMachines.match(text)))] };
  };
  /** Searches the index that the query is routed to, also for what interchanges with a number in it. */
  const find = async (query: SearchQuery): Promise<FoundPage> => findMeant(await resolveQuery(query));
  /** The same, as it is sent. */
  const show = async (query: SearchQuery): Promise<ShownPage> => {
    const resolved = await resolveQuery(query);
    if (resolved.standIns.length > 0) return presentPage(await findMeant(resolved));
    return getCached(resolved.query, "shown", showIndexes, getShownSize);
  };
  const findMeant = async ({ query, standIns, numbers }: ResolvedQuery): Promise<FoundPage> =>
    withReasons(await getCached(query, "found", searchIndexes, getPageSize), standIns, numbers);
  const resolveQuery = async (typedQuery: SearchQuery): Promise<ResolvedQuery> => {
    const numbers = findNumbers(typedQuery.q);
    const standIns = numbers.length === 0 ? [] : await standInsOf(numbers);
    const standInKeys = standIns.map(({ vendor, pnNorm }) => ({ vendor, pnNorm }));
    const query = { ...typedQuery, manufacturers: typedQuery.manufacturers.map(toCode) };
    return { query: standInKeys.length === 0 ? query : { ...query, named: standInKeys }, standIns, numbers };
  };
  /**
   * Keeps what is found. Pages without words are the same for many and walk the whole index. Over Elasticsearch another
   * process may have written what words find; the embedded index is this process's own.
   */
  const getCached = <T>(
    query: SearchQuery,
    kind: "found" | "shown",
    make: (query: SearchQuery) => Promise<T>,
    sizeOf: (page: T) => number,
  ): Promise<T> => {
    const isUsual = !query.fits && !query.synonyms && query.limit <= MOST_HITS_KEPT;
    const isKept = isUsual && (query.q.trim() === "" || index().backend === "embedded");
    return isKept ? recent.get({ [kind]: query }, () => make(query), sizeOf) : make(query);
  };
  const searchIndexes = async (query: SearchQuery): Promise<SearchPage> => {
    const { index: target, wider } = routeToIndex(query);
    if (wider === undefined) return answerInTime(index().search(target, query));
    const [page, { facets }] = await answerInTime(
      Promise.all([index().search(target, query), index().search("parts", { ...query, limit: 0, offset: 0 })]),
    );
    return { ...page, facets: withWiderFacet(page.facets, wider, facets) };
  };
  const showIndexes = async (query: SearchQuery): Promise<ShownPage> => {
    const { index: target, wider } = routeToIndex(query);
    if (wider === undefined) return answerInTime(index().searchShown(target, query));
    return presentPage(await searchIndexes(query));
  };
  /** Records a search that someone made. */
  const record = (query: SearchQuery, total: number, tookMs: number, result?: ShownResult): void =>
    getRecorder().record(toPerformedSearch(query, total, tookMs, new Date(), result));
  const recordPage = async <Page extends ShownPage & { instead?: object }>(
    query: SearchQuery,
    search: Promise<Page>,
  ): Promise<Page> => {
    const startedAt = performance.now();
    const page = await search;
    const { instead, total, hits } = page;
    record(query, instead ? 0 : total, performance.now() - startedAt, { total, serializeHits: () => hits });
    return page;
  };
  const findNear = (q: string): Promise<NearPart[]> =>
    findNearParts(q, (query) => answerInTime(index().search("parts", query)));
  const showInstead = async ({ query, hits, missing }: Instead): Promise<ShownPage> => {
    if (missing !== undefined) return { ...(await show(query)), hits: toJsonText([]), total: 0 };
    if (!hits) return show(query);
    const parts = hits.map(({ document: { pnNorm, manufacturer } }) => ({ pnNorm, vendor: manufacturer.code }));
    const { facets } = await show({ ...query, q: "", fits: { equipment: "", parts }, offset: 0, limit: 0 });
    const pageHits = hits.slice(query.offset, query.offset + query.limit);
    return { hits: toJsonText(pageHits.map(presentHit)), total: hits.length, facets };
  };
  /** What is shown: what the query finds, or what is asked instead. */
  const answerQuery = async (query: SearchQuery, partsOf: PartsOf) => {
    const firstAnswer = await show(query);
    const { suggestion } = firstAnswer;
    const isNothing = firstAnswer.total === 0 && query.q.trim() !== "";
    const near = isNothing || hasSeveralNumbers(query.q) ? await findNear(query.q) : [];
    const numberMeant = isNothing ? findNumberMeant(query.q, near) : undefined;
    const instead = !isNothing
      ? undefined
      : numberMeant === undefined
        ? await findInstead(query, {
            search: (partsQuery) => answerInTime(index().search("parts", partsQuery)),
            count: async (partsQuery) => (await show({ ...partsQuery, countsMachines: false, limit: 1 })).total,
            readMachines,
            partsOf,
            hasOwnWords,
          })
        : { q: numberMeant, bounds: {}, query: { ...query, q: numberMeant } };
    const didYouMean = instead ? [] : near.map(({ document }) => toNamedPart(document));
    return { ...(instead ? await showInstead(instead) : firstAnswer), instead, suggestion, didYouMean };
  };

  const toFilters = async (params: { machine?: readonly string[]; equipment?: string }, partsOf: PartsOf) => {
    const equipmentMachines = await toMachines(params.equipment === undefined ? [] : [params.equipment]);
    return {
      ...(await toMachines(params.machine)),
      ...(await toFits(params.equipment, partsOf, equipmentMachines.machines)),
    };
  };

  /** Finds which hits of a page fit an equipment: among those that fit, they come in the same order. */
  const findFittingHits = async (query: SearchQuery, equipment: string, partsOf: PartsOf) => {
    const { fits } = await toFilters({ equipment }, partsOf);
    if (!fits) return undefined;
    const limit = Math.min(query.offset + query.limit, MOST_FITTING);
    const { hits, total } = await find({ ...query, fits, countsMachines: false, offset: 0, limit });
    return { ids: hits.map(({ document: { id } }) => id), total };
  };

  return {
    find,
    record,
    machines,
    page: async (params: Params<Actions["search"]>, partsOf: PartsOf) => {
      const { query: typed, page, pageSize } = toSearchQuery(params);
      const query = { ...typed, ...(await toFilters(params, partsOf)) };
      const { hits, total, facets, instead, suggestion, didYouMean } = await recordPage(
        query,
        answerQuery(query, partsOf),
      );
      const hitsQuery = instead?.query ?? query;
      const fitting =
        params.fitting === undefined || hitsQuery.fits
          ? undefined
          : await findFittingHits(hitsQuery, params.fitting, partsOf);
      return createWrittenObject<Result<Actions["search"]>>({
        parts: hits,
        ...(fitting && { fitting: toJsonText(fitting) }),
        pagination: toJsonText({ ...paginate(total, page, pageSize), totalPages: countPages(total, pageSize) }),
        facets,
        ...(instead ? serializeInstead(instead) : {}),
        ...(!instead && suggestion !== undefined && isWorthShowing(suggestion)
          ? { suggestion: toJsonText(suggestion) }
          : {}),
        ...(didYouMean.length === 0 ? {} : { didYouMean: toJsonText(didYouMean) }),
      });
    },
    findFacets: async (params: Params<Actions["filters"]>, partsOf: PartsOf) => {
      const query = { ...toFacetQuery(params), ...(await toFilters(params, partsOf)) };
      const { total, facets } = await answerQuery(query, partsOf);
      return createWrittenObject<Result<Actions["filters"]>>({ facets, total: toJsonText(total) });
    },
    suggest: async ({ q, limit }: Params<Actions["suggest"]>) => {
      if (q.trim() === "") return { suggestions: [] };
      // Words of parts alone name no machine, however models begin.
      const finder = /\d/.test(q) ? await machines.openFinder() : undefined;
      const machinesTyped = finder?.findModels({ q, isForgiving: false, offset: 0, limit: MOST_MACHINES }).found ?? [];
      const cachedSuggestions = await recent.get(
        { suggest: q, limit },
        () => answerInTime(index().suggest("parts", { q, limit })),
        ({ length }) => length * SUGGESTION_SIZE,
      );
      const suggestions = cachedSuggestions.map(toSuggestion);
      return machinesTyped.length === 0 ? { suggestions } : { suggestions, machines: machinesTyped };
    },
    findNear: async ({ number }: Params<Actions["findNear"]>) => ({
      parts: (await findNear(number)).map(({ document }) => presentPart(document)),
    }),
    findMachines: async ({ text }: Params<Actions["machines"]>) => ({
      machines: (await readMachines()).findMentions(text),
    }),
    /** Active parts first, those that are no longer made behind them. */
    findFitting: async ({ machines, limit }: Params<Actions["fitting"]>) => {
      const query = { ...toHitsQuery("", limit), ...(await toMachines(machines)) };
      const pages = await Promise.all(
        (["active", "discontinued"] as const).map((status) =>
          answerInTime(index().search("parts", { ...query, status })),
        ),
      );
      const documents = pages.flatMap(({ hits }) => hits.map(({ document }) => document));
      return { parts: documents.slice(0, limit).map(presentPart) };
    },
    /** Hits only; `isRecorded` if someone searched for them. */
    findHits: async ({ q, limit }: Params<Actions["lookUp"]>, { isRecorded = false } = {}) => {
      const query = toHitsQuery(q, limit);
      return toHits(await (isRecorded ? recordPage(query, show(query)) : show(query)));
    },
    /** What a query finds now, and with other synonyms. */
    compare: async (q: string, synonyms: readonly string[]) => {
      const query = toHitsQuery(q, HITS_COMPARED);
      const [pageBefore, pageAfter] = await Promise.all([show(query), show({ ...query, synonyms })]);
      return { before: toHits(pageBefore), after: toHits(pageAfter) };
    },
  };
}

function toSuggestion({ text, highlighted, document }: Suggestion): Result<Actions["suggest"]>["suggestions"][number] {
  if (!document) return { text, highlighted, kind: "query" };
  return { text, highlighted, kind: "part", part: toNamedPart(document) };
}

function toNamedPart({ id, partNumber, title, price, imageUrl }: HitDocument) {
  return { id, partNumber, title, unitPrice: toDecimalOrNull(price), imageUrl };
}
