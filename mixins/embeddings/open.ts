import { PartlineError } from "../errors.ts";
import { openModelThread } from "@partline/parts-search";
import { withTimeout } from "@partline/toolkit";
import { createEndpointEmbeddings, type EndpointWatch } from "./endpoint.ts";
import type { Embeddings, EmbeddingsSource } from "./port.ts";

/** Texts in one request, and in one deadline of the local model: every usual server takes as many. */
const BATCH = 64;

/** Opens the embeddings; undefined without a source. Loads and requests nothing before the first text. */
export function openEmbeddings(source: EmbeddingsSource | undefined, watch?: EndpointWatch): Embeddings | undefined {
  if (!source) return undefined;
  const model = source.kind === "endpoint" ? createEndpointEmbeddings(source, watch) : createFolderEmbeddings(source);
  return {
    ...model,
    async embed(texts, options) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH)
        vectors.push(...(await model.embed(texts.slice(from, from + BATCH), options)));
      return vectors;
    },
  };
}

/** Longest work on the texts of one call, milliseconds. */
const LONGEST_WORK = 120_000;

function createFolderEmbeddings({ folder, model }: Extract<EmbeddingsSource, { kind: "folder" }>): Embeddings {
  const thread = openModelThread(
    folder,
    (reason, cause) =>
      new PartlineError("SERVICE_UNAVAILABLE", `The embeddings model cannot be run: ${reason}`, undefined, cause),
  );
  return {
    model,
    embed: (texts, { deadlineMs = LONGEST_WORK } = {}) =>
      withTimeout(thread.request("embed", texts), deadlineMs, () => {
        throw new PartlineError("TIMEOUT", "The embeddings model did not answer in time");
      }),
    close: () => thread.close(),
  };
}
