import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { assignProcesses, findBottleneck, rankCapacities, runDeployment } from "../src/support/scale/deployment.ts";
import { type Scenario, runScenario, type Station } from "../src/support/scale/simulate.ts";
import type { Times } from "../src/support/scale/times.ts";

const createStation = (group: string, rest: Partial<Station> = {}): Station => ({
  group,
  servers: 1,
  speed: 1,
  ...rest,
});
const createFlow = (group: string, seconds: number, spread: Scenario["flows"][number]["spread"] = [1]) => ({
  ...{ name: group, steps: [{ group, seconds }], following: [], spread },
});

/** Nodes before a store, one of which may be gone for a while, under any load. */
const scenarios = fc
  .record({
    nodes: fc.integer({ min: 1, max: 5 }),
    speed: fc.double({ min: 0.05, max: 1, noNaN: true }),
    perSecond: fc.integer({ min: 1, max: 60 }),
    clients: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    isAway: fc.boolean(),

    drains: fc.boolean(),
    seed: fc.string(),
  })
  .map(({ nodes, speed, perSecond, clients, isAway, drains, seed }): Scenario => {
    const away = isAway ? { from: 4, until: 7 } : undefined;
    const shops = Array.from({ length: nodes }, (_, index) =>
      createStation("shop", { speed, ...(away && index === 0 ? { away } : {}) }),
    );
    const steps = [0.004, 0.002].flatMap((seconds) => [
      { group: "shop", seconds },
      { group: "store", seconds },
      { group: "delay", seconds },
    ]);
    return {
      stations: [...shops, createStation("store"), createStation("numbers", { together: "shop" })],
      flows: ["cart", "order"].map((name) => ({
        name,
        steps: [...steps, { group: "numbers", seconds: 0, inner: steps }],
        following: steps.slice(0, 2),
        spread: [0.5, 1, 1.5],
      })),
      load: clients === undefined ? { perSecond } : { clients },
      ...{ seconds: 10, drains, seed },
    };
  });

test("who comes is served, waits or has failed, and Little's law holds", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const result = runScenario(scenario);
      expect(result.arrivals).toBe(result.completions + result.waiting + result.failures);
      if (!scenario.drains) return;
      expect(result.waiting).toBe(0);
      const ended = result.completions + result.failures;
      const arrivalRate = ended / result.endedAt;
      if (ended > 0) expect(result.meanUnderWay).toBeCloseTo(arrivalRate * result.meanSeconds, 6);
    }),
    { numRuns: 60 },
  );
});

test.each([0.3, 0.6, 0.8])("a queue of one server at %f of its capacity waits as M/M/1 does", (load) => {
  const serviceSeconds = 0.01;
  const result = runScenario({
    stations: [createStation("server")],
    flows: [createFlow("server", serviceSeconds, "exponential")],
    load: { perSecond: load / serviceSeconds },
    ...{ seconds: 3_000, warmUp: 50, seed: "m/m/1" },
  });
  const mean = serviceSeconds / (1 - load);
  expect(result.meanSeconds / mean).toBeCloseTo(1, 1);
  expect((result.times.server?.p99 ?? 0) / (mean * Math.log(100))).toBeCloseTo(1, 1);
  expect(result.utilisation.server).toBeCloseTo(load, 1);
});

test("the same seed gives the same result, another seed another one", () => {
  fc.assert(
    fc.property(scenarios, (scenario) => expect(runScenario(scenario)).toEqual(runScenario(scenario))),
    { numRuns: 15 },
  );
  const [first, second] = ["one", "other"].map((seed) =>
    runScenario({
      stations: [createStation("a")],
      flows: [createFlow("a", 0.01)],
      load: { perSecond: 50 },
      seconds: 20,
      seed,
    }),
  );
  expect(first).not.toEqual(second);
});

test("those of one process share a turn, those of two wait for each other", () => {
  const measure = (processes: number) =>
    runScenario({
      stations: [
        ...Array.from({ length: processes }, () => createStation("shop")),
        createStation("numbers", { together: "shop" }),
      ],
      flows: [
        {
          ...createFlow("order", 0),
          steps: [
            { group: "shop", seconds: 0.0001 },
            { group: "numbers", seconds: 0, inner: [{ group: "commit", seconds: 0.01 }] },
          ],
        },
      ],
      load: { clients: 40 },
      ...{ seconds: 10, seed: "numbers" },
    }).times.order?.p50;
  expect(measure(1)).toBeLessThan(0.02);
  expect(measure(20)).toBeGreaterThan(0.1);
});

const times = JSON.parse(readFileSync(new URL("../scale-times.json", import.meta.url), "utf8")) as Times;

test("more nodes carry no less while nothing that they share is full", () => {
  const store = { shards: 50, processors: 8, command: 1e-4, commit: 1e-4, relay: 1e-5 };
  const mix = { search: 2, cart: 1, checkout: 1, webhook: 1 };
  const measure = (nodes: number) => {
    const deployment = { ...assignProcesses(times, nodes, mix), share: 1, store, mix };
    return runDeployment(deployment, { clients: 40 }, 5);
  };
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 14 }), fc.integer({ min: 1, max: 4 }), (nodes, more) => {
      const [few, many] = [measure(nodes), measure(nodes + more)];
      expect(many.utilisation.store).toBeLessThan(0.5);
      // A layout of more kinds of processes has hops that one process does without.
      const hasSameLayout =
        assignProcesses(times, nodes, mix).times === assignProcesses(times, nodes + more, mix).times;
      if (hasSameLayout && nodes >= 8) expect(many.perSecond).toBeGreaterThan(few.perSecond * 0.97);
    }),
    { numRuns: 4 },
  );
});

test("each process that a deployment is given has work, and the fullest station bounds it", () => {
  for (const nodes of [1, 2, 3, 4, 9, 40]) {
    const mix = { search: 1, cart: 1, checkout: 1, webhook: 1 };
    const { processes } = assignProcesses(times, nodes, mix);
    expect(processes).toHaveLength(nodes);
    const deployment = { ...assignProcesses(times, nodes, mix), share: 1 };
    const [first] = rankCapacities(deployment);
    const { perSecond, utilisation } = runDeployment(deployment, { clients: 40 }, 60);
    expect(findBottleneck(utilisation)[0]).toBe(first?.group);
    expect(perSecond / (first?.perSecond ?? 0)).toBeGreaterThan(0.8);
  }
});
