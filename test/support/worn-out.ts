import { DELIVERIES, type DeliveryRow } from "../../broker/channels/deliveries.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { eventually } from "./eventually.ts";

/** Makes a group's unfinished deliveries look as after days of failures, and awaits one more attempt. */
export async function wearOut(documents: DocumentStore, group: string): Promise<void> {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  const unfinished = { group, state: "pending" };
  await eventually(async () => (await deliveries.updateMany(unfinished, { $set: { attempts: 100 } })).matched > 0);
  await eventually(async () => (await deliveries.count({ ...unfinished, attempts: { $gt: 100 } })) > 0);
}
