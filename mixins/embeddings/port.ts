/** Where vectors come from: any OpenAI-compatible endpoint, or a model whose files are in a folder of this machine. */
export type EmbeddingsSource =
  | { kind: "endpoint"; baseUrl: string; apiKey?: string; model: string }
  | { kind: "folder"; folder: string; model: string };

/**
 * Makes vectors of texts, so that what means the same is near. Vectors of another model are never compared with its
 * own.
 */
export interface Embeddings {
  /** As it stands beside what was embedded with it. */
  readonly model: string;
  /**
   * One vector a text, in their order, each of length 1 and all of the same dimensions; a long text counts up to where
   * the model stops reading.
   * @throws TIMEOUT, PROVIDER_ERROR, SERVICE_UNAVAILABLE (the local model cannot be run; the message says why)
   */
  embed(texts: readonly string[], options?: { deadlineMs?: number }): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** The name that stands where vectors have none: words alone. */
export const LEXICAL = "lexical";

/** The vector at length 1, so that a dot product is the cosine; one without a direction stays as it is. */
export function unitVector(values: readonly number[] | Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}
