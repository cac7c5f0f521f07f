import MiniSearch, { type Query, type SearchOptions } from "minisearch";
import { normalize } from "../generators/manuals/number-families.ts";
import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import { countValues, STOP_WORDS, type Engine } from "./contract.ts";

/** The searched fields of a document; `document` is kept to be shown. */
const READ: Record<string, (document: IndexDocument) => unknown> = {
  id: ({ id }) => id,
  document: (document) => document,
  number: ({ partNumber, pnNorm, skuVariants }) => [partNumber, pnNorm, ...skuVariants].join(" "),
  title: ({ title }) => title,
  manufacturer: ({ manufacturer, vendorName, vendorAliases }) =>
    [manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" "),
  category: ({ category }) => category,
  description: ({ description }) => description ?? "",
};

const WORDS: SearchOptions = {
  fields: ["number", "title", "manufacturer", "category", "description"],
  combineWith: "AND",
  prefix: (term) => term.length >= 3,
  // The product's own rule: numbers never forgive typos, words do by their length.
  fuzzy: (term) => (/\d/.test(term) || term.length < 5 ? false : term.length < 9 ? 1 : 2),
  boost: { number: 8, title: 5, manufacturer: 2, category: 1.5 },
};

/** MiniSearch with the options that its documentation has for such documents; facets counted over what it finds. */
export function openMiniSearch(): Engine {
  const index = new MiniSearch<IndexDocument>({
    fields: WORDS.fields!,
    storeFields: ["document"],
    extractField: (document, field) => READ[field]!(document) as string,
    processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
  });
  return {
    name: "MiniSearch",
    load: async (batches) => {
      let indexing = 0;
      for (const batch of batches) {
        const startedAt = performance.now();
        index.addAll(batch);
        indexing += performance.now() - startedAt;
      }
      return { indexing, switching: 0 };
    },
    search: async (query) => {
      const documents = index.search(toQuery(query.q)).map((result) => result["document"] as IndexDocument);
      const passed = documents.filter(passes(query));
      countValues(
        documents.filter(passes({ ...query, manufacturers: [] })).map(({ manufacturer }) => manufacturer.code),
      );
      countValues(documents.filter(passes({ ...query, categories: [] })).map(({ category }) => category));
      return { ids: passed.slice(query.offset, query.offset + query.limit).map(({ id }) => id), total: passed.length };
    },
    fileSize: () => undefined,
    close: async () => undefined,
  };
}

/** All of the words, or the number that they spell together. */
function toQuery(q: string): Query {
  if (q === "") return MiniSearch.wildcard;
  const number = normalize(q);
  const words = { queries: [q], ...WORDS };
  if (!/\d/.test(number)) return words;
  return {
    combineWith: "OR",
    queries: [words, { queries: [number], fields: ["number"], prefix: true, fuzzy: false, boost: { number: 50 } }],
  };
}

function passes({
  status,
  manufacturers,
  categories,
  minPrice,
  maxPrice,
}: SearchQuery): (document: IndexDocument) => boolean {
  return (document) =>
    document.status === status &&
    (manufacturers.length === 0 || manufacturers.includes(document.manufacturer.code)) &&
    (categories.length === 0 || categories.includes(document.category)) &&
    (minPrice === undefined || (document.price ?? -1) >= minPrice) &&
    (maxPrice === undefined || (document.price ?? Infinity) <= maxPrice);
}
