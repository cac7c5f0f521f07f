import { setTimeout as delay } from "node:timers/promises";
import { enqueueWrite } from "../../packages/durable/src/tasks/task.ts";
import { createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { CollectionDefinition, Document } from "../../packages/durable/src/document-store/port.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { answerWishes } from "../support/worker-wishes.ts";

/**
 * A process that runs tasks over a store, and dies by kill -9 right after the n-th write to it (`dieAfter`), or right
 * before the first one (0). Each run writes its effect in two batches, on condition that it holds the task.
 */

export type Wish =
  { do: "run"; dieAfter?: number; slowMs?: number } | { do: "enqueue"; keys: string[] } | { do: "state" };

export interface State {
  effects: Record<string, { first?: number; second?: number }>;
  left: number;
  writes: number;
}

interface Effect extends Document {
  first?: number;
  second?: number;
}

const LANES = 2;
const EFFECTS: CollectionDefinition = { name: "test_effects" };
const enqueue = enqueueWrite<{ print: { page: number } }>();

const [dataDir, mongoUrl] = process.argv.slice(2);
const store = mortalStore(await openDocumentStore({ dataDir: dataDir!, ...(mongoUrl ? { mongoUrl } : {}) }));
const { documents } = store;
let slowMs = 0;
const tasks = createTasks({ documents, report: { stuck: () => undefined, ended: () => undefined } });
tasks.handle("print", {
  concurrency: () => 1,
  run: async ({ page }, task) => {
    for (const step of ["first", "second"]) {
      await documents.atomically([
        task.held({ [step]: true }),
        {
          collection: EFFECTS,
          updateOne: { filter: { _id: String(page) }, update: { $inc: { [step]: 1 } }, upsert: true },
        },
      ]);
      await delay(slowMs);
    }
  },
});

async function carryOut(wish: Wish): Promise<unknown> {
  switch (wish.do) {
    case "enqueue":
      await documents.atomically(
        wish.keys.map((key, page) => enqueue("print", key, { page }, { lane: `lane-${page % LANES}` })),
      );
      return undefined;
    case "run":
      slowMs = wish.slowMs ?? 0;
      store.dieAfter(wish.dieAfter);
      await tasks.start();
      return undefined;
    case "state": {
      const effects = await documents.collection<Effect>(EFFECTS).find({});
      return {
        effects: Object.fromEntries(effects.map(({ _id, ...steps }) => [_id, steps])),
        left: (await tasks.list({ limit: 100 })).length,
        writes: store.writes(),
      };
    }
  }
}

answerWishes(carryOut);
