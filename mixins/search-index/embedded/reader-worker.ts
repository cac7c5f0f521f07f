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
const views = new Map(indexes);
/** Opened when they are asked for, so that one that cannot be does not take the others with it. */
const readers = new Map<string, IndexReader>();

function reader(name: string): IndexReader {
  const known = readers.get(name);
  if (known) return known;
  const index = views.get(name);
  if (!index) throw new Error(`${name} is not open`);
  const opened = new IndexReader(index.path, index.view);
  readers.set(name, opened);
  return opened;
}

const operations = {
  see: (name: string, index: ReadIndex) => {
    views.set(name, index);
    readers.get(name)?.see(index.view);
  },
  forget: (name: string) => {
    views.delete(name);
    readers.get(name)?.close();
    readers.delete(name);
  },
  useSynonyms: (lines: readonly string[]) => {
    meanings = readSynonyms(lines);
  },
  /** Returns JSON, since copying objects from thread to thread takes longer. */
  search: (name: string, query: SearchQuery) =>
    searchIndex(reader(name), query, query.synonyms ? readSynonyms(query.synonyms) : meanings),
  suggest: (name: string, query: { q: string; limit: number }) => suggestIn(reader(name), query, meanings),
  get: (name: string, ids: string[]) => reader(name).documentsOf(ids),
};

answerRequests(operations, () => {
  for (const each of readers.values()) each.close();
});
