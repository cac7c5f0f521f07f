import type { Params, TasksOf } from "../../broker/contract/define.ts";
import type { AtomicWrite, DocumentStore, Filter, TaskHandler } from "@partline/durable";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { type Actions, enqueue } from "../contracts.ts";
import { DELIVERIES, deliveryId, type DeliveryDocument, type EndpointDocument } from "./collections.ts";
import type { webhookContract } from "./contract.ts";
import { enqueueDelivery } from "./messages.ts";

const BATCH = 100;

type Selection = TasksOf<typeof webhookContract>["webhook.replay"];

export function createReplays(documents: DocumentStore) {
  const deliveries = documents.collection<DeliveryDocument>(DELIVERIES);

  /** A repeat after a crash leaves out what it has done. Those whose first attempt is due are sent anyway. */
  const selected = ({ replayId, endpointId, state, from, to }: Selection): Filter[] => {
    const theirs = {
      endpointId,
      occurredAt: { ...(from === undefined ? {} : { $gte: new Date(from) }), $lt: new Date(to) },
      // Of two replays the later one takes what both select: their ids ascend.
      $or: [{ replayId: null }, { replayId: { $lt: replayId } }],
    };
    return [
      { ...theirs, state: state === "failed" ? "failed" : { $in: ["failed", "delivered"] } },
      { ...theirs, state: "waiting", nextAttemptAt: { $gt: new Date() } },
    ];
  };

  return {
    /** @throws NOT_FOUND */
    async one({ _id: endpointId }: EndpointDocument, messageId: string, id: string): Promise<DeliveryDocument> {
      const _id = deliveryId(endpointId, messageId);
      const replayId = `rep_${id}`;
      const found = await deliveries.findOne({ _id });
      if (!found) throw notFound("Delivery", messageId);
      // By a process that died.
      if (found.replayId === replayId) return found;
      await documents.atomically(again(found, replayId));
      return (await deliveries.findOne({ _id })) ?? found;
    },
    /** @throws VALIDATION_FAILED for all without a beginning */
    async many({ endpointId, state, from, to }: Params<Actions["webhook.replayDeliveries"]>, id: string) {
      if (state === "all" && from === undefined) throw invalidField("from", "is required to replay all");
      const replayId = `rep_${id}`;
      const ends = { from: from?.toISOString(), to: (to ?? new Date()).toISOString() };
      const selection = { replayId, endpointId, state, ...ends };
      const counts = await Promise.all(selected(selection).map((filter) => deliveries.count(filter)));
      await documents.atomically([enqueue("webhook.replay", replayId, selection)]);
      return { replayId, deliveries: counts.reduce((sum, count) => sum + count) };
    },
    handler: {
      async run(selection, task) {
        for (const filter of selected(selection)) {
          const next = () => deliveries.find(filter, { sort: { occurredAt: 1 }, limit: BATCH });
          for (let found = await next(); found.length > 0; found = await next()) {
            task.signal.throwIfAborted();
            const writes = found.flatMap((delivery) => again(delivery, selection.replayId));
            await documents.atomically([task.held(), ...writes]);
          }
        }
      },
    } satisfies TaskHandler<Selection>,
  };
}

export function assertEnabled({ disabled }: EndpointDocument): void {
  if (disabled) throw new PartlineError("INVALID_TRANSITION", "The endpoint is disabled: enable it first");
}

function again(delivery: DeliveryDocument, replayId: string): AtomicWrite[] {
  const now = new Date();
  const update = {
    $set: { state: "waiting", tries: 0, nextAttemptAt: now, replayId },
    $unset: { deliveredAt: true as const },
  };
  return [
    { collection: DELIVERIES, updateOne: { filter: { _id: delivery._id }, update } },
    enqueueDelivery(delivery, now),
  ];
}
