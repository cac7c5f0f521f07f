import { writeFileSync } from "node:fs";
import { printTable } from "../table.ts";
import {
  assignProcesses,
  type AssumedStore,
  findBottleneck,
  type Mix,
  rankCapacities,
  runDeployment,
} from "./deployment.ts";
import { drawPlot } from "./plot.ts";
import type { Times } from "./times.ts";

/** Of all shoppers, for an order. */
const MIX: Mix = { search: 20, cart: 2, checkout: 1, webhook: 1 };

/** Assumed, except for the relay: `bench -- channels` (5,771 events/s). */
const STORE: AssumedStore = { shards: 1, processors: 8, command: 0.0001, commit: 0.002, relay: 1 / 5_771 };
const MEMBERS = 3;

const NODES = [1, 2, 4, 10, 20, 50, 100, 200];
/** How full stations are in what is advised. */
const LOAD = 0.7;
/** Orders that are simulated for a row. */
const ORDERS = 500;

const MARKET = { perSecond: 2_000, parts: 50e6, eventsAMonth: 500e6, bytes: 2_000 };
const HOURS_A_MONTH = 730;

/** What is shared, and how it is divided. */
const REMEDIES: Record<string, string> = {
  store: "shards by the ids of carts, orders, customers and aggregates",
  "order numbers": "ranges of numbers, leased by each process",
  "event positions": "a log for each part of the aggregates",
};
const nameRemedy = (group: string): string => REMEDIES[group] ?? `another process: ${group}`;

/** Prints what so many nodes of a core carry over a store, and what an order costs; money for an hour of a core. */
export function printPrediction(times: Times, price: number, plotFile?: string): void {
  const points = NODES.map((nodes) => ({ nodes, ...measureNodes(times, nodes) }));
  printTable(
    `Predicted: nodes of one core over a store of ${STORE.processors} cores; ${MIX.search} searches for an order`,
    [
      ...["nodes", "orders/s", `webhook p50 ms at ${LOAD * 100} %`, "p99 ms", "core-hours for 1,000 orders"],
      ...["money", "fullest", "full %", "removed by"],
    ],
    points.map(({ nodes, perSecond, p50, p99, coreHours, fullest, utilisation }) => [
      ...[String(nodes), perSecond, p50 * 1_000, p99 * 1_000, coreHours * 1_000],
      ...[coreHours * 1_000 * price, fullest, utilisation * 100, nameRemedy(fullest)],
    ]),
  );
  printLoss(times);
  printMarketplace(times, price);
  if (plotFile) writeFileSync(plotFile, drawPlot(points));
}

function createDeployment(times: Times, nodes: number) {
  return { ...assignProcesses(times, nodes, MIX), share: 1, store: STORE, mix: MIX };
}

/** Orders a second of the first station that is full, of those that `REMEDIES` names or of the others. */
function findLimit(times: Times, nodes: number, isWanted: (group: string) => boolean): number {
  const ranked = rankCapacities(createDeployment(times, nodes));
  return ranked.find(({ group }) => isWanted(group))?.perSecond ?? Infinity;
}
const isShared = (group: string): boolean => group in REMEDIES;

function measureNodes(times: Times, nodes: number) {
  const deployment = createDeployment(times, nodes);
  const limit = findLimit(times, nodes, () => true);
  const seconds = Math.max(5, ORDERS / limit);
  const { perSecond, utilisation } = runDeployment(deployment, { clients: Math.ceil(limit * 4) + 2 }, seconds);
  const [fullest, full] = findBottleneck(utilisation);
  const steady = runDeployment(deployment, { perSecond: perSecond * LOAD }, seconds);
  const { p50, p99 } = steady.times.webhook ?? { p50: NaN, p99: NaN };
  const cores = nodes + STORE.shards * STORE.processors * MEMBERS;
  const coreHours = cores / (3_600 * perSecond * LOAD);
  const alone = findLimit(times, nodes, (group) => !isShared(group));
  return { perSecond, p50, p99, coreHours, fullest, utilisation: full, alone };
}

function printLoss(times: Times): void {
  const deployment = createDeployment(times, 10);
  const load = { perSecond: findLimit(times, 10, () => true) * 0.5 };
  const rows = [undefined, { from: 30, until: 40 }].map((away) => {
    const { arrivals, failures, times: simulated } = runDeployment({ ...deployment, away }, load, 90);
    const failed = (failures / arrivals) * 100;
    return [away ? "a gateway is gone for 10 s" : "all are there", failed, (simulated.webhook?.p99 ?? NaN) * 1_000];
  });
  printTable("Predicted: 10 nodes at half their load, for 90 s", ["", "failed visits %", "webhook p99 ms"], rows);
}

function printMarketplace(times: Times, price: number): void {
  const nodes = Math.ceil((100 * MARKET.perSecond) / findLimit(times, 100, (group) => !isShared(group)) / LOAD);
  const shards = Math.ceil(MARKET.perSecond / findLimit(times, 100, (group) => group === "store") / LOAD);
  const cores = nodes + shards * STORE.processors * MEMBERS;
  printTable(
    `Predicted: a marketplace of ${MARKET.parts / 1e6} million parts and ${MARKET.perSecond} orders/s`,
    ["", "value"],
    [
      ["nodes of one core", nodes],
      [`shards of ${STORE.processors} cores, ${MEMBERS} members each`, shards],
      ["terabytes of parts", (MARKET.parts * MARKET.bytes) / 1e12],
      ["terabytes of events a month", (MARKET.eventsAMonth * MARKET.bytes) / 1e12],
      ["money a month, at the peak all the time", cores * price * HOURS_A_MONTH],
      ["money for 1,000 orders", (cores * price * 1_000) / (3_600 * MARKET.perSecond)],
    ],
  );
  const limits = rankCapacities(createDeployment(times, 1_000)).filter(({ group }) => isShared(group));
  printTable(
    "Predicted: what is full first on the way there, of what all nodes share",
    ["", "orders/s at most", "removed by"],
    limits.map(({ group, perSecond }) => [group, perSecond, nameRemedy(group)]),
  );
}
