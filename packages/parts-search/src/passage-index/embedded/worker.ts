import { workerData } from "node:worker_threads";
import { answerRequests } from "@partline/toolkit";
import { readSynonyms } from "../../search-index/query-plan.ts";
import type { VectorQuery, WordQuery } from "../port.ts";
import { PassageFile, type ManualVectors, type StoredPassage } from "./passage-file.ts";
import { VectorSearch } from "./vectors.ts";
import { WordSearch } from "./search.ts";

export interface WorkerData {
  path: string;
  synonyms: readonly string[];
}

export type PassageOperations = typeof operations;

const { path, synonyms } = workerData as WorkerData;
const file = new PassageFile(path);
const words = new WordSearch(file, readSynonyms(synonyms));
const vectors = new VectorSearch(file);

const operations = {
  replace: async (manual: string, passages?: StoredPassage[], manualVectors?: ManualVectors) => {
    await file.replace(manual, passages, manualVectors);
    words.forget();
    vectors.forget(manual);
  },
  manuals: () =>
    file
      .queryRows<[string, number, string | null]>("SELECT manual, passages, model FROM manuals ORDER BY manual")
      .map(([manual, passages, model]) => ({ manual, passages, vectorModel: model ?? undefined })),
  byWords: (query: WordQuery) => words.search(query),
  byVector: (query: VectorQuery) => vectors.search(query),
};

answerRequests(operations, () => file.close());
