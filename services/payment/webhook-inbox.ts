import { hasStoreCode, type DocumentStore } from "../../mixins/document-store/port.ts";
import { EVENT_KEPT_MS, WEBHOOK_EVENTS, type EventState, type WebhookEvent } from "./collections.ts";
import type { Command } from "./event-commands.ts";

/** How long the receiver of an event may work on it before the sweep takes over. */
const FIRST_TRY_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** How long an event waits for its order: as long as the provider repeats the event that makes the order. */
const WAITS_MS = 3 * 24 * 60 * 60 * 1000;

export type WebhookInbox = ReturnType<typeof createWebhookInbox>;

/** Stores webhook events, each once, before they are acknowledged. */
export function createWebhookInbox(documents: DocumentStore) {
  const events = documents.collection<WebhookEvent>(WEBHOOK_EVENTS);

  return {
    /** Stores an event, or finds it if it was received before. */
    async receive(id: string, type: string, command: Command): Promise<WebhookEvent> {
      const now = Date.now();
      const paymentIntentId = command.kind === "change" ? command.paymentIntentId : undefined;
      const event: WebhookEvent = {
        _id: id,
        type,
        state: "pending",
        command,
        ...(paymentIntentId === undefined ? {} : { paymentIntentId }),
        tries: 0,
        nextTryAt: new Date(now + FIRST_TRY_MS),
        receivedAt: new Date(now),
        purgeAt: new Date(now + EVENT_KEPT_MS),
      };
      try {
        await events.insertOne(event);
        return event;
      } catch (error) {
        if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
        return (await events.findOne({ _id: id })) ?? event;
      }
    },

    /** Returns those of the events that are done, dropped, or wait for their order. */
    async settled(ids: readonly string[]): Promise<Set<string>> {
      return new Set((await events.find({ _id: { $in: ids }, state: { $ne: "pending" } })).map(({ _id }) => _id));
    },

    /** Lists events whose effect is not complete and that nobody works on. */
    due: (limit: number): Promise<WebhookEvent[]> =>
      events.find(
        { state: { $in: ["pending", "waiting"] }, nextTryAt: { $lte: new Date() } },
        { sort: { nextTryAt: 1 }, limit },
      ),

    /** Lists events about a payment that came before its order. */
    unfinishedAbout: (paymentIntentId: string): Promise<WebhookEvent[]> =>
      events.find({ paymentIntentId, state: { $in: ["pending", "waiting"] } }),

    /** Ends an event's work, and removes its personal data. */
    async finish(id: string, state: Extract<EventState, "done" | "dropped">): Promise<void> {
      await events.updateOne({ _id: id }, { $set: { state }, $unset: { "command.person": true } });
    },

    /** Puts an event back for the sweep; pauses grow unless one is given. */
    async postpone(
      { _id, tries, receivedAt }: WebhookEvent,
      state: Extract<EventState, "pending" | "waiting">,
      pauseMs?: number,
    ): Promise<void> {
      if (state === "waiting" && Date.now() - receivedAt.getTime() > WAITS_MS) return this.finish(_id, "dropped");
      const pause = pauseMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_TRY_MS * 2 ** Math.min(tries, 10));
      await events.updateOne(
        { _id, state: { $in: ["pending", "waiting"] } },
        { $set: { state, nextTryAt: new Date(Date.now() + pause) }, $inc: { tries: 1 } },
      );
    },
  };
}
