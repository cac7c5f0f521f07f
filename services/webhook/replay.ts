import type { Params, TasksOf } from "@partline/api-contracts";
import type { AtomicWrite, DocumentStore, Filter, TaskHandler } from "@partline/durable";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { type Actions, enqueue } from "../contracts.ts";
import { DELIVERIES, toDeliveryId, type DeliveryDocument, type EndpointDocument } from "./collections.ts";
import type { webhookContract } from "./contract.ts";
import { enqueueDelivery } from "./messages.ts";

const BATCH = 100;

type Selection = TasksOf<typeof webhookContract>["webhook.replay"];

export function createReplays(documents: DocumentStore) {
  const deliveries = documents.collection<DeliveryDocument>(DELIVERIES);

  /** A repeat after a crash leaves out what it has done. Those whose first attempt is due are sent anyway. */
  const buildFilters = ({ replayId, endpointId, state, from, to }: Selection): Filter[] => {
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
    async replayOne({ _id: endpointId }: EndpointDocument, messageId: string, id: string): Promise<DeliveryDocument> {
      const _id = toDeliveryId(endpointId, messageId);
      const replayId = `rep_${id}`;
      const delivery = await deliveries.findOne({ _id });
      if (!delivery) throw notFound("Delivery", messageId);
      // By a process that died.
      if (delivery.replayId === replayId) return delivery;
      await documents.atomically(requeueDelivery(delivery, replayId));
      return (await deliveries.findOne({ _id })) ?? delivery;
    },
    /** @throws VALIDATION_FAILED for all without a beginning */
    async replayMany({ endpointId, state, from, to }: Params<Actions["webhook.replayDeliveries"]>, id: string) {
      if (state === "all" && from === undefined) throw invalidField("from", "is required to replay all");
      const replayId = `rep_${id}`;
      const ends = { from: from?.toISOString(), to: (to ?? new Date()).toISOString() };
      const selection = { replayId, endpointId, state, ...ends };
      const counts = await Promise.all(buildFilters(selection).map((filter) => deliveries.count(filter)));
      await documents.atomically([enqueue("webhook.replay", replayId, selection)]);
      return { replayId, deliveries: counts.reduce((sum, count) => sum + count) };
    },
    handler: {
      async run(selection, task) {
        for (const filter of buildFilters(selection)) {
          const next = () => deliveries.find(filter, { sort: { occurredAt: 1 }, limit: BATCH });
          for (let batch = await next(); batch.length > 0; batch = await next()) {
            task.signal.throwIfAborted();
            const writes = batch.flatMap((delivery) => requeueDelivery(delivery, selection.replayId));
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

function requeueDelivery(delivery: DeliveryDocument, replayId: string): AtomicWrite[] {
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
