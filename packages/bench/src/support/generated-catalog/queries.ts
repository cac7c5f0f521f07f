import { randomFrom, type Random } from "../generators/random.ts";
import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import { splitWords } from "../relevance/catalog-facts.ts";
import { misspell } from "../relevance/misspell.ts";
import { plainQuery } from "../search-engines/engine.ts";
import type { VendorRow } from "./price-rows.ts";

/** Share of each kind of query, in percent. */
const MIX = {
  "exact number": 25,
  "number, other spelling": 10,
  "number prefix": 10,
  "one word": 15,
  "two words": 15,
  typo: 10,
  "words and filters": 10,
  "empty, or filters alone": 5,
} as const;
export type QueryKind = keyof typeof MIX | "common words";

/** Each finds more than 1,000 of 100,000 parts, the last nearly all. */
const COMMON = ["carburetor", "hydraulic", "kit", "filter", "belt", "bearing", "bolt", "standard", "genuine part"];
const ASKED_AGAIN = 20;

export interface MixedQuery {
  kind: QueryKind;
  query: SearchQuery;
}

const LIMIT = 20;

/** A realistic mix of `count` queries made from these parts, mixed well, the same in every run. */
export function mixedQueries(parts: readonly VendorRow[], count: number): MixedQuery[] {
  const random = randomFrom("mixed queries");
  const kinds = (Object.keys(MIX) as (keyof typeof MIX)[]).flatMap((kind) =>
    Array.from({ length: MIX[kind] }, () => kind),
  );
  return Array.from({ length: count }, (_, index): MixedQuery => {
    // 37 and 100 have no common divisor: every hundred queries have the whole mix.
    const kind = kinds[(index * 37) % kinds.length]!;
    return { kind, query: make(random, random.pick(parts), kind) };
  });
}

/** Words that many parts have, each several times. */
export function commonQueries(): MixedQuery[] {
  return Array.from({ length: ASKED_AGAIN }, () =>
    COMMON.map((q): MixedQuery => ({ kind: "common words", query: plainQuery(q, LIMIT) })),
  ).flat();
}

function make(random: Random, { vendor, row }: VendorRow, kind: keyof typeof MIX): SearchQuery {
  const [first = "", , model = ""] = row.title.split(", ");
  const noun = splitWords(first).filter((word) => word.length > 2);
  const number = row.part_number;
  switch (kind) {
    case "exact number":
      return plainQuery(number, LIMIT);
    case "number, other spelling":
      return plainQuery(
        random.pick([
          number.toLowerCase(),
          number.replace(/[^A-Z0-9]/g, ""),
          number.replace(/[^A-Z0-9]/g, " "),
          `${vendor} ${number}`,
          `CT-${vendor}-${number}`,
        ]),
        LIMIT,
      );
    case "number prefix":
      return plainQuery(number.slice(0, Math.max(4, random.integer(4, number.length - 1))), LIMIT);
    case "one word":
      return plainQuery(random.pick(noun), LIMIT);
    case "two words":
      return plainQuery(
        random.pick([noun.slice(-2).join(" "), `${vendor} ${noun.at(-1)}`, `${noun.at(-1)} ${model}`]),
        LIMIT,
      );
    case "typo": {
      const word = noun.toSorted((a, b) => b.length - a.length)[0]!;
      const wrong = misspell(random, word, new Set()) ?? `${word}e`;
      return plainQuery(noun.map((part) => (part === word ? wrong : part)).join(" "), LIMIT);
    }
    case "words and filters":
      return { ...plainQuery(noun.at(-1)!, LIMIT), ...filters(random, vendor, row.category) };
    case "empty, or filters alone":
      return { ...plainQuery("", LIMIT), ...(random.chance(0.5) ? filters(random, vendor, row.category) : {}) };
  }
}

function filters(random: Random, vendor: string, category: string): Partial<SearchQuery> {
  return random.pick<Partial<SearchQuery>>([
    { manufacturers: [vendor] },
    { categories: [category] },
    { manufacturers: [vendor], categories: [category] },
    { minPrice: 1_000, maxPrice: 10_000 },
  ]);
}
