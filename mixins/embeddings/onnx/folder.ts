import { PartlineError } from "../../errors.ts";
import { RequestThread } from "../../request-thread.ts";
import { withinTime } from "../../within-time.ts";
import type { Embeddings, EmbeddingsSource } from "../port.ts";
import type { EmbeddingOperations } from "./thread.ts";

/** Milliseconds. */
const LONGEST_WORK = 120_000;
/** An idle model leaves memory after so long, milliseconds. */
const IDLE_MS = 10 * 60_000;

/** Creates vectors from a model in a folder, in a thread of its own. */
export function createFolderEmbeddings({ folder, model }: Extract<EmbeddingsSource, { kind: "folder" }>): Embeddings {
  const thread = new RequestThread<EmbeddingOperations>({
    module: new URL("./thread.ts", import.meta.url),
    name: "embeddings",
    youngGenerationMb: 24,
    data: () => ({ folder }),
    idleMs: () => IDLE_MS,
    unavailable: (reason, cause) =>
      new PartlineError("SERVICE_UNAVAILABLE", `The embeddings model cannot be run: ${reason}`, undefined, cause),
  });
  return {
    model,
    embed: (texts, { deadlineMs = LONGEST_WORK } = {}) =>
      withinTime(thread.request("embed", texts), deadlineMs, () => {
        throw new PartlineError("TIMEOUT", "The embeddings model did not answer in time");
      }),
    close: () => thread.close(),
  };
}
