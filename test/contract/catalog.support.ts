import { afterEach } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { TestBroker } from "../support/test-broker.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { testSettings } from "../support/test-settings.ts";
import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import { createTasks } from "../../packages/durable/src/tasks/tasks.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { SYNCS, type SyncRecord } from "../../services/catalog/syncs/records.ts";
import { createSyncRunner, type SyncWork } from "../../services/catalog/syncs/sync-runner.ts";

/** A process that runs only syncs, all by `work`; `ended` resolves once one has ended. */
export async function startSyncProcess(documents: DocumentStore, work: SyncWork, timeoutSeconds = 60) {
  const ends = Promise.withResolvers<void>();
  const tasks = createTasks({
    documents,
    report: { stuck: ends.reject, ended: (_task, outcome, error) => outcome !== "done" && ends.reject(error) },
  });
  const runner = createSyncRunner({
    documents,
    tasks,
    works: { refresh: work, listing: work },
    timeoutSeconds,
    recordSuccess: () => [],
    onEnded: () => ends.resolve(),
  });
  tasks.handle("catalog.sync", runner.handler);
  await tasks.start();
  return { runner, tasks, ended: ends.promise };
}

/** The report of a sync that has ended. */
export const ended = ({ broker }: Pick<TestBroker, "broker">, syncId: string) =>
  eventually(async () => {
    const report = await call(broker, "catalog.sync", { syncId });
    return report.status !== "running" && report;
  }, 60_000);

/** Leaves a sync as kill -9 of its process does: held until a time, in a record that has these fields. */
export async function leaveByDeath(
  documents: DocumentStore,
  syncId: string,
  heldUntil: Date,
  record: Partial<SyncRecord> = {},
): Promise<void> {
  await documents
    .collection<TaskDocument>(TASKS)
    .updateOne({ _id: `catalog.sync:${syncId}` }, { $set: { holder: "dead", heldUntil } });
  await documents.collection<SyncRecord>(SYNCS).updateOne({ _id: syncId }, { $set: { status: "running", ...record } });
}

/** Opens stores of the catalog's tests, which end with their test; over MongoDB where MONGO_URL is set. */
export function useStores(name: string): () => Promise<DocumentStore> {
  const opened: DocumentStore[] = [];
  afterEach(async () => void (await Promise.all(opened.splice(0).map((documents) => documents.close()))));
  return async () => {
    const documents = await openDocumentStore({
      dataDir: testSettings().dataDir,
      mongoUrl: mongoSetting(name).MONGO_URL,
    });
    opened.push(documents);
    return documents;
  };
}
