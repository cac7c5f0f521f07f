import { NODE_SERVICE, type NodeStatus } from "../../broker/cluster/node-service.ts";
import { LONGEST_LOOK } from "@partline/toolkit";
import { AS_ADMIN, listing, UsageError, verbOf, type Caller, type Command } from "./command.ts";

interface KnownNode {
  id: string;
  hostname: string;
  metadata: { partline?: { version: string } } | null;
}

/** Moleculer's own `nodes` shows neither versions nor states. */
export const cluster: Command = {
  name: "cluster",
  summary: "List the nodes and how they are, or have one finish its work and leave",
  verbs: {
    nodes: {
      takes: "[part of a node's name, or what it runs, …]",
      run: async (broker, words) => {
        const all = await Promise.all(
          (await knownNodes(broker)).map(async (node) => ({ node, status: await statusOf(broker, node.id) })),
        );
        const shown = all
          .filter(({ node, status }) =>
            words.every(
              (word) =>
                node.id.includes(word) || status?.runs.some((run) => run === word || run.startsWith(`${word}:`)),
            ),
          )
          .sort((a, b) => a.node.id.localeCompare(b.node.id, "en", { numeric: true }));
        const draining = shown.filter(({ status }) => status?.state === "draining").length;
        const silent = shown.filter(({ status }) => !status).length;
        return listing(
          shown.map(({ node, status }) => ({
            node: node.id,
            state: status?.state ?? "leaving or silent",
            version: status?.version ?? node.metadata?.partline?.version,
            up: status && spanOf(status.uptimeSeconds),
            cpu: status && `${status.cpuPercent} %`,
            memory: status && `${status.memoryMb} MB`,
            serving: status?.serving,
            waiting: status?.waiting,
            runs: status && runsOf(status.runs),
          })),
          `${shown.length} of ${all.length} nodes${draining > 0 ? `, ${draining} draining` : ""}${silent > 0 ? `, ${silent} leaving or silent` : ""}`,
        );
      },
    },
    drain: verbOf("<node>", "The node", async (broker, nodeID) => {
      if (!(await knownNodes(broker)).some(({ id }) => id === nodeID))
        throw new UsageError(`There is no node ${nodeID}: cluster nodes lists them`);
      await broker.call(`${NODE_SERVICE}.drain`, {}, { ...AS_ADMIN, nodeID, timeout: LONGEST_LOOK });
      return listing([{ node: nodeID, outcome: "leaves: it finishes what it has begun, and its process ends" }]);
    }),
  },
};

async function knownNodes(broker: Caller): Promise<KnownNode[]> {
  return broker.call<KnownNode[], object>("$node.list", { onlyAvailable: true });
}

async function statusOf(broker: Caller, nodeID: string): Promise<NodeStatus | undefined> {
  return broker
    .call<NodeStatus, object>(`${NODE_SERVICE}.status`, {}, { ...AS_ADMIN, nodeID, timeout: LONGEST_LOOK })
    .catch(() => undefined);
}

/** Shows all entry points as `http`, as in SERVICES. */
function runsOf(runs: readonly string[]): string {
  const entryPoints = runs.filter((run) => run.startsWith("http:"));
  return [
    ...runs.filter((run) => !run.startsWith("http:")),
    ...(entryPoints.length > 3 ? [`http (${entryPoints.length})`] : entryPoints),
  ].join(" ");
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
