/**
 * What watching costs: a node as users run it beside one without metrics, each under the same requests in turns, so
 * that a machine that gets slower or warmer meanwhile weighs on both alike. What counts is the processor time that a
 * request takes of the node: on a shared machine times by the clock spread far more than the cost. `npm run bench --
 * metrics [ROUNDS]`
 */
import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { load, type LoadFigures } from "./support/load.ts";
import { startShopUnderLoad, type ShopUnderLoad } from "./support/shop-targets.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const AIM_PERCENT = 10;
const SECONDS = 2;
const ROUNDS = Number(process.argv[2] ?? 5);

type Side = "with" | "without";
type Runs = Record<Side, LoadFigures[]>;
type Shops = Record<Side, ShopUnderLoad>;

const WITHOUT_METRICS = new URL("./support/without-metrics/preload.ts", import.meta.url).href;

const CONNECTIONS = [1, 50] as const;

/** Measurements of the rounds, for each kind of request and number of connections, in the order of the targets. */
const measured = new Map<(typeof CONNECTIONS)[number], Map<string, Runs[]>>(
  CONNECTIONS.map((connections) => [connections, new Map()]),
);
for (let round = 0; round < ROUNDS; round++) await measureRound(round % 2 === 0 ? "with" : "without");
const worst = Math.max(...CONNECTIONS.map(print));
console.log(
  `\nThe highest cost is ${worst.toFixed(1)} %; the aim of at most ${AIM_PERCENT} % ${worst <= AIM_PERCENT ? "holds" : "does not hold"}.`,
);

/**
 * With two new nodes: how V8 happens to have compiled one of them weighs as much as metrics do, and stays as long as it
 * lives.
 */
async function measureRound(first: Side): Promise<void> {
  const shops = await startShops(first);
  try {
    for (const connections of CONNECTIONS) {
      for (const [index, [name]] of shops.with.targets.entries()) {
        const rounds = measured.get(connections)!;
        rounds.set(name, [...(rounds.get(name) ?? []), await inTurns(shops, index, connections, first)]);
      }
    }
    await expectCounted(shops.without, false);
  } finally {
    // Hundreds of megabytes of carts.
    await Promise.all(
      Object.values(shops).map(({ system }) => system.stop().then(() => rm(system.dataDir, { recursive: true }))),
    );
  }
}

async function startShops(first: Side): Promise<Shops> {
  const start = (side: Side): Promise<ShopUnderLoad> =>
    startShopUnderLoad(side === "with" ? {} : { NODE_OPTIONS: `--import=${WITHOUT_METRICS}` });
  const firstShop = await start(first);
  const secondShop = await start(otherThan(first));
  return first === "with" ? { with: firstShop, without: secondShop } : { with: secondShop, without: firstShop };
}

/** Prints a row for each kind of request, and answers the highest of their costs, in percent. */
function print(connections: (typeof CONNECTIONS)[number]): number {
  const rows: (string | number)[][] = [];
  let worst = -Infinity;
  for (const [name, rounds] of measured.get(connections)!) {
    const costs = rounds.map((runs) => costPercent(runs, "processorMicroseconds"));
    worst = Math.max(worst, median(costs));
    const computeMedian = (side: Side, figure: keyof LoadFigures): number =>
      median(rounds.flatMap((runs) => runs[side].map((run) => run[figure])));
    const failed = rounds.flatMap((runs) => [...runs.with, ...runs.without]).reduce((sum, run) => sum + run.failed, 0);
    rows.push([
      name,
      ...(["p50", "p99", "processorMicroseconds"] as const).flatMap((figure) => [
        computeMedian("without", figure),
        computeMedian("with", figure),
      ]),
      median(costs),
      Math.min(...costs),
      Math.max(...costs),
      median(rounds.map((runs) => costPercent(runs, "p50"))),
      failed,
    ]);
  }
  printTable(
    `Metrics off and on, ${connections} connection${connections === 1 ? "" : "s"}, rounds: ${ROUNDS} (aim: a cost of at most ${AIM_PERCENT} %)`,
    [
      "",
      "p50 ms off",
      "on",
      "p99 ms off",
      "on",
      "processor us off",
      "on",
      "cost %",
      "lowest",
      "highest",
      "p50 cost %",
      "failed",
    ],
    rows,
  );
  return worst;
}

/** Both nodes twice, in an order that a steady drift cancels out of. */
async function inTurns(shops: Shops, target: number, connections: number, first: Side): Promise<Runs> {
  const second = otherThan(first);
  const runs: Runs = { with: [], without: [] };
  for (const side of [first, second, second, first]) runs[side].push(await run(side, shops[side], target, connections));
  return runs;
}

/** A node with metrics is scraped in the middle of what is counted: that is a part of what they cost. */
async function run(side: Side, shop: ShopUnderLoad, target: number, connections: number): Promise<LoadFigures> {
  const loading = load(shop.targets[target]![1], connections, SECONDS, () => processorSeconds(shop));
  if (side === "with") {
    await pause(1_000 + (SECONDS * 1_000) / 2);
    await expectCounted(shop, true);
  }
  return loading;
}

/** @throws when a node counts its requests and should not, or the other way about: the comparison would say nothing */
async function expectCounted({ system }: ShopUnderLoad, expected: boolean): Promise<void> {
  const response = await fetch(`${system.url("cart")}/metrics`);
  const text = await response.text();
  for (const name of ["moleculer_request_total{", "http_server_request_duration_seconds_count{"]) {
    if (response.status !== 200 || text.includes(name) !== expected)
      throw new Error(
        `A node ${expected ? "with" : "without"} metrics answers ${response.status}, ${expected ? "without" : "with"} ${name}`,
      );
  }
}

/** Reads the processor time of a node from its own metrics; the scrape is part of what metrics cost. */
async function processorSeconds({ system }: ShopUnderLoad): Promise<number> {
  const text = await (await fetch(`${system.url("cart")}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** Computes how much more of this a request takes with metrics. */
function costPercent(runs: Runs, figure: "processorMicroseconds" | "p50"): number {
  const mean = (side: Side): number => runs[side].reduce((sum, run) => sum + run[figure], 0) / runs[side].length;
  return (mean("with") / mean("without") - 1) * 100;
}

function otherThan(side: Side): Side {
  return side === "with" ? "without" : "with";
}
