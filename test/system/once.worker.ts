import { RUNS } from "@partline/moleculer-kit";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { answerWishes } from "../support/worker-wishes.ts";

/**
 * A process with services that make things for an Idempotency-Key. It dies by kill -9 right after the n-th write that
 * follows a request (`dieAfter`). `release` lets the keys of a dead process go at once, as a minute does.
 */

export type Wish = { do: "run"; action: string; params: object; key?: string; dieAfter?: number } | { do: "release" };

const [dataDir, mongoUrl] = process.argv.slice(2);
/** What the deliveries of events write at moments of their own. */
const OF_CHANNELS = ["outbox", "channel_deliveries", "channel_groups"];
const store = mortalStore(
  await openDocumentStore({ dataDir: dataDir!, ...(mongoUrl ? { mongoUrl } : {}) }),
  undefined,
  OF_CHANNELS,
);
const { broker } = await startTestBroker({
  settings: testSettings({ DATA_DIR: dataDir! }),
  documents: store.documents,
  services: ["access", "order", "webhook"],
});
const caller = { admin: true, adminToken: true } as const;

answerWishes<Wish>(async (wish) => {
  if (wish.do === "release")
    return store.documents.collection(RUNS).updateMany({}, { $set: { heldUntil: new Date(0) } });
  const { action, params, key, dieAfter } = wish;
  store.dieAfter(dieAfter);
  const once = key === undefined ? undefined : { id: key, secret: key, request: JSON.stringify([action, params]) };
  return call(broker, action as "access.createKey", params as never, { meta: { caller, once } });
});
