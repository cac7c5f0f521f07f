import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createJetStreamChannels } from "../../packages/durable/src/channels/jetstream/jetstream-channels.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import type { Depth } from "../../packages/durable/src/channels/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import {
  hasStoreCode,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
} from "../../packages/durable/src/document-store/port.ts";
import { answerWishes } from "../support/worker-wishes.ts";
import { quietReport } from "../support/quiet-report.ts";

/** A process with a store of its own and durable channels over NATS, which writes events, consumes them, or both. */

export interface WorkerOptions {
  dataDir: string;
  servers: string;
  namespace: string;
  /** Consumes as a member of it. Its effect is a document with the event's id. */
  group?: string;
  maxRetries?: number;
  /** Every handler fails. */
  isBroken?: boolean;
  /** kill -9 of itself, at the first event that says so in its payload, or at a write to its store. */
  dies?: "before its work" | "after its work" | "after its acknowledgement" | "before it marks what it relayed";
}

export type EventsWish = { do: "write"; n: number; isFatal?: boolean } | { do: "state" };

export interface EventsState {
  effects: string[];
  depth: Depth;
  deadLetters: { eventId: string; attempts: number }[];
}

const EFFECTS: CollectionDefinition = { name: "test_effects" };
const CHANNEL = "test.happened";
/** Short, so that an event whose process was killed is back soon. */
const ACK_WAIT_MS = 1_500;

const options = JSON.parse(process.argv[2]!) as WorkerOptions;
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
};

/** Methods of the target, some of them replaced. */
function overridden<T extends object>(target: T, replaced: Partial<Record<string, (...args: never[]) => unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      return replaced[String(name)] ?? (typeof value === "function" ? (value.bind(target) as unknown) : value);
    },
  });
}

/** Dies at a write to a collection: before it, or when it is durable. */
function deadly(
  store: DocumentStore,
  {
    collection,
    method,
    when,
  }: { collection: string; method: "bulkWrite" | "findOneAndUpdate"; when: "before" | "after" },
): DocumentStore {
  return overridden(store, {
    collection: (definition: CollectionDefinition) => {
      const opened = store.collection(definition);
      if (definition.name !== collection) return opened;
      return overridden(opened, {
        [method]: async (...args: never[]) => {
          if (when === "before") die();
          await (opened[method].bind(opened) as (...args: never[]) => Promise<unknown>)(...args);
          return die();
        },
      });
    },
  });
}

const opened = await openDocumentStore({ dataDir: options.dataDir });
const documents =
  options.dies === "before it marks what it relayed"
    ? deadly(opened, { collection: "outbox", method: "bulkWrite", when: "before" })
    : options.dies === "after its acknowledgement"
      ? deadly(opened, { collection: "channel_deliveries", method: "findOneAndUpdate", when: "after" })
      : opened;
const effects = documents.collection<Document>(EFFECTS);
const channels = createJetStreamChannels({
  documents,
  servers: options.servers,
  namespace: options.namespace,
  clientName: `test ${process.pid}`,
  ackWaitMs: ACK_WAIT_MS,
  report: quietReport,
});
if (options.group !== undefined) {
  channels.subscribe(CHANNEL, {
    group: options.group,
    ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
    handler: async ({ event_id, payload }) => {
      appendFileSync(join(options.dataDir, "handed-out"), `${event_id}\n`);
      if (options.isBroken) throw new Error("It is broken");
      if (payload.isFatal && options.dies === "before its work") die();
      await effects.insertOne({ _id: event_id }).catch((error: unknown) => {
        if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
      });
      if (payload.isFatal && options.dies === "after its work") die();
    },
  });
}
await channels.start();

const outbox = createOutboxWrite<{ [CHANNEL]: { n: number; isFatal?: boolean } }>();

async function carryOut(wish: EventsWish): Promise<unknown> {
  if (wish.do === "write") {
    const { n, isFatal } = wish;
    const eventId = `event-${process.pid}-${n}`;
    await documents.atomically([outbox(CHANNEL, { n, ...(isFatal ? { isFatal } : {}) }, eventId)]);
    channels.wake();
    return eventId;
  }
  const letters = await channels.deadLetters(1_000);
  return {
    effects: (await effects.find({})).map(({ _id }) => _id),
    depth: await channels.depth(),
    deadLetters: letters.map(({ event, attempts }) => ({ eventId: event.event_id, attempts })),
  } satisfies EventsState;
}

answerWishes(carryOut);
