/**
 * Where the time of a request goes: a process with all services gets each kind of request that shops send most, and V8's profiler tells what its
 * main thread does meanwhile, by whose code it is and by function. Microseconds a request; a profiled process is slower than one that is not, so what counts
 * is how they stand to each other. `npm run bench -- profile [CONNECTIONS]`, 1 unless given
 */
import { untilAtRest } from "./support/at-rest.ts";
import { load } from "./support/load.ts";
import { inspectorOf, profileWhile, type CallFrame, type Profile } from "./support/profiler.ts";
import { startShopUnderLoad } from "./support/shop-targets.ts";
import { printTable } from "./support/table.ts";

const SECONDS = 5;
const FUNCTIONS = 12;
const connections = Number(process.argv[2] ?? 1);

const { system, targets } = await startShopUnderLoad({ NODE_OPTIONS: "--inspect=127.0.0.1:0" });
const inspector = inspectorOf(system.output());
await untilAtRest(system.url("gateway"));

const areas: { name: string; total: number; times: Map<string, number> }[] = [];
for (const [name, target] of targets) {
  // V8 has compiled what it will compile.
  await load(target, connections, SECONDS);
  let requests = 0;
  const profile = await profileWhile(inspector, async () => {
    const { requestsPerSecond } = await load(target, connections, SECONDS);
    // With the second of its warm-up, which is in the profile.
    requests = requestsPerSecond * (SECONDS + 1);
  });
  const times = timesOf(profile, areaOf);
  areas.push({ name, times: new Map([...times].map(([area, time]) => [area, time / requests])), total: sum(times.values()) / requests });
  printTable(name, ["", "us a request"], highest(timesOf(profile, functionOf)).slice(0, FUNCTIONS).map(([of, time]) => [of, time / requests]));
}
const columns = highest(areas.reduce((all, { times }) => added(all, times), new Map<string, number>())).map(([area]) => area);
printTable(`By whose code, microseconds a request, ${connections} connection${connections === 1 ? "" : "s"}`, ["", "all", ...columns], areas.map(({ name, total, times }) => [
  name, total, ...columns.map((column) => times.get(column) ?? 0),
]));
await system.stop();

/** Time that each had the thread itself, without what it called; microseconds. */
function timesOf({ nodes, samples, timeDeltas }: Profile, of: (frame: CallFrame) => string): Map<string, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  samples.forEach((node, index) => {
    const frame = frames.get(node)!;
    if (frame.functionName !== "(idle)") times.set(of(frame), (times.get(of(frame)) ?? 0) + timeDeltas[index]!);
  });
  return times;
}

/** A folder of ours, a package, Node's own code, or V8's name for what is nobody's. */
function areaOf({ url, functionName }: CallFrame): string {
  const packaged = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url);
  if (packaged) return packaged[1]!.startsWith("moleculer") ? packaged[1]! : "other packages";
  if (url.startsWith("node:")) return "node";
  // Native functions have no file: what JavaScript calls, a write to a socket or a statement of SQLite.
  if (url === "") return functionName.startsWith("(") ? functionName : "native";
  return /\/(broker|gateway|mixins|services|sandbox|bin)\//.exec(url)?.[1] ?? "other";
}

function functionOf({ functionName, url, lineNumber }: CallFrame): string {
  return [functionName || "(anonymous)", url === "" ? "native" : `${url.replace(/^.*\/(?=node_modules\/|(?:broker|gateway|mixins|services|sandbox|bin)\/)/, "")}:${lineNumber + 1}`].join(" ");
}

function highest(times: ReadonlyMap<string, number>): [string, number][] {
  return [...times].sort(([, one], [, other]) => other - one);
}

function added(all: Map<string, number>, more: ReadonlyMap<string, number>): Map<string, number> {
  for (const [name, time] of more) all.set(name, (all.get(name) ?? 0) + time);
  return all;
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
