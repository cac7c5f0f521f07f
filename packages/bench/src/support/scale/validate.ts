import { setTimeout as pause } from "node:timers/promises";
import { median, percentile } from "../statistics.ts";
import { printTable } from "../table.ts";
import { runDeployment } from "./deployment.ts";
import { visitFor, warmUp } from "./measure.ts";
import { startScaledSystem } from "./system.ts";
import type { Kind, LayoutName, Times } from "./times.ts";

const AIM = 20;
const SECONDS = 20;
const CLIENTS_A_PROCESS = [1, 4];
const CASES: { layout: LayoutName; processes: Kind[] }[] = [
  { layout: "one", processes: ["all"] },
  { layout: "two", processes: ["gateway", "services"] },
  { layout: "two", processes: ["gateway", "services", "services", "services"] },
];

/**
 * Runs 1, 2 and 4 processes, each held to a share of a processor, beside what the model predicts of them.
 * @returns whether every throughput is predicted within 20 %
 */
export async function compareWithModel(times: Times, share: number, rounds: number): Promise<boolean> {
  const rows: (string | number)[][] = [];
  for (const { layout, processes } of CASES)
    for (const { clients, runs } of await measureCase(processes, share, rounds)) {
      const findMedian = (name: keyof Run): number => median(runs.map((run) => run[name]));
      const thinking = findMedian("thinking");
      const deployment = { times: times.layouts[layout], processes, share, thinking };
      const predicted = runDeployment(deployment, { clients }, 600);
      const { p50, p99 } = predicted.times.webhook ?? { p50: NaN, p99: NaN };
      const compare = (measured: number, model: number) => [measured, model, (model / measured - 1) * 100];
      rows.push([
        `${processes.length}, ${clients} clients`,
        ...compare(findMedian("perSecond"), predicted.perSecond),
        ...compare(findMedian("p50"), p50 * 1_000),
        ...compare(findMedian("p99"), p99 * 1_000),
        findMedian("used"),
        (findMedian("store") / times.layouts[layout].storeSpeed) * 100,
        (predicted.utilisation.store ?? 0) * 100,
      ]);
    }
  const columns = ["model", "error %"];
  printTable(
    `1, 2 and 4 processes with ${share} of a processor each, median of ${rounds} (aim: orders/s within ${AIM} %)`,
    [
      "processes",
      "orders/s",
      ...columns,
      "webhook p50 ms",
      ...columns,
      "p99 ms",
      ...columns,
      "used %",
      "store %",
      "model",
    ],
    rows,
  );
  return rows.every(([, , , error]) => Math.abs(Number(error)) <= AIM);
}

interface Run {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Of a shopper who pays, seconds. */
  thinking: number;
  /** Of its share, by the fullest kind of process, in percent. */
  used: number;
  /** Processors that the store used. */
  store: number;
}

async function measureCase(processes: readonly Kind[], share: number, rounds: number) {
  const levels = CLIENTS_A_PROCESS.map((count) => ({ clients: count * processes.length, runs: [] as Run[] }));
  const system = await startScaledSystem(processes);
  try {
    await warmUp(system, processes.length);
    // What the visits left to do.
    await pause(5_000);
    system.limit(share);
    for (let round = 0; round < rounds; round++)
      for (const { clients, runs } of levels) {
        const { visits, seconds, used, webhooks, thinking } = await visitFor(system, clients, SECONDS);
        const sorted = Float64Array.from(webhooks, (duration) => duration * 1_000).sort();
        const shares = [...Map.groupBy(processes, (kind) => kind)].map(
          ([kind, copies]) => ((used[kind] ?? 0) * 100) / (copies.length * share * seconds),
        );
        const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
        runs.push({
          perSecond: visits / seconds,
          p50,
          p99,
          thinking,
          used: Math.max(...shares),
          store: (used.store ?? 0) / seconds,
        });
      }
    return levels;
  } finally {
    await system.stop();
  }
}
