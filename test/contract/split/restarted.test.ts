import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { createBrokerOptions } from "../../../broker/options.ts";
import { attachRuntime } from "../../../broker/runtime.ts";
import { withTimeout } from "../../../packages/toolkit/src/within-time.ts";
import { eventually } from "../../support/eventually.ts";
import { testSettings } from "../../support/test-settings.ts";
import { freeze, TRANSPORTS } from "./cluster.ts";

let over: PromiseWithResolvers<void>;
beforeEach(() => {
  over = Promise.withResolvers();
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  over.resolve();
  for (const end of ends.splice(0).reverse()) await end();
});

/** Its writes and its stories come to no end before the test does. */
function shop(name: string, begun: string[]): ServiceSchema {
  return {
    name: "shop",
    actions: {
      name: { idempotent: true, handler: () => name },
      write: {
        timeout: 60_000,
        handler: async () => {
          begun.push(name);
          await over.promise;
        },
      },
      tell: {
        timeout: 60_000,
        handler: () =>
          Readable.from(
            (async function* () {
              yield "once upon ";
              begun.push(name);
              await over.promise;
            })(),
            { objectMode: false },
          ),
      },
    },
  } as unknown as ServiceSchema;
}

describe.each(TRANSPORTS)(
  "a process that is killed and comes back under its host's name and its pid, over %s,",
  (transport) => {
    const startNode = async (
      namespace: string,
      options: { nodeID?: string },
      schema?: ServiceSchema,
    ): Promise<ServiceBroker> => {
      const settings = testSettings(
        transport === "NATS" ? { NATS_URL: process.env.NATS_URL!, NATS_NAMESPACE: namespace, SERVICES: "cart" } : {},
      );
      const broker = new ServiceBroker({
        ...createBrokerOptions(settings),
        ...(transport === "Fake" ? { transporter: "Fake" } : {}),
        namespace,
        ...options,
        logger: false,
      });
      attachRuntime(broker, { settings });
      if (schema) broker.createService(schema);
      await broker.start();
      ends.push(() => broker.stop());
      return broker;
    };

    test("keeps nobody waiting for what it owed: a write in flight fails and a stream ends, as where it stays away", async () => {
      const namespace = `restarted-${process.pid}-${Math.random().toString(36).slice(2)}`;
      const begun: string[] = [];
      const caller = await startNode(namespace, { nodeID: "caller" });
      // Both have the ids that the product gives them, in one process.
      const killed = await startNode(namespace, {}, shop("killed", begun));
      await caller.waitForServices("shop", 30_000, 10);
      const write = caller.call("shop.write").then(
        () => "answered",
        ({ type }: { type: string }) => type,
      );
      const story = text(await caller.call<Readable, object>("shop.tell", {})).then(
        () => "told",
        () => "broken off",
      );
      await eventually(() => begun.length === 2);
      freeze(killed);
      await startNode(namespace, {}, shop("back", begun));
      await eventually(async () => (await caller.call<string>("shop.name")) === "back");
      const outcomes = Promise.all([write, story]);
      expect(await withTimeout(outcomes, 12_000, () => "still waited for")).toEqual(["REQUEST_REJECTED", "broken off"]);
      expect(begun).toEqual(["killed", "killed"]);
    });
  },
);
