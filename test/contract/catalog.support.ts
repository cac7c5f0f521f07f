import { TASKS, type TaskDocument } from "../../packages/durable/src/tasks/task.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { SYNCS, type SyncRecord } from "../../services/catalog/syncs/records.ts";

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
