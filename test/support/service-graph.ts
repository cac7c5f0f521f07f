import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

const SERVICES = fileURLToPath(new URL("../../services/", import.meta.url));
/** `call(ctx, "order.get", …)`, over lines. */
const CALLS = /\bcall\([^"()]*(?:\([^"()]*\)[^"()]*)*"([a-z-]+)\.[a-zA-Z]+"/g;
/** `broker.broadcast("eventstore.appended", …)`: a plain event. */
const BROADCASTS = /\bbroadcast\(\s*"([a-z.]+)"/g;
/** `"eventstore.appended": …` among the events that a service hears, durable or plain. */
const HEARD = /(?:^|[{,])\s*"([a-z]+\.[a-z_]+)": (?!null)/gm;
/** Takes the durable events of all contracts (broker/runtime.ts): hears every one that is recorded. */
const HEARS_ALL = /\bevents\b[^{}]*\} = getServiceRuntime\(/;

/**
 * What services know of each other: `{ from: "cart", to: "catalog", by: "call" }`, or `by` the event that `to` hears of
 * `from`: a durable one unless it `isPlain`.
 */
export interface Edge {
  from: string;
  to: string;
  by: string;
  isPlain?: true;
}

/** Reads the calls and events between services from their source. */
export function serviceEdges(): Edge[] {
  const services = (contracts as readonly ServiceContract[]).map(({ name, channels = {} }) => ({
    name,
    durable: Object.entries(channels),
    sources: sourcesOf(join(SERVICES, name)),
  }));
  const hearsAll = services.filter(({ sources }) => sources.some((source) => HEARS_ALL.test(source)));
  const sent = new Map<string, Pick<Edge, "from" | "isPlain">>();
  for (const { name, durable, sources } of services) {
    for (const [channel] of durable) sent.set(channel, { from: name });
    for (const source of sources)
      for (const [, event] of source.matchAll(BROADCASTS)) sent.set(event!, { from: name, isPlain: true });
  }
  const edges = new Map<string, Edge>();
  const add = (edge: Edge): void => {
    if (edge.from !== edge.to) edges.set(`${edge.from} ${edge.to} ${edge.by}`, edge);
  };
  for (const { name, durable, sources } of services) {
    for (const [channel, { recorded }] of durable)
      if (recorded) for (const to of hearsAll) add({ from: name, to: to.name, by: channel });
    for (const source of sources) {
      for (const [, to] of source.matchAll(CALLS)) add({ from: name, to: to!, by: "call" });
      for (const [, event] of source.matchAll(HEARD)) {
        const sender = sent.get(event!);
        if (sender) add({ ...sender, to: name, by: event! });
      }
    }
  }
  return [...edges.values()].sort((a, b) => (`${a.from} ${a.to} ${a.by}` < `${b.from} ${b.to} ${b.by}` ? -1 : 1));
}

/**
 * Returns the picture as a Mermaid flowchart: solid arrows are calls, dotted ones events, plain ones in parentheses.
 */
export function mermaidOf(edges: readonly Edge[]): string {
  const calls = edges.filter(({ by }) => by === "call").map(({ from, to }) => `  ${from} --> ${to}`);
  const events = Map.groupBy(
    edges.filter(({ by }) => by !== "call"),
    ({ from, to }) => `${from} ${to}`,
  );
  const labelOf = ({ by, isPlain }: Edge): string => {
    const event = by.slice(by.indexOf(".") + 1);
    return isPlain ? `(${event})` : event;
  };
  const heard = [...events.values()].map(
    (of) => `  ${of[0]!.from} -. "${of.map(labelOf).join(", ")}" .-> ${of[0]!.to}`,
  );
  return ["flowchart LR", ...calls, ...heard].join("\n");
}

/** Returns the pairs of services that call each other, however many calls lie between. */
export function circlesOf(edges: readonly Edge[]): string[] {
  const called = Map.groupBy(
    edges.filter(({ by }) => by === "call"),
    ({ from }) => from,
  );
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const { to } of called.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  const names = [...called.keys()].sort();
  return names.flatMap((a) =>
    names.filter((b) => a < b && reached(a).has(b) && reached(b).has(a)).map((b) => `${a} <-> ${b}`),
  );
}

function sourcesOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith("contract.ts"),
  );
  return files.map((path) => readFileSync(join(folder, path), "utf8"));
}
