import { parentPort, workerData } from "node:worker_threads";
import type { IndexDocument, Progress, SearchPage, SearchQuery, Suggestion } from "../port.ts";
import { IndexFile } from "./index-file.ts";
import { searchIndexFile } from "./search.ts";
import { suggestIn } from "./suggest.ts";

export interface WorkerData {
  path: string;
  synonyms: readonly (readonly string[])[];
  isBuild: boolean;
}

/** What the main thread may ask of an index. */
export interface Operations {
  search(query: SearchQuery): SearchPage;
  suggest(query: { q: string; limit: number }): Suggestion[];
  get(ids: string[]): IndexDocument[];
  stage(documents: IndexDocument[]): void;
  stageRemoval(ids: string[]): void;
  commit(progress: Progress): Promise<void>;
  progress(): Progress;
  count(): number;
  finish(): void;
  close(): void;
}

export interface Request {
  id: number;
  operation: keyof Operations;
  args: unknown[];
  /** Epoch milliseconds until which somebody waits for the answer. */
  until?: number;
}

export type Response = { id: number; value: unknown } | { id: number; error: string };

const port = parentPort!;
const { path, ...options } = workerData as WorkerData;
const index = new IndexFile(path, options);

const operations: Operations = {
  search: (query) => searchIndexFile(index, query),
  suggest: (query) => suggestIn(index, query),
  get: (ids) => ids.flatMap((id) => index.documentOf(id) ?? []),
  stage: (documents) => index.stage(documents),
  stageRemoval: (ids) => index.stageRemoval(ids),
  commit: (progress) => index.commit(progress),
  progress: () => index.progress(),
  count: () => index.count,
  finish: () => index.finish(),
  close: () => index.close(),
};

port.on("message", ({ id, operation, args, until = Infinity }: Request) => {
  if (Date.now() > until) {
    refuse(id, new Error("The search index is overloaded: nobody waits for the answer any more"));
    return;
  }
  const run = operations[operation] as (...args: unknown[]) => unknown;
  const answer = (value: unknown): void => port.postMessage({ id, value } satisfies Response);
  try {
    const value = run(...args);
    if (value instanceof Promise) value.then(answer, (error: unknown) => refuse(id, error));
    else answer(value);
  } catch (error) {
    refuse(id, error);
  }
  if (operation === "close") port.close();
});

function refuse(id: number, error: unknown): void {
  port.postMessage({ id, error: (error as Error).message } satisfies Response);
}
