/**
 * What watching costs: a node as users run it beside one without metrics, each under the same requests in turns, so that
 * a machine that gets slower or warmer meanwhile weighs on both alike. What counts is the processor time that a request
 * takes of the node: on a shared machine times by the clock spread far more than the cost. `npm run bench -- metrics [ROUNDS]`
 */
import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { load, type LoadFigures, type LoadTarget } from "./support/load.ts";
import { startShopUnderLoad, type ShopUnderLoad } from "./support/shop-targets.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const AIM_PERCENT = 10;
const SECONDS = 2;
const ROUNDS = Number(process.argv[2] ?? 5);

type Side = "with" | "without";
type Runs = Record<Side, LoadFigures[]>;

const shops: Record<Side, ShopUnderLoad> = {
  with: await startShopUnderLoad(),
  without: await startShopUnderLoad({ NODE_OPTIONS: `--import=${new URL("./support/without-metrics/preload.ts", import.meta.url).href}` }),
};

try {
  const worst = Math.max(await compare(1), await compare(50));
  await expectCounted("without", false);
  console.log(`\nThe highest cost is ${worst.toFixed(1)} %; the aim of at most ${AIM_PERCENT} % ${worst <= AIM_PERCENT ? "holds" : "does not hold"}.`);
} finally {
  // Hundreds of megabytes of carts.
  await Promise.all(Object.values(shops).map(({ system }) => system.stop().then(() => rm(system.dataDir, { recursive: true }))));
}

/** Prints a row for each kind of request, and answers the highest of their costs, in percent. */
async function compare(connections: number): Promise<number> {
  const rows: (string | number)[][] = [];
  let worst = -Infinity;
  for (const [index, [name]] of shops.with.targets.entries()) {
    const rounds: Runs[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(index, connections, round % 2 === 0 ? "with" : "without"));
    const costs = rounds.map((runs) => costPercent(runs, "processorMicroseconds"));
    worst = Math.max(worst, median(costs));
    const of = (side: Side, figure: keyof LoadFigures): number => median(rounds.flatMap((runs) => runs[side].map((run) => run[figure])));
    const failed = rounds.flatMap((runs) => [...runs.with, ...runs.without]).reduce((sum, run) => sum + run.failed, 0);
    rows.push([
      name, ...(["p50", "p99", "processorMicroseconds"] as const).flatMap((figure) => [of("without", figure), of("with", figure)]),
      median(costs), Math.min(...costs), Math.max(...costs), median(rounds.map((runs) => costPercent(runs, "p50"))), failed,
    ]);
  }
  printTable(
    `Metrics off and on, ${connections} connection${connections === 1 ? "" : "s"}, rounds: ${ROUNDS} (aim: a cost of at most ${AIM_PERCENT} %)`,
    ["", "p50 ms off", "on", "p99 ms off", "on", "processor us off", "on", "cost %", "lowest", "highest", "p50 cost %", "failed"],
    rows,
  );
  return worst;
}

/** Both nodes twice, in an order that a steady drift cancels out of. */
async function runRound(target: number, connections: number, first: Side): Promise<Runs> {
  const second: Side = first === "with" ? "without" : "with";
  const runs: Runs = { with: [], without: [] };
  for (const side of [first, second, second, first]) runs[side].push(await run(side, shops[side].targets[target]![1], connections));
  return runs;
}

/** A node with metrics is scraped in the middle of what is counted: that is a part of what they cost. */
async function run(side: Side, target: LoadTarget, connections: number): Promise<LoadFigures> {
  const loading = load(target, connections, SECONDS, () => processorSeconds(side));
  if (side === "with") {
    await pause(1_000 + (SECONDS * 1_000) / 2);
    await expectCounted(side, true);
  }
  return loading;
}

/** @throws when a node counts its requests and should not, or the other way about: the comparison would say nothing */
async function expectCounted(side: Side, expected: boolean): Promise<void> {
  const response = await fetch(`${shops[side].system.url("cart")}/metrics`);
  const text = await response.text();
  for (const name of ["moleculer_request_total{", "http_server_request_duration_seconds_count{"]) {
    if (response.status !== 200 || text.includes(name) !== expected) throw new Error(`The node ${side} metrics answers ${response.status}, ${expected ? "without" : "with"} ${name}`);
  }
}

/** What a node has taken of a processor since it began, by its own word; a scrape is a part of what metrics cost. */
async function processorSeconds(side: Side): Promise<number> {
  const text = await (await fetch(`${shops[side].system.url("cart")}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** How much more of this a request takes with metrics. */
function costPercent(runs: Runs, figure: "processorMicroseconds" | "p50"): number {
  const mean = (side: Side): number => runs[side].reduce((sum, run) => sum + run[figure], 0) / runs[side].length;
  return (mean("with") / mean("without") - 1) * 100;
}
