import type { Params, Result } from "../../broker/contract/define.ts";
import { paginate } from "../../broker/contract/common.ts";
import { jsonText, writtenObject } from "@partline/toolkit";
import { toDecimal } from "@partline/parts-language";
import {
  decimalOrNull,
  type PartKey,
  type SearchIndex,
  type SearchPage,
  type SearchQuery,
  shownPage,
  type ShownPage,
  type Suggestion,
} from "@partline/parts-search";
import { answerInTime } from "./answer-in-time.ts";
import type { searchContract } from "./contract.ts";
import { numbersIn, withReasons, type FoundPage, type StandIn } from "./interchange.ts";
import { pagesOf } from "./limits.ts";
import { performed, type Shown } from "./performed.ts";
import { toFacetQuery, toFits, toHitsQuery, toSearchQuery, type PartsOf } from "./query.ts";
import type { RecentAnswers } from "./recent-answers.ts";
import { priceWish, type PriceWish } from "./price-words.ts";
import { relaxed, type Relaxed } from "./relaxing.ts";
import { routeToIndex, withWiderFacet, type SupplierCoder } from "./routing.ts";
import type { SearchRecorder } from "./search-recorder.ts";
import { isWorthShowing } from "./shopper-words.ts";

type Actions = (typeof searchContract)["actions"];

interface SearchesDeps {
  index(): SearchIndex;
  recorder(): Pick<SearchRecorder, "record">;
  recent: RecentAnswers;
  toCode: SupplierCoder;
  standInsOf: (numbers: readonly PartKey[]) => Promise<readonly StandIn[]>;
}

const HITS_COMPARED = 10;
/** A page of the shop. Longer ones are asked for by machines, each once. */
const MOST_HITS_KEPT = 24;
/** Characters of a hit, of a page's facets and of a suggestion as JSON, about. */
const HIT_SIZE = 800;
const FACETS_SIZE = 5_000;
const SUGGESTION_SIZE = 400;
const sizeOfPage = ({ hits }: SearchPage): number => hits.length * HIT_SIZE + FACETS_SIZE;
const sizeOfShown = ({ hits, facets }: ShownPage): number => hits.length + facets.length;

const toHits = ({ hits, total }: ShownPage) =>
  writtenObject<Result<Actions["lookUp"]>>({ hits, total: jsonText(total) });

/** What a search asked for instead of what was typed. */
interface Instead extends Relaxed {
  query: SearchQuery;
  /** Read from the words. One that was asked for as such besides stands, in `query`. */
  bounds: PriceWish["bounds"];
}

const insteadAsTexts = ({ q, equipment, bounds, query }: Instead) => ({
  relaxedTo: jsonText(q),
  ...(equipment === undefined ? {} : { equipment: jsonText(equipment) }),
  ...(bounds.minPrice === undefined ? {} : { minPrice: jsonText(toDecimal(query.minPrice ?? bounds.minPrice)) }),
  ...(bounds.maxPrice === undefined ? {} : { maxPrice: jsonText(toDecimal(query.maxPrice ?? bounds.maxPrice)) }),
});

interface Meant {
  query: SearchQuery;
  standIns: readonly StandIn[];
  /** That the query may name. */
  numbers: readonly PartKey[];
}

/** Searches and their answers. Each throws SERVICE_UNAVAILABLE when the index does not answer. */
export function createSearches({ index, recorder, recent, toCode, standInsOf }: SearchesDeps) {
  /** Searches the index that the query is routed to, also for what interchanges with a number in it. */
  const find = async (asked: SearchQuery): Promise<FoundPage> => findMeant(await meantBy(asked));
  /** The same, as it is sent. */
  const show = async (asked: SearchQuery): Promise<ShownPage> => {
    const meant = await meantBy(asked);
    if (meant.standIns.length > 0) return shownPage(await findMeant(meant));
    return kept(meant.query, "shown", showIndexes, sizeOfShown);
  };
  const findMeant = async ({ query, standIns, numbers }: Meant): Promise<FoundPage> =>
    withReasons(await kept(query, "found", searchIndexes, sizeOfPage), standIns, numbers);
  const meantBy = async (asked: SearchQuery): Promise<Meant> => {
    const numbers = numbersIn(asked.q);
    const standIns = numbers.length === 0 ? [] : await standInsOf(numbers);
    const named = standIns.map(({ vendor, pnNorm }) => ({ vendor, pnNorm }));
    const query = { ...asked, manufacturers: asked.manufacturers.map(toCode) };
    return { query: named.length === 0 ? query : { ...query, named }, standIns, numbers };
  };
  /**
   * Keeps what is found. Pages without words are the same for many and walk the whole index. Over Elasticsearch another
   * process may have written what words find; the embedded index is this process's own.
   */
  const kept = <T>(
    query: SearchQuery,
    as: "found" | "shown",
    make: (query: SearchQuery) => Promise<T>,
    sizeOf: (page: T) => number,
  ): Promise<T> => {
    const isUsual = !query.fits && !query.synonyms && query.limit <= MOST_HITS_KEPT;
    const isKept = isUsual && (query.q.trim() === "" || index().backend === "embedded");
    return isKept ? recent.get({ [as]: query }, () => make(query), sizeOf) : make(query);
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
    return shownPage(await searchIndexes(query));
  };
  /** Records a search that someone made. */
  const record = (query: SearchQuery, found: number, tookMs: number, shown?: Shown): void =>
    recorder().record(performed(query, found, tookMs, new Date(), shown));
  const recorded = async <Page extends ShownPage & { instead?: object }>(
    query: SearchQuery,
    search: Promise<Page>,
  ): Promise<Page> => {
    const startedAt = performance.now();
    const page = await search;
    const { instead, total, hits } = page;
    record(query, instead ? 0 : total, performance.now() - startedAt, { total, parts: () => hits });
    return page;
  };
  /** What stands in for a query that finds nothing, with its filters. */
  const relaxedQuery = async (typed: SearchQuery, partsOf: PartsOf): Promise<Instead | undefined> => {
    const { q, bounds } = priceWish(typed.q) ?? { q: typed.q, bounds: {} };
    const query = { ...bounds, ...typed, q };
    if (q !== typed.q && (await show({ ...query, offset: 0, limit: 1 })).total > 0) return { q, bounds, query };
    // Without what manuals say, a model is a word as others.
    const ofEquipment = (model: string) => toFits(model, partsOf).catch(() => ({ fits: undefined }));
    const instead = async (q: string, equipment?: string): Promise<SearchQuery> => ({
      ...query,
      q,
      ...(equipment === undefined ? {} : await ofEquipment(equipment)),
    });
    const found = await relaxed(q, {
      count: async (q, equipment) => (await show({ ...(await instead(q, equipment)), offset: 0, limit: 1 })).total,
      isEquipment: async (model) => !query.fits && ((await ofEquipment(model)).fits?.parts.length ?? 0) > 0,
    });
    return found && { ...found, bounds, query: await instead(found.q, found.equipment) };
  };
  /** What is shown: what the query finds, or what is asked instead. */
  const answered = async (query: SearchQuery, partsOf: PartsOf) => {
    const asked = await show(query);
    const instead = asked.total === 0 && query.q.trim() !== "" ? await relaxedQuery(query, partsOf) : undefined;
    return { ...(instead ? await show(instead.query) : asked), instead, suggestion: asked.suggestion };
  };

  return {
    find,
    record,
    page: async (params: Params<Actions["search"]>, partsOf: PartsOf) => {
      const { query: typed, page, pageSize } = toSearchQuery(params);
      const query = { ...typed, ...(await toFits(params.equipment, partsOf)) };
      const { hits, total, facets, instead, suggestion } = await recorded(query, answered(query, partsOf));
      return writtenObject<Result<Actions["search"]>>({
        parts: hits,
        pagination: jsonText({ ...paginate(total, page, pageSize), totalPages: pagesOf(total, pageSize) }),
        facets,
        ...(instead ? insteadAsTexts(instead) : {}),
        ...(!instead && suggestion !== undefined && isWorthShowing(suggestion)
          ? { suggestion: jsonText(suggestion) }
          : {}),
      });
    },
    facets: async (params: Params<Actions["filters"]>, partsOf: PartsOf) => {
      const query = { ...toFacetQuery(params), ...(await toFits(params.equipment, partsOf)) };
      const { total, facets } = await answered(query, partsOf);
      return writtenObject<Result<Actions["filters"]>>({ facets, total: jsonText(total) });
    },
    suggest: async ({ q, limit }: Params<Actions["suggest"]>) => {
      if (q.trim() === "") return { suggestions: [] };
      const found = await recent.get(
        { suggest: q, limit },
        () => answerInTime(index().suggest("parts", { q, limit })),
        ({ length }) => length * SUGGESTION_SIZE,
      );
      return { suggestions: found.map(toSuggestion) };
    },
    /** Hits only; `isRecorded` if someone searched for them. */
    hits: async ({ q, limit }: Params<Actions["lookUp"]>, { isRecorded = false } = {}) => {
      const query = toHitsQuery(q, limit);
      return toHits(await (isRecorded ? recorded(query, show(query)) : show(query)));
    },
    /** What a query finds now, and with other synonyms. */
    compare: async (q: string, synonyms: readonly string[]) => {
      const query = toHitsQuery(q, HITS_COMPARED);
      const [before, after] = await Promise.all([show(query), show({ ...query, synonyms })]);
      return { before: toHits(before), after: toHits(after) };
    },
  };
}

function toSuggestion({ text, highlighted, document }: Suggestion): Result<Actions["suggest"]>["suggestions"][number] {
  if (!document) return { text, highlighted, kind: "query" };
  const { id, partNumber, title, price, imageUrl } = document;
  return {
    text,
    highlighted,
    kind: "part",
    part: { id, partNumber, title, unitPrice: decimalOrNull(price), imageUrl },
  };
}
