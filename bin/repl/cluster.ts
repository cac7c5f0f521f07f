import { NODE_SERVICE, type NodeStatus } from "../../broker/cluster/node-service.ts";
import { LONGEST_LOOK } from "@partline/toolkit";
import { AS_ADMIN, toListing, UsageError, createVerb, type Caller, type Command } from "./command.ts";

interface KnownNode {
  id: string;
  hostname: string;
  metadata: { partline?: { version: string } } | null;
}

/** Moleculer's own `nodes` shows neither versions nor states. */
export const cluster: Command = {
  name: "cluster",
  summary: "List nodes and their state, or drain one",
  verbs: {
    nodes: {
      takes: "[part of a node's name, or what it runs, …]",
      run: async (broker, words) => {
        const nodes = await Promise.all(
          (await listNodes(broker)).map(async (node) => ({ node, status: await findStatus(broker, node.id) })),
        );
        const shownNodes = nodes
          .filter(({ node, status }) =>
            words.every(
              (word) =>
                node.id.includes(word) || status?.runs.some((run) => run === word || run.startsWith(`${word}:`)),
            ),
          )
          .sort((a, b) => a.node.id.localeCompare(b.node.id, "en", { numeric: true }));
        const draining = shownNodes.filter(({ status }) => status?.state === "draining").length;
        const silent = shownNodes.filter(({ status }) => !status).length;
        return toListing(
          shownNodes.map(({ node, status }) => ({
            node: node.id,
            state: status?.state ?? "leaving or silent",
            version: status?.version ?? node.metadata?.partline?.version,
            up: status && formatSpan(status.uptimeSeconds),
            cpu: status && `${status.cpuPercent} %`,
            memory: status && `${status.memoryMb} MB`,
            serving: status?.serving,
            waiting: status?.waiting,
            runs: status && formatRuns(status.runs),
          })),
          `${shownNodes.length} of ${nodes.length} nodes${draining > 0 ? `, ${draining} draining` : ""}${silent > 0 ? `, ${silent} leaving or silent` : ""}`,
        );
      },
    },
    drain: createVerb("<node>", "The node", async (broker, nodeID) => {
      if (!(await listNodes(broker)).some(({ id }) => id === nodeID))
        throw new UsageError(`No node is called ${nodeID}; cluster nodes lists them`);
      await broker.call(`${NODE_SERVICE}.drain`, {}, { ...AS_ADMIN, nodeID, timeout: LONGEST_LOOK });
      return toListing([{ node: nodeID, outcome: "draining: it finishes its work, then its process ends" }]);
    }),
  },
};

async function listNodes(broker: Caller): Promise<KnownNode[]> {
  return broker.call<KnownNode[], object>("$node.list", { onlyAvailable: true });
}

async function findStatus(broker: Caller, nodeID: string): Promise<NodeStatus | undefined> {
  return broker
    .call<NodeStatus, object>(`${NODE_SERVICE}.status`, {}, { ...AS_ADMIN, nodeID, timeout: LONGEST_LOOK })
    .catch(() => undefined);
}

/** Shows all entry points as `http`, as in SERVICES. */
function formatRuns(runs: readonly string[]): string {
  const entryPoints = runs.filter((run) => run.startsWith("http:"));
  return [
    ...runs.filter((run) => !run.startsWith("http:")),
    ...(entryPoints.length > 3 ? [`http (${entryPoints.length})`] : entryPoints),
  ].join(" ");
}

function formatSpan(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
