import { setTimeout as delay } from "node:timers/promises";
import { DELIVERIES, type DeliveryRow } from "../../packages/durable/src/channels/deliveries.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { createStoredChannels } from "../../packages/durable/src/channels/stored/stored-channels.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { CollectionDefinition, Document } from "../../packages/durable/src/document-store/port.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { answerWishes } from "../support/worker-wishes.ts";
import { quietReport } from "../support/quiet-report.ts";

/**
 * A process with durable channels over its embedded store, whose one place takes all events as they are stored. The
 * first event takes more than half of their lease, so that those taken ahead of their turn are given back. It dies by
 * kill -9 right after the n-th write to the store (`dieAfter`), or right before the first one (0).
 */

export type Wish = { do: "run"; dieAfter?: number } | { do: "state" };

export interface State {
  /** By event: how often it was handled, in this life and those before. */
  handled: Record<string, number>;
  /** How often a delivery was given back. */
  givenBack: number;
  pending: number;
  dead: number;
  writes: number;
}

interface Effect extends Document {
  times: number;
}

const EFFECTS: CollectionDefinition = { name: "test_effects" };
const ACK_WAIT_MS = 600;
const outbox = createOutboxWrite<{ "test.happened": { n: number } }>();

let givenBack = 0;
const store = mortalStore(await openDocumentStore({ dataDir: process.argv[2]! }), ([, update], _answer, [name]) => {
  if (name === DELIVERIES.name && (update as { $set?: Partial<DeliveryRow> } | undefined)?.$set?.attempts === 0)
    givenBack += 1;
});
const { documents } = store;
const effects = documents.collection<Effect>(EFFECTS);
const channels = createStoredChannels({
  documents,
  ackWaitMs: ACK_WAIT_MS,
  report: quietReport,
});
channels.subscribe("test.happened", {
  group: "one",
  concurrency: 1,
  handler: async ({ event_id: _id, payload }) => {
    await effects.updateOne({ _id }, { $inc: { times: 1 } }, { upsert: true });
    if (payload.n === 1) await delay(ACK_WAIT_MS / 2 + 100);
  },
});

async function carryOut(wish: Wish): Promise<State | undefined> {
  if (wish.do === "run") {
    await channels.start();
    // A group that is known gets its events as they are stored.
    await documents.atomically([1, 2, 3, 4].map((n) => outbox("test.happened", { n }, `event-${n}`)));
    store.dieAfter(wish.dieAfter);
    channels.wake();
    return undefined;
  }
  const { pending, dead } = await channels.depth();
  const handled = Object.fromEntries((await effects.find({})).map(({ _id, times }) => [_id, times]));
  return { handled, givenBack, pending, dead, writes: store.writes() };
}

answerWishes(carryOut);
