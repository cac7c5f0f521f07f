import { createHash } from "node:crypto";
import type { estypes } from "@elastic/elasticsearch";
import type { Passage } from "../port.ts";
import { termsOfPassage } from "../terms.ts";

/**
 * Raised when what is in the index changes its meaning: one of another version is left alone, and a new one is filled.
 */
const VERSION = 1;

/** A passage as it is in the index. */
export interface PassageSource {
  kind: "passage";
  manual: string;
  generation: number;
  page: number;
  text: string;
  schema?: string;
  equipment: string[];
  terms: string;
  about: string;
  models: string[];
  [vectorField: `vector_${string}`]: number[];
}

/** Which passages of a manual count. */
export interface HeaderSource {
  kind: "manual";
  manual: string;
  /** Of the generation that was begun last. */
  begun: number;
  /** Of the one that counts; absent where none does. */
  live?: number;
  passages?: number;
  vectorModel?: string;
}

const keyword: estypes.MappingProperty = { type: "keyword" };
const terms: estypes.MappingProperty = { type: "text", analyzer: "whitespace", norms: true, index_options: "freqs" };
const kept: estypes.MappingProperty = { type: "keyword", index: false, doc_values: false };

export function indexName(prefix: string): string {
  return `${prefix}passages_v${VERSION}`;
}

/** One shard: the figures that words are weighed by are those of all passages. */
export const INDEX: Pick<estypes.IndicesCreateRequest, "settings" | "mappings"> = {
  settings: { number_of_shards: 1, "index.mapping.total_fields.limit": 200 },
  mappings: {
    dynamic: "strict",
    properties: {
      kind: keyword,
      manual: keyword,
      generation: { type: "long" },
      page: { type: "integer" },
      text: kept,
      schema: kept,
      equipment: kept,
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

/** Vectors of each model and length have a field of their own: the server compares those of one field alone. */
export function vectorField(model: string, dimensions: number): `vector_${string}` {
  return `vector_${dimensions}_${createHash("sha256").update(model).digest("hex").slice(0, 12)}`;
}

export function vectorMapping(dimensions: number): estypes.MappingProperty {
  return { type: "dense_vector", dims: dimensions, index: true, similarity: "cosine" };
}

export function toSource(
  passage: Passage,
  { manual, generation, vectorModel }: { manual: string; generation: number; vectorModel?: string },
): PassageSource {
  const { page, text, schema, equipment, vector } = passage;
  const { words, about, models } = termsOfPassage(passage);
  return {
    kind: "passage",
    manual,
    generation,
    page,
    text,
    ...(schema === undefined ? {} : { schema }),
    equipment,
    terms: words,
    about,
    models,
    ...(vector && vectorModel !== undefined ? { [vectorField(vectorModel, vector.length)]: Array.from(vector) } : {}),
  };
}
