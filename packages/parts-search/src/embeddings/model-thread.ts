import { RequestThread } from "@partline/toolkit";
import type { EmbeddingOperations } from "./thread.ts";

/** An idle model leaves memory after so long, milliseconds. */
const IDLE_MS = 10 * 60_000;

/**
 * Makes vectors of texts by the sentence model in a folder, in a thread of its own. Nothing is loaded before the first
 * text.
 */
export function openModelThread(
  folder: string,
  unavailable: (reason: string, options?: ErrorOptions) => Error,
): Pick<RequestThread<EmbeddingOperations>, "request" | "close"> {
  return new RequestThread<EmbeddingOperations>({
    module: new URL("./thread.ts", import.meta.url),
    name: "embeddings",
    youngGenerationMb: 24,
    data: () => ({ folder }),
    idleMs: () => IDLE_MS,
    unavailable,
  });
}
