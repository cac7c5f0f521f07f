/**
 * `npm run bench -- profile [CONNECTIONS] [split]`, 1 connection unless given: where the time of a request goes. A
 * process with all services, or with `split` (and NATS_SERVER_BIN) a gateway and a process with the services, gets each
 * kind of request that shops send most, and V8's profiler shows what the main threads do meanwhile: microseconds a
 * request, by function and by whose code it is. A process that is profiled is slower than one that is not, so what
 * counts is how they stand to each other.
 */
import { startOwnNats } from "../../../test/support/nats-server.ts";
import { untilAtRest } from "./support/at-rest.ts";
import { load } from "./support/load.ts";
import { PROFILED, listProfilers, type CallFrame, type Profile } from "./support/profiler.ts";
import { startShopUnderLoad } from "./support/shop-targets.ts";
import { GATEWAY_AND_SERVICES } from "./support/split/processes.ts";
import { printTable } from "./support/table.ts";

const SECONDS = 5;
const FUNCTIONS = 15;
const connections = Number(process.argv[2] ?? 1);
const nats = process.argv[3] === "split" ? await startOwnNats() : undefined;

const { system, targets } = await startShopUnderLoad(
  { ...PROFILED, ...(nats ? { NATS_URL: nats.url } : {}) },
  nats && GATEWAY_AND_SERVICES,
);
await untilAtRest(system.url("eventstore"));
const profilers = await listProfilers(system.output());

const rows: { name: string; times: Map<string, number> }[] = [];
for (const [name, target] of targets) {
  // V8 has compiled what it will compile.
  await load(target, connections, SECONDS);
  await Promise.all(profilers.map((profiler) => profiler.begin()));
  const { requestsPerSecond } = await load(target, connections, SECONDS);
  // With the second of its warm-up, which is in the profile.
  const requests = requestsPerSecond * (SECONDS + 1);
  for (const { services, end } of profilers) {
    const profile = await end();
    const title = profilers.length === 1 ? name : `${name}, ${services === "http" ? "the gateway" : "the services"}`;
    rows.push({ name: title, times: sumTimes(profile, findArea, requests) });
    printTable(title, ["", "us a request"], highest(sumTimes(profile, nameFunction, requests)).slice(0, FUNCTIONS));
  }
}
const areas = highest(rows.reduce((totals, { times }) => added(totals, times), new Map<string, number>())).map(
  ([area]) => area,
);
printTable(
  `By whose code, microseconds a request, ${connections} connection${connections === 1 ? "" : "s"}`,
  ["", "all", ...areas],
  rows.map(({ name, times }) => [
    name,
    [...times.values()].reduce((total, time) => total + time, 0),
    ...areas.map((area) => times.get(area) ?? 0),
  ]),
);
for (const { close } of profilers) close();
await system.stop();
await nats?.stop();
process.exit();

/** Time that each had the thread itself, without what it called; microseconds a request. */
function sumTimes(
  { nodes, samples, timeDeltas }: Profile,
  nameFrame: (frame: CallFrame) => string,
  requests: number,
): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  samples.forEach((node, index) => {
    const frame = frames.get(node)!;
    if (frame.functionName !== "(idle)")
      times.set(nameFrame(frame), (times.get(nameFrame(frame)) ?? 0) + timeDeltas[index]! / requests);
  });
  return times;
}

/** A folder of ours, a package, Node's own code, or V8's name for what is nobody's. */
function findArea({ url, functionName }: CallFrame): string {
  const packaged = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (packaged)
    return ["moleculer", "moleculer-web", "nats", "stripe"].includes(packaged) ? packaged : "other packages";
  if (url.startsWith("node:")) return "node";
  // Native functions have no file: what JavaScript calls, a write to a socket or a statement of SQLite.
  if (url === "") return functionName.startsWith("(") ? functionName : "native";
  return /\/(broker|gateway|mixins|services|sandbox|bin)\//.exec(url)?.[1] ?? "other";
}

function nameFunction({ functionName, url, lineNumber }: CallFrame): string {
  const place =
    url === ""
      ? "native"
      : `${url.replace(/^.*\/(?=node_modules\/|(?:broker|gateway|mixins|services|sandbox|bin)\/)/, "")}:${lineNumber + 1}`;
  return `${functionName || "(anonymous)"} ${place}`;
}

function highest(times: ReadonlyMap<string, number>): [string, number][] {
  return [...times].sort(([, first], [, second]) => second - first);
}

function added(totals: Map<string, number>, more: ReadonlyMap<string, number>): Map<string, number> {
  for (const [name, time] of more) totals.set(name, (totals.get(name) ?? 0) + time);
  return totals;
}
