import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { defineService } from "../../../broker/contract/define.ts";
import { createEventPageRule } from "@partline/api-contracts";
import { implement } from "../../../broker/contract/implement.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { eventually } from "../../support/eventually.ts";
import { openStream, type OpenStream } from "../../support/event-stream.ts";
import { freePorts } from "../../support/ports.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";

const route = {
  method: "GET",
  path: "/ticks",
  entries: ["eventstore"],
  access: "none",
  envelope: false,
  answer: "event-stream",
} as const;
const result = createEventPageRule({ type: "object", props: { position: { type: "number" }, at: { type: "date" } } });
const params = { after: { type: "number", integer: true, min: 0, default: 0 } } as const;

const tickerContract = defineService({
  // As the entry point is called, so that it adds to its health.
  name: "eventstore",
  summary: "Counts",
  actions: {
    ticks: { summary: "Follow", params, result, errors: [], http: [{ ...route, wokenBy: "ticker.ticked" }] },
    health: {
      summary: "Health",
      params: {},
      result: { type: "object", props: {} },
      errors: [],
      away: { ticking: false },
    },
  },
});

describe("a route that is an event stream, its service on another broker", () => {
  let running: TestBroker;
  let streams: OpenStream[] = [];
  let brokers: ServiceBroker[] = [];
  let ticks: { position: number; at: Date }[] = [];
  let url = "";
  afterEach(async () => {
    for (const stream of streams) stream.close();
    [streams, brokers, ticks] = [[], [], []];
    await running.stop();
  });

  const ticker = (broker: ServiceBroker): ServiceSchema => {
    brokers.push(broker);
    return implement(tickerContract, {
      actions: {
        ticks: ({ params: { after } }) => {
          const events = ticks.filter(({ position }) => position > after).slice(0, 3);
          return { events, after: events.at(-1)?.position ?? after };
        },
        health: () => ({}),
      },
    });
  };
  const tick = (): void => void ticks.push({ position: ticks.length + 1, at: new Date("2026-11-21T10:00:00Z") });
  const start = async (nodes: number): Promise<void> => {
    const port = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    running = await startTestBroker({
      services: [
        ...Array.from({ length: nodes }, () => ticker),
        (broker) => createEntryPointService(broker, "eventstore", [tickerContract]),
      ],
      transport: "fake",
      settings: testSettings({ [toPortSetting("eventstore")]: String(port) }),
    });
    await eventually(async () => (await fetch(`${url}/health/ready`)).status === 200);
  };
  const open = async (): Promise<OpenStream> => {
    const stream = await openStream(`${url}/ticks`);
    streams.push(stream);
    return stream;
  };
  const ids = (stream: OpenStream): number[] => stream.events().map(({ id }) => id);

  test("brings page after page, with dates as texts, and is woken", async () => {
    await start(1);
    for (let n = 0; n < 7; n++) tick();
    const stream = await open();
    const events = await stream.has(7);
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(events[0]!.data).toEqual({ position: 1, at: "2026-11-21T10:00:00.000Z" });
    expect(stream.text()).toMatch(/^retry: 1000\n\n/);
    const times: number[] = [];
    for (let n = 8; n <= 12; n++) {
      tick();
      const toldAt = performance.now();
      await running.broker.broadcast("ticker.ticked", {});
      await stream.has(n);
      times.push(performance.now() - toldAt);
    }
    // Not woken, it would look once a second.
    expect(Math.min(...times)).toBeLessThan(500);
  });

  test("goes on when a node goes away, and when there is none for a while", async () => {
    await start(2);
    tick();
    const stream = await open();
    await stream.has(1);
    await brokers[0]!.stop();
    tick();
    await stream.has(2);
    await brokers[1]!.stop();
    tick();
    await eventually(
      async () => ((await (await fetch(`${url}/health`)).json()) as { ticking?: boolean }).ticking === false,
    );
    running.broker.createService(ticker(running.broker));
    await stream.has(3);
    expect(ids(stream)).toEqual([1, 2, 3]);
  }, 30_000);
});

test("a stream whose action answers no pages of events is refused when routes are made", () => {
  const wrong = defineService({
    name: "wrong",
    summary: "",
    actions: { ticks: { summary: "", params, result: { type: "object", props: {} }, errors: [], http: [route] } },
  });
  expect(() => createRouteTable([wrong], "eventstore")).toThrow("pages of events");
});
