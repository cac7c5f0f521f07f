import { workerData } from "node:worker_threads";
import { answerRequests } from "@partline/toolkit";
import { loadModel } from "./model.ts";

export type EmbeddingOperations = typeof operations;

const loading = loadModel((workerData as { folder: string }).folder);
// Each request reports it.
loading.catch(() => undefined);

const operations = {
  embed: async (texts: readonly string[]) => (await loading).embed(texts),
};

// A batch under way may take minutes.
answerRequests(operations, () => process.exit());
