import { parentPort, workerData } from "node:worker_threads";
import { loadModel } from "./model.ts";

/** What the thread is asked, and what it answers. */
export interface EmbedRequest {
  id: number;
  texts: readonly string[];
}
export type EmbedAnswer = { id: number; vectors: Float32Array[] } | { id: number; failed: string };

const loading = loadModel((workerData as { folder: string }).folder);
// Whoever asks is told.
loading.catch(() => undefined);

parentPort!.on("message", ({ id, texts }: EmbedRequest) => {
  void loading
    .then((model) => model.embed(texts))
    .then(
      (vectors): EmbedAnswer => ({ id, vectors }),
      (error: unknown): EmbedAnswer => ({ id, failed: error instanceof Error ? error.message : String(error) }),
    )
    .then((answer) => parentPort!.postMessage(answer));
});
