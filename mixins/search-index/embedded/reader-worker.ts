import { workerData } from "node:worker_threads";
import { answerRequests } from "../../request-thread.ts";
import type { SearchQuery } from "../port.ts";
import { readSynonyms } from "../query-plan.ts";
import type { IndexView } from "./index-memory.ts";
import { IndexReader } from "./index-reader.ts";
import { searchIndex } from "./search.ts";
import { suggestIn } from "./suggest.ts";

export interface ReadIndex {
  path: string;
  view: IndexView;
}

export interface ReaderData {
  /** By name. */
  indexes: ReadonlyMap<string, ReadIndex>;
  synonyms: readonly string[];
}

export type ReaderOperations = typeof operations;

const { indexes, synonyms } = workerData as ReaderData;
let meanings = readSynonyms(synonyms);
const readers = new Map<string, IndexReader>();
for (const [name, index] of indexes) see(name, index);

function see(name: string, { path, view }: ReadIndex): void {
  const known = readers.get(name);
  if (known) known.see(view);
  else readers.set(name, new IndexReader(path, view));
}

function reader(name: string): IndexReader {
  const found = readers.get(name);
  if (!found) throw new Error(`${name} is not open`);
  return found;
}

const operations = {
  see,
  forget: (name: string) => {
    readers.get(name)?.close();
    readers.delete(name);
  },
  useSynonyms: (lines: readonly string[]) => {
    meanings = readSynonyms(lines);
  },
  /** Returns JSON, since copying objects from thread to thread takes longer. */
  search: (name: string, query: SearchQuery) => searchIndex(reader(name), query, meanings),
  suggest: (name: string, query: { q: string; limit: number }) => suggestIn(reader(name), query, meanings),
  get: (name: string, ids: string[]) => reader(name).documentsOf(ids),
};

answerRequests(operations, () => {
  for (const each of readers.values()) each.close();
});
