import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { NodeRun } from "../../services/health-analytics/collections.ts";
import { applySample, findReplacements } from "../../services/health-analytics/runs.ts";
import { hasEnded } from "../../services/health-analytics/states.ts";
import { toEntryPointViews, toNodeViews } from "../../services/health-analytics/reports.ts";
import { hear, sampleOf, T0 } from "./health-analytics.support.ts";

const STEP = 8_000;

/** Of a node that started and was last heard so many milliseconds after T0. */
function runOf({
  name,
  role = "order",
  started,
  heard,
}: {
  name: number;
  role?: string;
  started: number;
  heard: number;
}): NodeRun {
  const startedAt = new Date(T0 + started);
  return applySample(
    undefined,
    sampleOf({ node: `shop-${name}`, services: [role], entryPoints: [], startedAt, at: startedAt }),
    new Date(T0 + heard),
  );
}

/** One that dies every eight seconds and is started again, in every second interval beside a job that runs once. */
function crashLoop(length: number): NodeRun[] {
  return Array.from({ length }, (_, index) => {
    const role = index % 2 === 0 ? "order" : `job-${index}`;
    return runOf({ name: index, role, started: index * STEP, heard: index * STEP + 5_000 });
  });
}

describe("Restarts", () => {
  it("of a node that crashes all day are counted, however many", () => {
    const runs = Array.from({ length: 20_000 }, (_, index) =>
      runOf({ name: index, started: index * STEP, heard: index * STEP + 5_000 }),
    );
    const views = toNodeViews(runs, T0 + 20_010 * STEP);
    expect([views[0]!.restarts, views[19_998]!.restarts, views[19_999]!.restarts]).toEqual([19_999, 1, 0]);
  });

  it("of eight times as many take little more than eight times the work", () => {
    let reads = 0;
    const counted = (run: NodeRun): NodeRun =>
      new Proxy(run, {
        get: (target, key) => {
          reads += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    const workOn = (length: number): number => {
      const runs = crashLoop(length).map(counted);
      reads = 0;
      toNodeViews(runs, T0 + length * STEP);
      return reads;
    };
    expect(workOn(4_000) / workOn(500)).toBeLessThan(16);
  });

  it("are of the earliest of the same role that nobody has and that started after the other was last heard", () => {
    const drawn = fc.record({ role: fc.constantFrom("order", "cart"), started: fc.nat(60), lived: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 30 }), (lives) => {
        const runs = lives.map(({ role, started, lived }, name) =>
          runOf({ name, role, started: started * 1_000, heard: (started + lived) * 1_000 }),
        );
        const now = T0 + 70_000;
        const free = [...runs].sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
        const expected = new Map<string, string>();
        for (const run of runs
          .filter((each) => hasEnded(each, now))
          .sort((one, other) => one.heardAt.getTime() - other.heardAt.getTime())) {
          const successor = free.find(({ role, startedAt }) => role === run.role && startedAt > run.heardAt);
          if (!successor) continue;
          free.splice(free.indexOf(successor), 1);
          expected.set(run._id, successor._id);
        }
        expect(new Map([...findReplacements(runs, now)].map(([id, { _id }]) => [id, _id]))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("An entry point", () => {
  it("is reported with all nodes that serve it", () => {
    const runs = [0, 1, 2].map((index) => hear(undefined, 0, { node: `shop-${index}` }));
    const nodes = toNodeViews(runs, T0);
    expect(toEntryPointViews(nodes)).toMatchObject([
      { entry: "payment", nodes: [{ node: "shop-0" }, { node: "shop-1" }, { node: "shop-2" }] },
    ]);
  });
});
