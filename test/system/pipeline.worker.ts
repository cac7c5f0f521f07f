import { OUTBOX } from "../../packages/durable/src/channels/outbox.ts";
import { DEATHS_FORGIVEN } from "../../packages/durable/src/channels/redelivery.ts";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { readKept, upload } from "../support/manuals.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { answerWishes } from "../support/worker-wishes.ts";

/**
 * A process with the real pipeline over the embedded stores, or those that the settings in its third argument name,
 * which dies by kill -9 right after the n-th write to the document store that follows an upload (`dieAfter`), or each
 * time that it has begun a piece of work (`deadlyWork`, where "any" is every one) that it may still begin.
 */

export type Wish =
  | { do: "upload"; content: string; dieAfter?: number; deadlyWork?: string }
  | { do: "correct"; sha256: string; equipment: string[]; dieAfter?: number }
  | { do: "correctRow"; sha256: string; page: number; description: string; dieAfter?: number }
  | { do: "corrections"; sha256: string }
  | { do: "state"; batch_id: string }
  | { do: "find"; sha256: string };

const [dataDir, deadlyOnStart, more = "{}"] = process.argv.slice(2);
let deadlyWork = deadlyOnStart;
const settings = testSettings({ DATA_DIR: dataDir!, ...(JSON.parse(more) as Record<string, string>) });

const store = mortalStore(
  await openDocumentStore({ dataDir: dataDir!, mongoUrl: settings.mongoUrl }),
  (_args, answer, collections) => {
    const { kind, key, attempts } = (answer ?? {}) as Partial<TaskDocument>;
    if (collections[0] !== TASKS.name || kind !== "pipeline.work") return;
    if (deadlyWork !== "any" && !key!.endsWith(`-${deadlyWork}`)) return;
    if (attempts! <= DEATHS_FORGIVEN + 1) process.kill(process.pid, "SIGKILL");
  },
);
const { broker, tasks } = await startTestBroker({ settings, documents: store.documents, services: ["pipeline"] });

async function carryOut(wish: Wish): Promise<unknown> {
  switch (wish.do) {
    case "upload":
      deadlyWork = wish.deadlyWork;
      store.dieAfter(wish.dieAfter);
      return upload(broker, [{ name: "file", filename: "manual.pdf", content: Buffer.from(wish.content, "base64") }]);
    case "correct":
      store.dieAfter(wish.dieAfter);
      return call(broker, "pipeline.correct", { sha256: wish.sha256, equipment: wish.equipment });
    case "correctRow": {
      const { sha256, page, description } = wish;
      const { parts } = await call(broker, "pipeline.pageFindings", { sha256, page });
      store.dieAfter(wish.dieAfter);
      return call(broker, "pipeline.correctPart", { sha256, page, row: parts[0]!.row, description });
    }
    case "corrections":
      return (await call(broker, "pipeline.corrections", { sha256: wish.sha256 })).corrections;
    case "state": {
      const {
        files: [file],
        progress,
      } = await call(broker, "pipeline.job", { batch_id: wish.batch_id });
      const letters = await tasks.list({ state: "dead", limit: 100 });
      return {
        file,
        pagesDone: progress.pages.done,
        writes: store.writes(),
        letters: letters.map(({ payload, reason }) => ({ payload, reason })),
      };
    }
    case "find":
      return {
        created: await store.documents.collection(OUTBOX).count({ channel: "document.created" }),
        manual: await readKept(settings, (kept) => kept.getManual(wish.sha256)),
      };
  }
}

answerWishes(carryOut);
