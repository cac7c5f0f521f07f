import { afterEach, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { answerCacheOf } from "../../../broker/caching/middleware.ts";
import { typedCall } from "../../../broker/contract/call.ts";
import { defineService, type ActionsOf } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { render } from "../../../broker/metrics/exposition.ts";
import { metricsOf } from "../../../broker/metrics/metrics.ts";
import { brokerOptions } from "../../../broker/options.ts";
import { attachRuntime } from "../../../broker/runtime.ts";
import { eventually } from "../../support/eventually.ts";
import { testSettings } from "../../support/test-settings.ts";

const kiosk = defineService({
  name: "kiosk",
  summary: "Serves three at a time",
  actions: {
    read: {
      summary: "Read",
      params: { name: { type: "string" } },
      result: { type: "any" },
      errors: [],
      idempotent: true,
      bulkhead: { concurrency: 3, maxQueueSize: 10 },
      cache: { sources: ["search.index"], ttlSeconds: 60 },
    },
  },
});
const call = typedCall<ActionsOf<typeof kiosk>>();

let broker: ServiceBroker | undefined;
afterEach(async () => {
  await broker?.stop();
  broker = undefined;
});

test("who waits for another's answer of the cache has been let in; who waits for room has not", async () => {
  const settings = testSettings();
  const own = new ServiceBroker({ ...brokerOptions(settings), logger: false });
  broker = own;
  attachRuntime(own, { settings });
  const { promise: held, resolve } = Promise.withResolvers<void>();
  own.createService(implement(kiosk, { actions: { read: () => held.then(() => "news") } }));
  await own.start();
  const counted = (): string[] =>
    render(metricsOf(own).bulkheads.families())
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
  const counts = (inFlight: number, queued: number): string[] => [
    `partline_bulkhead_in_flight_calls{action="kiosk.read"} ${inFlight}`,
    `partline_bulkhead_queued_calls{action="kiosk.read"} ${queued}`,
  ];

  const asked = [1, 2, 3].map(() => call(own, "kiosk.read", { name: "a" }));
  await eventually(() => [...answerCacheOf(own).requests.counts()].some(({ count }) => count === 3));
  expect(counted()).toEqual(counts(3, 0));
  asked.push(call(own, "kiosk.read", { name: "a" }), call(own, "kiosk.read", { name: "b" }));
  await eventually(() => counted()[1]?.endsWith(" 2"));
  expect(counted()).toEqual(counts(3, 2));
  resolve();
  expect(await Promise.all(asked)).toEqual(Array(5).fill("news"));
  expect(counted()).toEqual(counts(0, 0));
});
