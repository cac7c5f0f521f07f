import { beforeAll, expect, test } from "@jest/globals";
import { learnStock } from "../support/dealer-stock.ts";
import { matches, readTours, runTour } from "../support/readme-tour.ts";
import { ADMIN_TOKEN, startSystem } from "../support/system.ts";
import type { EntryPoint } from "../../broker/contract/define.ts";
import { useStarted } from "../support/use-started.ts";

const DEFAULT_PORTS: Partial<Record<EntryPoint, number>> = {
  gateway: 8000,
  shop: 3100,
  cart: 3000,
  media: 3002,
  payment: 3004,
  user: 3005,
  catalog: 3010,
  analytics: 3020,
  ai: 8001,
  eventstore: 8002,
  pipeline: 8080,
};

/** Less than a test may take, so that a step that waits for ever is named. */
const TOUR_MS = 250_000;

const system = useStarted(() => startSystem({ readsSamples: true }));
beforeAll(async () => {
  await learnStock(system, "bns", "F350037");
});

test("the README's quick start and the tutorial work as printed", async () => {
  const steps = readTours();
  expect(steps.length).toBeGreaterThan(5);
  const addresses = new Map<string, string>([
    ...Object.entries(DEFAULT_PORTS).map(([entry, port]): [string, string] => [
      `http://127.0.0.1:${port}`,
      system.url(entry as EntryPoint),
    ]),
    ["http://127.0.0.1:4001", system.sandboxUrl("identity")],
    ["http://127.0.0.1:4002", system.sandboxUrl("dealer")],
    ["http://127.0.0.1:4003", system.sandboxUrl("tires")],
    ["http://127.0.0.1:4005", system.sandboxUrl("mailbox")],
    ["$(cat data/admin-token)", ADMIN_TOKEN],
  ]);
  // With all digits and in one pass: a port of the system may begin with a default one.
  const ADDRESS = /http:\/\/127\.0\.0\.1:\d+|\$\(cat data\/admin-token\)/g;
  const here = (text: string): string => text.replace(ADDRESS, (address) => addresses.get(address) ?? address);
  const answers = await runTour(steps, here, TOUR_MS);
  const wrong = steps
    .map((step, index) => ({
      commands: step.commands,
      expected: step.answer && here(step.answer),
      actual: answers[index] ?? "nothing",
    }))
    .filter(({ expected, actual }) => expected !== undefined && !matches(expected, actual));
  expect(wrong).toEqual([]);
  expect(answers).toHaveLength(steps.length);
});
