import { workerData } from "node:worker_threads";
import { answerRequests } from "../../request-thread.ts";
import type { IndexChanges } from "../changes.ts";
import type { Progress, SearchQuery } from "../port.ts";
import { IndexFile } from "./index-file.ts";
import { searchIndexFile } from "./search.ts";
import { suggestIn } from "./suggest.ts";

export interface WorkerData {
  path: string;
  synonyms: readonly string[];
  isBuild: boolean;
}

export type IndexOperations = typeof operations;

const { path, ...options } = workerData as WorkerData;
const index = new IndexFile(path, options);

const operations = {
  search: (query: SearchQuery) => searchIndexFile(index, query),
  suggest: (query: { q: string; limit: number }) => suggestIn(index, query),
  useSynonyms: (lines: readonly string[]) => index.useSynonyms(lines),
  get: (ids: string[]) => ids.flatMap((id) => index.documentOf(id) ?? []),
  write: (changes: IndexChanges, progress: Progress) => index.write(changes, progress),
  progress: () => index.progress(),
  count: () => index.count,
  finish: () => index.finish(),
};

answerRequests(operations, () => index.close());
