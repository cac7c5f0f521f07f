import type { Infer } from "../../broker/contract/rules.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { IndexDocument, SearchIndex, SearchQuery } from "../../mixins/search-index/port.ts";
import { toPartPreview } from "./preview.ts";
import type { alternativeRule } from "./resources.ts";
import { titleNoun } from "./title-noun.ts";

export type Alternative = Infer<typeof alternativeRule>;
type Reason = Alternative["reason"];

const MOST_SUCCESSORS = 5;
const MOST_SIMILAR = 8;
/** Discontinued parts of the maker and category that are looked through for predecessors. */
const MOST_DISCONTINUED = 500;

/**
 * What could stand in for a part, at the same maker: the chain of its successors, the parts that it replaced (looked for
 * among the discontinued ones of its category), and the active parts of its category whose title names the same thing.
 */
export async function alternativesTo(part: IndexDocument, index: Pick<SearchIndex, "search" | "get">): Promise<Alternative[]> {
  const noun = titleNoun(part.title);
  const [successors, discontinued, similar] = await Promise.all([
    successorsOf(part, index),
    find(index, { ...ofTheSameKind(part), status: "discontinued", limit: MOST_DISCONTINUED }),
    noun === undefined ? [] : find(index, { ...ofTheSameKind(part), q: noun, status: "active", limit: MOST_SIMILAR + MOST_SUCCESSORS + 1 }),
  ]);
  const predecessors = discontinued.filter((other) => isReplacedBy(other, part));
  const known = new Set([part.id]);
  const take = (reason: Reason, documents: readonly IndexDocument[]): Alternative[] =>
    documents.flatMap((document) => {
      if (known.has(document.id)) return [];
      known.add(document.id);
      return [{ reason, part: toPartPreview({ document, highlights: {} }) }];
    });
  return [...take("successor", successors), ...take("predecessor", predecessors), ...take("similar", similar.filter((other) => titleNoun(other.title) === noun)).slice(0, MOST_SIMILAR)];
}

/** Whether a part names another of the same maker as its successor. */
export function isReplacedBy({ supersededBy, manufacturer }: IndexDocument, other: IndexDocument): boolean {
  return supersededBy !== undefined && manufacturer.code === other.manufacturer.code && normalizePartNumber(supersededBy) === other.pnNorm;
}

/** Each after the one that it replaces; a chain that leads back to itself ends there. */
async function successorsOf(part: IndexDocument, index: Pick<SearchIndex, "get">): Promise<IndexDocument[]> {
  const chain: IndexDocument[] = [];
  let last = part;
  while (last.supersededBy !== undefined && chain.length < MOST_SUCCESSORS) {
    const id = `${last.manufacturer.code}-${normalizePartNumber(last.supersededBy)}`.toLowerCase();
    const [next] = await index.get("parts", [id]);
    if (!next || next.id === part.id || chain.some((known) => known.id === next.id)) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

function ofTheSameKind({ category, manufacturer }: IndexDocument): Omit<SearchQuery, "status" | "limit"> {
  return { q: "", categories: [category], manufacturers: [manufacturer.code], sort: "relevance", offset: 0 };
}

async function find(index: Pick<SearchIndex, "search">, query: SearchQuery): Promise<IndexDocument[]> {
  return (await index.search("parts", query)).hits.map(({ document }) => document);
}
