import type { Stripe } from "stripe";
import {
  type AtomicWrite,
  createDequeueWrite,
  type DocumentStore,
  hasStoreCode,
  isWritten,
  type TaskHandler,
  type Tasks,
} from "@partline/durable";
import type { TasksOf } from "@partline/api-contracts";
import { PartlineError, errorCode } from "../../mixins/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { call, enqueue } from "../contracts.ts";
import type { paymentContract } from "./contract.ts";
import { resolveStanding } from "./checkout-rules.ts";
import type { PaymentParts } from "./records.ts";
import { EVENT_KEPT_MS, WEBHOOK_EVENTS, type WebhookEvent } from "./collections.ts";
import type { Completion } from "./completion.ts";
import type { Erasure } from "./erasure.ts";
import { type ChangeCommand, type Command, type CompleteCommand, toCommand } from "./event-commands.ts";
import { LOST_PAUSE_MS, LostPurchase } from "./purchase-at-provider.ts";

/** @throws INVALID_SIGNATURE, INVALID_JSON */
async function verified(provider: PaymentProvider, body: string, signature = ""): Promise<Stripe.Event> {
  const event = await provider.verifyWebhook(body, signature).catch((error: unknown) => {
    // The body is parsed after its signature is verified. A malformed signature throws an error of no known type.
    if ((error as Error).name === "SyntaxError") return undefined;
    const message = "The Stripe-Signature header is missing, wrong, or of another time";
    throw new PartlineError("INVALID_SIGNATURE", message, undefined, { cause: error });
  });
  if (!isEvent(event)) throw new PartlineError("INVALID_JSON", "The body is not an event of the payment provider");
  return event;
}

/** Fields of its object are checked when they are read. */
function isEvent(value: unknown): value is Stripe.Event {
  if (typeof value !== "object" || value === null) return false;
  const { id, type, data } = value as Partial<Stripe.Event>;
  return (
    typeof id === "string" &&
    /^[\x21-\x7e]{1,255}$/.test(id) &&
    typeof type === "string" &&
    typeof data?.object === "object" &&
    data.object !== null
  );
}

interface Deps extends PaymentParts {
  inbox: WebhookInbox;
  completion: Completion;
  erasure: Erasure;
  tasks: Pick<Tasks, "wake">;
  onError: (event: WebhookEvent, error: unknown) => void;
}

/** Tries by the event's task, about 40 s in all, before an order is made without the catalog's word on its stock. */
const TRIES_WITHOUT_STOCK = 3;

export type EventProcessor = ReturnType<typeof createEventProcessor>;

/** Receives webhook events and gives them their effect. All of it may be repeated, also concurrently. */
export function createEventProcessor(deps: Deps) {
  const { broker, provider, inbox, checkouts, completion, closing, erasure, tasks, onError } = deps;
  /** Resolves when the event's effect is durable, or the event waits for its order. */
  async function process(event: WebhookEvent, tries = 0): Promise<void> {
    switch (event.command.kind) {
      case "complete":
        return complete(event, event.command, tries);
      case "expire":
        await checkouts.expire(event.command.paymentKey);
        await erasure.eraseUnpaid(event.command.paymentKey);
        return inbox.finish(event, "done");
      case "change":
        return change(event, event.command);
    }
  }

  async function complete(event: WebhookEvent, command: CompleteCommand, tries: number): Promise<void> {
    const end = inbox.ending(event, "done");
    const order = await completion(command, { mayFail: tries < TRIES_WITHOUT_STOCK, end });
    if (!order) return inbox.finish(event, "dropped");
    tasks.wake();
    // An earlier event about this payment was stored before it looked for the order, so it is found here.
    const earlier = command.paymentIntentId === null ? [] : await inbox.unfinishedAbout(command.paymentIntentId);
    // The task of one that fails tries again.
    await Promise.all(
      earlier.map((earlierEvent) => process(earlierEvent).catch((error: unknown) => onError(earlierEvent, error))),
    );
  }

  async function change(event: WebhookEvent, { paymentIntentId, change }: ChangeCommand): Promise<void> {
    if (change.kind === "failed") return attemptFailed(event, paymentIntentId);
    const { orderId } = await call(broker, "order.applyPayment", { paymentIntentId, change });
    await (orderId === null ? inbox.wait(event) : inbox.finish(event, "done"));
  }

  /** A late or repeated decline says nothing about later tries, so the provider is asked for the intent's state. */
  async function attemptFailed(event: WebhookEvent, paymentIntentId: string): Promise<void> {
    const { order } = await call(broker, "order.findByPayment", { paymentIntentId });
    const isPending = order?.paymentStatus === "pending";
    if (isPending && (await closing.standing({ _id: paymentIntentId, kind: "intent" })) !== "paid")
      await call(broker, "order.applyPayment", { paymentIntentId, change: { kind: "failed" } });
    if (!order) await closeLate(paymentIntentId);
    await inbox.finish(event, "done");
  }

  /** Closes what could not be closed in its time because the money was on its way. */
  async function closeLate(paymentKey: string): Promise<void> {
    const checkout = await checkouts.find(paymentKey);
    if (checkout?.status !== "open") return;
    if (resolveStanding(checkout, new Date()) === "ask" || (await closing.isPaidByOther(checkout)))
      await closing.close(checkout);
  }

  const versionsSeen = new Set<string>();

  /** Warns once of each version: fields that it has elsewhere are not read. */
  async function noteVersion({ api_version: version }: Stripe.Event): Promise<void> {
    if (!version || versionsSeen.has(version)) return;
    versionsSeen.add(version);
    const expected = await provider.apiVersion();
    if (version !== expected)
      broker.logger.warn(
        { version, expected },
        "The payment provider's webhook endpoint has another API version than our requests",
      );
  }

  /** Verifies and stores an event, gives it its effect, and acknowledges it. */
  async function receive(
    body: string,
    signature: string | undefined,
    audit: (eventId: string) => AtomicWrite[],
  ): Promise<{ received: true }> {
    const event = await verified(provider, body, signature);
    await noteVersion(event);
    const command = toCommand(event);
    if (!command) return { received: true };
    const stored = await inbox.receive(event.id, event.type, command, audit(event.id));
    if (stored.state === "done" || stored.state === "dropped") return { received: true };
    try {
      await process(stored);
    } catch (error) {
      onError(stored, error);
      // The provider cannot help by sending it again: the event's task tries and logs it.
      if (error instanceof LostPurchase) {
        await inbox.postpone(stored, LOST_PAUSE_MS);
        return { received: true };
      }
      // The gateway answers the store's own error with 503 too.
      if (hasStoreCode(error, "UNAVAILABLE") || errorCode(error) === "DATABASE_UNAVAILABLE") throw error;
      const message = "The event is stored, and its effect is not complete yet";
      throw new PartlineError("SERVICE_UNAVAILABLE", message, undefined, { cause: error });
    }
    return { received: true };
  }

  return {
    receive,
    process,
    handler: {
      maxRetries: Infinity,
      pauseMs: (failures, error) =>
        error instanceof LostPurchase
          ? LOST_PAUSE_MS
          : Math.min(LONGEST_PAUSE_MS, FIRST_TRY_MS * 2 ** Math.min(failures - 1, 10)),
      async run({ eventId }, { failures }) {
        const event = await inbox.find(eventId);
        if (!event || event.state === "done" || event.state === "dropped") return;
        try {
          await process(event, failures);
        } catch (error) {
          onError(event, error);
          throw error;
        }
      },
    } satisfies TaskHandler<TasksOf<typeof paymentContract>["payment.webhook"]>,
  };
}

/** How long the receiver of an event may work on it before the event's task does. */
const FIRST_TRY_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** How long an event waits for its order: as long as the provider repeats the event that makes the order. */
const WAITS_MS = 3 * 24 * 60 * 60 * 1000;

export type WebhookInbox = ReturnType<typeof createWebhookInbox>;

/** Stores webhook events, each once, before they are acknowledged. */
export function createWebhookInbox(documents: DocumentStore) {
  const events = documents.collection<WebhookEvent>(WEBHOOK_EVENTS);
  const unfinished = { state: { $in: ["pending", "waiting"] } };

  return {
    /** Stores an event with `also`, or finds it if it was received before. */
    async receive(id: string, type: string, command: Command, also: AtomicWrite[] = []): Promise<WebhookEvent> {
      const now = Date.now();
      const event: WebhookEvent = {
        _id: id,
        type,
        state: "pending",
        command,
        paymentIntentId: command.kind === "change" ? command.paymentIntentId : undefined,
        receivedAt: new Date(now),
        purgeAt: new Date(now + EVENT_KEPT_MS),
      };
      const task = enqueueEvent(id, FIRST_TRY_MS);
      const write = documents.atomically([{ collection: WEBHOOK_EVENTS, insertOne: { ...event } }, task, ...also]);
      return (await isWritten(write, "DUPLICATE_KEY")) ? event : (await events.findOne({ _id: id }))!;
    },

    /** Returns those of the events that are done, dropped, or wait for their order. */
    async settled(ids: readonly string[]): Promise<Set<string>> {
      return new Set((await events.find({ _id: { $in: ids }, state: { $ne: "pending" } })).map(({ _id }) => _id));
    },

    find: (_id: string): Promise<WebhookEvent | null> => events.findOne({ _id }),

    /** Lists events about a payment that came before its order. */
    unfinishedAbout: (paymentIntentId: string): Promise<WebhookEvent[]> =>
      events.find({ paymentIntentId, ...unfinished }),

    /** Returns the writes that end an event's work, and remove its personal data. */
    ending,
    async finish(event: WebhookEvent, state: "done" | "dropped"): Promise<void> {
      await documents.atomically(ending(event, state));
    },
    async postpone({ _id }: WebhookEvent, pauseMs: number): Promise<void> {
      await documents.atomically([enqueueEvent(_id, pauseMs)]);
    },
    /** Has an event wait for its order, with growing pauses. */
    async wait(event: WebhookEvent): Promise<void> {
      const { _id, receivedAt } = event;
      const age = Date.now() - receivedAt.getTime();
      if (age > WAITS_MS) return this.finish(event, "dropped");
      const pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_TRY_MS, age));
      const update = { $set: { state: "waiting" } };
      const waiting = { collection: WEBHOOK_EVENTS, updateOne: { filter: { _id, ...unfinished }, update } };
      await documents.atomically([waiting, enqueueEvent(_id, pause)]);
    },
  };
}

function enqueueEvent(eventId: string, pauseMs: number): AtomicWrite {
  return enqueue("payment.webhook", eventId, { eventId }, { dueAt: new Date(Date.now() + pauseMs) });
}

function ending({ _id }: WebhookEvent, state: "done" | "dropped"): AtomicWrite[] {
  const update = { $set: { state }, $unset: { "command.person": true as const } };
  return [
    { collection: WEBHOOK_EVENTS, updateOne: { filter: { _id }, update } },
    createDequeueWrite("payment.webhook", _id),
  ];
}
