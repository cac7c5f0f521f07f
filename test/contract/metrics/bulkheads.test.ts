import { afterEach, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { createTypedCall, scrape } from "@partline/moleculer-kit";
import { type ActionsOf } from "@partline/api-contracts";
import { defineService } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { createBrokerOptions } from "../../../broker/options.ts";
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
    },
  },
});
const call = createTypedCall<ActionsOf<typeof kiosk>>();

let broker: ServiceBroker | undefined;
afterEach(async () => {
  await broker?.stop();
  broker = undefined;
});

test("calls that run and calls that wait for room are counted", async () => {
  const settings = testSettings();
  const own = new ServiceBroker({ ...createBrokerOptions(settings), logger: false });
  broker = own;
  attachRuntime(own, { settings });
  const { promise: held, resolve } = Promise.withResolvers<void>();
  own.createService(implement(kiosk, { actions: { read: () => held.then(() => "news") } }));
  await own.start();
  const counted = async (): Promise<string[]> =>
    (await scrape(own)).split("\n").filter((line) => line.startsWith("partline_bulkhead_"));
  const counts = (inFlight: number, queued: number): string[] => [
    `partline_bulkhead_in_flight_calls{action="kiosk.read"} ${inFlight}`,
    `partline_bulkhead_queued_calls{action="kiosk.read"} ${queued}`,
  ];

  const asked = [1, 2, 3].map(() => call(own, "kiosk.read", { name: "a" }));
  await eventually(async () => (await counted())[0]?.endsWith(" 3"));
  expect(await counted()).toEqual(counts(3, 0));
  asked.push(call(own, "kiosk.read", { name: "a" }), call(own, "kiosk.read", { name: "b" }));
  await eventually(async () => (await counted())[1]?.endsWith(" 2"));
  expect(await counted()).toEqual(counts(3, 2));
  resolve();
  expect(await Promise.all(asked)).toEqual(Array(5).fill("news"));
  expect(await counted()).toEqual(counts(0, 0));
});
