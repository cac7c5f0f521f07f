import { workerData } from "node:worker_threads";
import { answerRequests } from "@partline/toolkit";
import type { IndexChanges } from "../builds.ts";
import type { Progress } from "../port.ts";
import type { IndexView } from "./index-memory.ts";
import { IndexWriter } from "./index-writer.ts";

export interface WriterData {
  path: string;
  isBuild: boolean;
  /** View of all that the file holds; without one, the file is read. */
  view?: IndexView;
}

export type WriterOperations = typeof operations;

const { path, ...options } = workerData as WriterData;
const index = new IndexWriter(path, options);

const operations = {
  view: () => index.view(),
  /** Returns the view after it, which nobody needs of a build. */
  write: (changes: IndexChanges, progress: Progress, { isBuild }: { isBuild: boolean }): IndexView | undefined => {
    index.write(changes, progress);
    return isBuild ? undefined : index.view();
  },
  progress: () => index.progress(),
  count: () => index.count,
  finish: () => index.finish(),
};

answerRequests(operations, () => index.close());
