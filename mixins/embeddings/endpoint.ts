import { getAt } from "@partline/toolkit";
import { asList, asObject, UnreadableAnswer, createHttpClient, type HttpClientOptions } from "@partline/http-client";
import { toUnitVector } from "@partline/parts-search";
import type { Embeddings, EmbeddingsSource } from "./port.ts";

/** Characters of a text that are sent; no model in use reads further. */
const LONGEST_TEXT = 8_000;

export type EndpointWatch = Pick<HttpClientOptions, "onFailure" | "watchCircuit">;

/** Creates vectors by `POST {baseUrl}/embeddings`, the form of OpenAI, Ollama, vLLM, llama.cpp and others. */
export function createEndpointEmbeddings(
  { baseUrl, apiKey, model }: Extract<EmbeddingsSource, { kind: "endpoint" }>,
  watch: EndpointWatch = {},
): Embeddings {
  const http = createHttpClient({
    ...watch,
    provider: "embeddings endpoint",
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    attemptTimeoutMs: 15_000,
    deadlineMs: 30_000,
    retry: { retries: 2, baseMs: 200, maxMs: 2_000, maxRetryAfterMs: 5_000 },
    breaker: { failures: 5, openMs: 10_000 },
    maxAnswerBytes: 16_000_000,
  });
  return {
    model,
    embed: (texts, { deadlineMs } = {}) =>
      http.request({
        method: "POST",
        path: "/embeddings",
        body: { model, input: texts.map((text) => text.slice(0, LONGEST_TEXT)), encoding_format: "float" },
        idempotent: true,
        deadlineMs,
        read: (answer) => readVectors(answer, texts.length),
      }),
    close: async () => undefined,
  };
}

/** @throws UnreadableAnswer unless each text has one vector, all of one size */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const rows = asList(asObject(answer, "the answer")["data"], "data").map((row) => asObject(row, "an entry of data"));
  const vectors = Array.from({ length: count }, (): Float32Array | undefined => undefined);
  for (const [place, { index = place, embedding }] of rows.entries()) {
    const values = asList(embedding, "embedding");
    if (
      values.length === 0 ||
      !values.every((value): value is number => typeof value === "number" && Number.isFinite(value))
    )
      throw new UnreadableAnswer("embedding is not numbers");
    if (typeof index !== "number" || !(index in vectors))
      throw new UnreadableAnswer("index is none that was asked for");
    vectors[index] = toUnitVector(values);
  }
  if (!vectors.every((vector) => vector !== undefined)) throw new UnreadableAnswer("an embedding is missing");
  if (vectors.some(({ length }) => length !== getAt(vectors, 0).length))
    throw new UnreadableAnswer("embeddings are of different sizes");
  return vectors;
}
