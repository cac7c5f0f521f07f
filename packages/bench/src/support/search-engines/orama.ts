import { create, insertMultiple, search, type Results } from "@orama/orama";
import { normalize } from "../generators/manuals/number-families.ts";
import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import { STOP_WORDS, type Engine } from "./contract.ts";

const SCHEMA = {
  number: "string",
  words: "string",
  code: "enum",
  category: "enum",
  status: "enum",
  cents: "number",
} as const;

const PRICE_RANGES = [0, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000].map((from, index, bounds) => ({
  from,
  to: bounds[index + 1] ?? 100_000_000,
}));

/**
 * Orama with the options that did best of those tried: a number is looked for by itself first, and all words in one
 * property, with typos forgiven.
 */
export function openOrama(): Engine {
  const database = create({ schema: SCHEMA });
  const find = async (term: string, query: SearchQuery, property: "number" | "words"): Promise<Results<unknown>> =>
    search(database, {
      // Without a term it is quick only when no property is named.
      ...(term === "" ? {} : { term, properties: [property] }),
      tolerance: /\d|^$/.test(term) ? 0 : 1,
      // Its default for words: with 0, which should ask for all of them, it loses parts that also have a word of the
      // same beginning.
      threshold: property === "number" ? 0 : 1,
      where: toWhere(query),
      facets: { code: { limit: 100 }, category: { limit: 100 }, cents: { ranges: PRICE_RANGES } },
      offset: query.offset,
      limit: query.limit,
    });
  return {
    name: "Orama",
    load: async (batches) => {
      let indexing = 0;
      for (const batch of batches) {
        const startedAt = performance.now();
        await insertMultiple(database, batch.map(toRecord), batch.length);
        indexing += performance.now() - startedAt;
      }
      return { indexing, switching: 0 };
    },
    search: async (query) => {
      const number = normalize(query.q);
      let results = /\d/.test(number) ? await find(number, query, "number") : undefined;
      if (!results || results.count === 0)
        results = await find(
          query.q
            .split(" ")
            .filter((word) => !STOP_WORDS.has(word))
            .join(" "),
          query,
          "words",
        );
      return { ids: results.hits.map(({ id }) => id), total: results.count };
    },
    fileSize: () => undefined,
    close: async () => undefined,
  };
}

function toRecord(document: IndexDocument) {
  const {
    id,
    partNumber,
    pnNorm,
    skuVariants,
    title,
    manufacturer,
    vendorName,
    vendorAliases,
    category,
    description,
    status,
    price,
  } = document;
  return {
    id,
    status,
    code: manufacturer.code,
    category,
    number: [partNumber, pnNorm, ...skuVariants].join(" "),
    words: [
      partNumber,
      title,
      manufacturer.name,
      manufacturer.code,
      vendorName,
      ...vendorAliases,
      category,
      description,
    ].join(" "),
    ...(price === null ? {} : { cents: price }),
    document,
  };
}

function toWhere({ status, manufacturers, categories, minPrice, maxPrice }: SearchQuery) {
  return {
    status: { eq: status },
    ...(manufacturers.length === 0 ? {} : { code: { in: manufacturers } }),
    ...(categories.length === 0 ? {} : { category: { in: categories } }),
    ...(minPrice === undefined && maxPrice === undefined
      ? {}
      : { cents: { between: [minPrice ?? 0, maxPrice ?? Number.MAX_SAFE_INTEGER] as [number, number] } }),
  };
}
