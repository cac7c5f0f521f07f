import type { ServiceBroker } from "moleculer";
import { call } from "../contracts.ts";
import type { CheckoutClosing } from "./checkout-closing.ts";
import type { CheckoutRecords } from "./checkout-records.ts";
import type { WebhookEvent } from "./collections.ts";
import type { Completion } from "./completion.ts";
import type { ChangeCommand, CompleteCommand } from "./event-commands.ts";
import { pauseAfter } from "./provider-intents.ts";
import type { WebhookInbox } from "./webhook-inbox.ts";

interface Deps {
  broker: ServiceBroker;
  inbox: WebhookInbox;
  checkouts: CheckoutRecords;
  completion: Completion;
  closing: Pick<CheckoutClosing, "standing">;
  onError: (event: WebhookEvent, error: unknown) => void;
}

/** Events that the sweep works on at once. */
const AT_ONCE = 8;
const SWEEP_BATCH = 200;

export type EventProcessor = ReturnType<typeof createEventProcessor>;

/** Gives webhook events their effect. All of it may be repeated, also concurrently. */
export function createEventProcessor({ broker, inbox, checkouts, completion, closing, onError }: Deps) {
  /** Resolves when the event's effect is durable, or the event waits for its order. */
  async function process(event: WebhookEvent): Promise<void> {
    switch (event.command.kind) {
      case "complete":
        return complete(event, event.command);
      case "expire":
        await checkouts.mark(event.command.paymentKey, "expired");
        return inbox.finish(event._id, "done");
      case "change":
        return change(event, event.command);
    }
  }

  async function complete(event: WebhookEvent, command: CompleteCommand): Promise<void> {
    const order = await completion(command);
    // An earlier event about this payment was stored before it looked for the order, so it is found here.
    if (order && command.paymentIntentId !== null)
      await processAll(await inbox.unfinishedAbout(command.paymentIntentId));
    await inbox.finish(event._id, order ? "done" : "dropped");
  }

  async function change(event: WebhookEvent, { paymentIntentId, change }: ChangeCommand): Promise<void> {
    if (change.kind === "failed") return attemptFailed(event, paymentIntentId);
    const { orderId } = await call(broker, "order.applyPayment", { paymentIntentId, change });
    if (orderId !== null) await inbox.finish(event._id, "done");
    else await inbox.postpone(event, "waiting");
  }

  /** A late or repeated decline says nothing about later tries, so the provider is asked for the intent's state. */
  async function attemptFailed(event: WebhookEvent, paymentIntentId: string): Promise<void> {
    const { order } = await call(broker, "order.findByPayment", { paymentIntentId });
    if (
      order?.paymentStatus === "pending" &&
      (await closing.standing({ _id: paymentIntentId, kind: "intent" })) !== "paid"
    ) {
      await call(broker, "order.applyPayment", { paymentIntentId, change: { kind: "failed" } });
    }
    await inbox.finish(event._id, "done");
  }

  async function processAll(events: readonly WebhookEvent[]): Promise<void> {
    for (let at = 0; at < events.length; at += AT_ONCE) {
      await Promise.all(
        events.slice(at, at + AT_ONCE).map(async (event) => {
          try {
            await process(event);
          } catch (error) {
            onError(event, error);
            await inbox.postpone(event, event.state === "waiting" ? "waiting" : "pending", pauseAfter(error));
          }
        }),
      );
    }
  }

  return {
    process,
    isDue: async (): Promise<boolean> => (await inbox.due(1)).length > 0,
    sweep: async (): Promise<void> => processAll(await inbox.due(SWEEP_BATCH)),
  };
}
