import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
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

const READ_WITHIN_MS = 90_000;

const system = useStarted(() => startSystem({ readsSamples: true }));
beforeAll(async () => {
  await learnStock(system, "bns", "F350037");
});

const allRead = (count: number) =>
  eventually(async () => {
    const { body } = await system.request("pipeline", "GET", "/api/jobs");
    const { jobs } = body as { jobs: { status: string }[] };
    return jobs.length === count && jobs.every(({ status }) => status === "completed");
  }, READ_WITHIN_MS);
const partsOf = (model: string) =>
  eventually(async () => {
    const { body } = await system.request("ai", "GET", `/api/ai/equipment?pageSize=100&model=${model}`);
    const { parts } = body as { parts: { partNumber: string; page: number; productId: string | null }[] };
    return parts.length > 0 && parts;
  }, READ_WITHIN_MS);

test(
  "a fresh start has read two sample manuals, whose parts the catalog has",
  async () => {
    await allRead(2);
    expect(await partsOf("GT-2254")).toContainEqual(
      expect.objectContaining({ partNumber: "595822", page: 7, productId: "bns-595822" }),
    );
    expect((await partsOf("CH-740S")).length).toBeGreaterThan(20);
  },
  2 * READ_WITHIN_MS,
);

test("the desk answers from them what a mechanic asks", async () => {
  const { status, body } = await system.request("ai", "POST", "/api/ai/query", {
    body: { query: "What carburetor fits my GT-2254?" },
  });
  expect(status).toBe(200);
  expect(body.parts).toContainEqual(
    expect.objectContaining({
      part_number: "595822",
      quantity: 1,
      pdf_link: expect.stringMatching(/#page=7$/),
      available_for_purchase: true,
    }),
  );
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

test(
  "the third sample manual, which the tutorial sends, is known, and a restart sends none again",
  async () => {
    await allRead(3);
    expect((await partsOf("HM-722D")).length).toBeGreaterThan(10);
    await system.kill();
    await system.start();
    await allRead(3);
  },
  3 * READ_WITHIN_MS,
);
