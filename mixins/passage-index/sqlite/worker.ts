import { parentPort, workerData } from "node:worker_threads";
import { readSynonyms } from "../../search-index/query-plan.ts";
import { PassageFile } from "./passage-file.ts";
import type { Operations, Request, Response, ThreadData } from "./protocol.ts";
import { WordSearch } from "./search.ts";
import { VectorSearch } from "./vectors.ts";

/** Passages that are removed before the next request gets its turn. */
const REMOVED_AT_ONCE = 100;

const port = parentPort!;
const { path, synonyms } = workerData as ThreadData;
const file = new PassageFile(path);
const words = new WordSearch(file, readSynonyms(synonyms));
const vectors = new VectorSearch(file);
let cleaning: NodeJS.Immediate | undefined;

function clean(): void {
  cleaning ??= setImmediate(() => {
    cleaning = undefined;
    if (file.removeSome(REMOVED_AT_ONCE)) clean();
  });
}

const operations: Operations = {
  begin: (manual) => file.begin(manual),
  add: (set, passages) => file.add(set, passages),
  publish: (set, given) => {
    file.publish(set, given);
    words.forget();
    vectors.forget();
    clean();
  },
  remove: (manual) => {
    file.remove(manual);
    vectors.forget();
    clean();
  },
  manuals: () =>
    file
      .rows<[string, number, string | null]>(
        "SELECT manual, (SELECT count(*) FROM passages WHERE set_id = live), model FROM manuals LEFT JOIN vectors ON set_id = live ORDER BY manual",
      )
      .map(([manual, passages, model]) => ({ manual, passages, ...(model === null ? {} : { vectorModel: model }) })),
  byWords: (query) => words.search(query),
  byVector: (query) => vectors.search(query),
  close: () => {
    clearImmediate(cleaning);
    file.close();
    port.close();
  },
};

port.on("message", ({ id, operation, args, until = Infinity }: Request) => {
  const run = operations[operation] as (...args: unknown[]) => unknown;
  try {
    if (Date.now() > until) throw new Error("The passage index is overloaded: nobody waits for the answer any more");
    port.postMessage({ id, value: run(...args) } satisfies Response);
  } catch (error) {
    port.postMessage({ id, error: (error as Error).message } satisfies Response);
  }
});

// What an earlier process left behind.
clean();
