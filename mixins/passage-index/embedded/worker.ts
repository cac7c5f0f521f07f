import { workerData } from "node:worker_threads";
import { answerRequests } from "../../request-thread.ts";
import { readSynonyms } from "../../search-index/query-plan.ts";
import type { VectorQuery, WordQuery } from "../port.ts";
import { PassageFile, type ManualVectors, type StoredPassage } from "./passage-file.ts";
import { WordSearch } from "./search.ts";
import { VectorSearch } from "./vectors.ts";

export interface WorkerData {
  path: string;
  synonyms: readonly (readonly string[])[];
}

export type PassageOperations = typeof operations;

const { path, synonyms } = workerData as WorkerData;
const file = new PassageFile(path);
const words = new WordSearch(file, readSynonyms(synonyms));
const vectors = new VectorSearch(file);

function forget(manual: string): void {
  words.forget();
  vectors.forget(manual);
}

const operations = {
  begin: () => file.begin(),
  removeSome: (manual: string, most: number) => file.removeSome(manual, most),
  add: (manual: string, passages: StoredPassage[]) => file.add(manual, passages),
  publish: (manual: string, given: ManualVectors | null) => {
    file.publish(manual, given);
    forget(manual);
  },
  publishRemoval: (manual: string) => {
    file.publishRemoval(manual);
    forget(manual);
  },
  manuals: () =>
    file
      .rows<[string, number, string | null]>("SELECT manual, passages, model FROM manuals ORDER BY manual")
      .map(([manual, passages, model]) => ({ manual, passages, ...(model === null ? {} : { vectorModel: model }) })),
  byWords: (query: WordQuery) => words.search(query),
  byVector: (query: VectorQuery) => vectors.search(query),
};

answerRequests(operations, () => file.close());
