import type { IncomingHttpHeaders } from "node:http";
import type { ServiceBroker } from "moleculer";
import { createOutboxWrite } from "../../../packages/durable/src/channels/outbox.ts";
import { defineService } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { getServiceRuntime } from "../../../broker/runtime.ts";
import { startTracing } from "@partline/moleculer-kit";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { PartlineError } from "../../../mixins/errors.ts";
import { createHttpClient } from "@partline/http-client";
import { eventually } from "../../support/eventually.ts";
import { freePorts } from "../../support/ports.ts";
import { startScriptedServer } from "../../support/scripted-server.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";
import { send, type Reply } from "../gateway/edge-client.ts";

const item = { type: "string", max: 40 } as const;
const nothing = { type: "any", nullable: true } as const;

const tillContract = defineService({
  name: "till",
  summary: "Sells",
  actions: {
    buy: {
      summary: "Buy",
      params: { item, email: { type: "string" } },
      result: nothing,
      errors: ["NOT_FOUND"],
      http: [{ method: "POST", path: "/api/items/{item}", entries: ["payment"], access: "none", envelope: true }],
    },
  },
});
const stockContract = defineService({
  name: "stock",
  summary: "Has things",
  actions: {
    take: { summary: "Take", params: { item }, result: nothing, errors: ["NOT_FOUND"] },
    note: { summary: "Note", params: {}, result: nothing, errors: [] },
  },
});
const postContract = defineService({ name: "post", summary: "Sends things", actions: {} });

export interface TracedShop extends TestBroker {
  buy(item: string, headers?: Record<string, string>): Promise<Reply>;
  /** What the provider was sent. */
  asked: readonly { headers: IncomingHttpHeaders }[];
  /** Consumers' events that were handled. */
  handled(): number;
  /** Sends what is left of the spans. */
  endTracing(): Promise<void>;
}

/**
 * A sale over four nodes: HTTP, a call to another node, an event, its consumer, a call of that, and a provider that is
 * asked.
 */
export async function startTracedShop(env: Record<string, string>): Promise<TracedShop> {
  const provider = await startScriptedServer((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const client = createHttpClient({
    provider: "carrier",
    baseUrl: provider.url,
    attemptTimeoutMs: 1_000,
    deadlineMs: 2_000,
    retry: { retries: 0, baseMs: 1, maxMs: 1, maxRetryAfterMs: 1 },
    breaker: { failures: 5, openMs: 100 },
    maxAnswerBytes: 100,
  });
  const port = await freePorts(1);
  const settings = testSettings({ ...env, PAYMENT_PORT: String(port) });
  const brokers: ServiceBroker[] = [];
  let handled = 0;
  const outbox = createOutboxWrite<{ "test.sold": { item: string } }>();

  const shop = await startTestBroker({
    settings,
    transport: "fake",
    services: [
      (broker) => {
        brokers.push(broker);
        const { documents, channels } = getServiceRuntime(broker);
        return implement(tillContract, {
          actions: {
            async buy(ctx) {
              await ctx.call("stock.take", { item: ctx.params.item });
              await documents.atomically([outbox("test.sold", { item: ctx.params.item })]);
              channels.wake();
              return null;
            },
          },
        });
      },
      (broker) => {
        brokers.push(broker);
        const take = ({ params: { item: wanted } }: { params: { item: string } }): null => {
          if (wanted === "gone") throw new PartlineError("NOT_FOUND", "No gone for ada@example.com");
          return null;
        };
        return implement(stockContract, { actions: { take, note: () => null } });
      },
      (broker) => {
        brokers.push(broker);
        return implement(postContract, {
          actions: {},
          channels: {
            "test.sold": {
              group: "post",
              handler: async () => {
                await broker.call("stock.note", {});
                await client.request({
                  method: "GET",
                  path: "/parcels",
                  query: { to: "ada@example.com" },
                  read: () => undefined,
                });
                handled += 1;
              },
            },
          },
        });
      },
      (broker) => {
        brokers.push(broker);
        return createEntryPointService(broker, "payment", [tillContract]);
      },
    ],
  });
  const tracings = await Promise.all(brokers.map((broker) => startTracing(broker, settings)));
  await eventually(async () => (await send(port, "GET", "/health/ready")).status === 200);
  return {
    ...shop,
    asked: provider.requests,
    buy: (wanted, headers = {}) =>
      send(port, "POST", `/api/items/${wanted}`, { body: { email: "ada@example.com" }, headers }),
    handled: () => handled,
    endTracing: async () => {
      await Promise.all(tracings.map(({ stop }) => stop()));
    },
    stop: async () => {
      await shop.stop();
      await provider.close();
    },
  };
}
