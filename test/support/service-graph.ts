import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

const SERVICES = fileURLToPath(new URL("../../services/", import.meta.url));
/** `call(ctx, "order.get", …)`, over lines. */
const CALLS = /\bcall\([^"()]*(?:\([^"()]*\)[^"()]*)*"([a-z-]+)\.[a-zA-Z]+"/g;

/** Consumers of every recorded event. */
const HEAR_ALL = ["eventstore", "webhook"];

/**
 * What services know of each other: `{ from: "cart", to: "catalog", by: "call" }`, or `by` the durable event that `to`
 * hears of `from`.
 */
export interface Edge {
  from: string;
  to: string;
  by: string;
}

/** Reads the calls and events between services from their source. */
export function serviceEdges(): Edge[] {
  const channels = new Map(
    (contracts as readonly ServiceContract[]).flatMap(({ name, channels: owned = {} }) =>
      Object.keys(owned).map((channel) => [channel, name] as const),
    ),
  );
  const edges = new Map<string, Edge>();
  const add = (edge: Edge): void => {
    if (edge.from !== edge.to) edges.set(`${edge.from} ${edge.to} ${edge.by}`, edge);
  };
  for (const { name, channels: owned = {} } of contracts as readonly ServiceContract[]) {
    for (const [channel, { recorded }] of Object.entries(owned))
      if (recorded) for (const to of HEAR_ALL) add({ from: name, to, by: channel });
    for (const source of sourcesOf(join(SERVICES, name))) {
      for (const [, to] of source.matchAll(CALLS)) add({ from: name, to: to!, by: "call" });
      for (const [, channel] of source.matchAll(/(?:^|[{,])\s*"([a-z]+\.[a-z_]+)": (?!null)/gm)) {
        const owner = channels.get(channel!);
        if (owner !== undefined) add({ from: owner, to: name, by: channel! });
      }
    }
  }
  return [...edges.values()].sort((a, b) => (`${a.from} ${a.to} ${a.by}` < `${b.from} ${b.to} ${b.by}` ? -1 : 1));
}

/** Returns the picture as a Mermaid flowchart: solid arrows are calls, dotted ones durable events. */
export function mermaidOf(edges: readonly Edge[]): string {
  const calls = edges.filter(({ by }) => by === "call").map(({ from, to }) => `  ${from} --> ${to}`);
  const events = Map.groupBy(
    edges.filter(({ by }) => by !== "call"),
    ({ from, to }) => `${from} ${to}`,
  );
  const heard = [...events.values()].map(
    (of) => `  ${of[0]!.from} -. "${of.map(({ by }) => by.slice(by.indexOf(".") + 1)).join(", ")}" .-> ${of[0]!.to}`,
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
