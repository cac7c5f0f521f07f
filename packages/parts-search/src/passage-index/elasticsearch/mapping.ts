import { createHash } from "node:crypto";
import type { estypes } from "@elastic/elasticsearch";
import type { Passage } from "../port.ts";
import { listTerms } from "../terms.ts";

/** Raised when a stored field's meaning changes: an index of another version is left alone, and a new one filled. */
const VERSION = 2;

export interface PassageSource {
  kind: "passage";
  manual: string;
  generation: number;
  page: number;
  text: string;
  equipment: string[];
  terms: string;
  about: string;
  models: string[];
  [vectorField: `vector_${string}`]: number[];
}

/** Header document that names the live generation of a manual's passages. */
export interface HeaderSource {
  kind: "manual";
  manual: string;
  /** The generation that was begun last. */
  begun: number;
  /** Absent if none is live. */
  live?: number;
  passages?: number;
  vectorModel?: string;
}

const keyword: estypes.MappingProperty = { type: "keyword" };
const terms: estypes.MappingProperty = { type: "text", analyzer: "whitespace", norms: true, index_options: "freqs" };
const storedKeyword: estypes.MappingProperty = { type: "keyword", index: false, doc_values: false };

export function indexName(prefix: string): string {
  return `${prefix}passages_v${VERSION}`;
}

/** Returns the only alias for writes: for a missing index, the server would create one that guesses its fields. */
export function writeAlias(index: string): string {
  return `${index}_write`;
}

/** One shard, so that words are weighed by all passages. */
export const INDEX: Pick<estypes.IndicesCreateRequest, "settings" | "mappings"> = {
  settings: { number_of_shards: 1, "index.mapping.total_fields.limit": 200 },
  mappings: {
    dynamic: "strict",
    properties: {
      kind: keyword,
      manual: keyword,
      generation: { type: "long" },
      page: { type: "integer" },
      text: storedKeyword,
      equipment: storedKeyword,
      terms,
      about: terms,
      models: keyword,
      begun: { type: "long" },
      live: { type: "long" },
      passages: { type: "integer" },
      vectorModel: keyword,
    },
  },
};

/** Vectors of each model and length have their own field: the server compares the vectors of one field. */
export function toVectorField(model: string, dimensions: number): `vector_${string}` {
  return `vector_${dimensions}_${createHash("sha256").update(model).digest("hex").slice(0, 12)}`;
}

export function createVectorMapping(dimensions: number): estypes.MappingProperty {
  return { type: "dense_vector", dims: dimensions, index: true, similarity: "cosine" };
}

export function toSource(
  passage: Passage,
  { manual, generation, vectorModel }: { manual: string; generation: number; vectorModel?: string },
): PassageSource {
  const { page, text, equipment, vector } = passage;
  const { words, about, models } = listTerms(passage);
  return {
    kind: "passage",
    manual,
    generation,
    page,
    text,
    equipment,
    terms: words,
    about,
    models,
    ...(vector && vectorModel !== undefined ? { [toVectorField(vectorModel, vector.length)]: Array.from(vector) } : {}),
  };
}
