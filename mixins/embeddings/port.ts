/** An OpenAI-compatible endpoint, or a folder of this machine with a model's files. */
export type EmbeddingsSource =
  | { kind: "endpoint"; baseUrl: string; apiKey?: string; model: string }
  | { kind: "folder"; folder: string; model: string };

/** Stands for the model in events of documents that are found by their words alone. */
export const LEXICAL = "lexical";

/**
 * Creates vectors of texts; texts of similar meaning have near ones. Vectors of different models are never compared.
 */
export interface Embeddings {
  /** Name that is stored beside the vectors. */
  readonly model: string;
  /**
   * Returns one vector for each text, of length 1 and equal dimensions. The model may ignore the end of a long text.
   * @throws TIMEOUT, PROVIDER_ERROR, SERVICE_UNAVAILABLE (the local model cannot be run; the message says why)
   */
  embed(texts: readonly string[], options?: { deadlineMs?: number }): Promise<Float32Array[]>;
  close(): Promise<void>;
}
