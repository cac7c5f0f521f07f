import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { freePorts } from "./ports.ts";

/** nats-server's binary; without it, tests that stop a server are skipped. */
export const NATS_SERVER = process.env.NATS_SERVER_BIN;

/** A cluster is well once it has a leader: where nodes were killed, the others may need several elections for one. */
const HEALTHY_MS = 90_000;

export interface OwnNats {
  /** Comma list, as in NATS_URL. */
  url: string;
  /** Addresses for HTTP monitoring, in the order of the nodes. */
  monitors: string[];
  /** SIGKILL of one node. */
  kill(node?: number): Promise<void>;
  /** The node again, over what it had written. */
  start(node?: number): Promise<void>;
  /** Writes another configuration and has the nodes read it. */
  configure(configuration: string): void;
  stop(): Promise<void>;
}

/**
 * Servers of our own, which a test may stop: `nodes` of them in a cluster.
 * @param configuration what their file holds, beside what makes them ours
 * @param advertise whether the servers announce to their clients each other's addresses, by which those would find a
 * way round a proxy
 */
export async function startOwnNats({
  nodes = 1,
  jetStream = true,
  configuration = "",
  advertise = true,
} = {}): Promise<OwnNats> {
  const ports = await freePorts(nodes * 3);
  const storage = mkdtempSync(join(tmpdir(), "partline-nats-"));
  const fileOf = (node: number): string => join(storage, `${node}.conf`);
  const portsOf = (node: number) => ({
    client: ports + node * 3,
    monitor: ports + node * 3 + 1,
    route: ports + node * 3 + 2,
  });
  const all = Array.from({ length: nodes }, (_, node) => node);
  const running: (ChildProcess | undefined)[] = [];
  const routes = all.map((node) => `"nats://127.0.0.1:${portsOf(node).route}"`).join(", ");
  const clusterOf = (node: number): string =>
    `cluster { name: own, listen: "127.0.0.1:${portsOf(node).route}", routes: [${routes}], no_advertise: ${!advertise} }`;
  // A server that was given its name, or its cluster, otherwise does not read its file again.
  const configure = (text: string): void =>
    all.forEach((node) =>
      writeFileSync(
        fileOf(node),
        [`server_name: own-${node}`, ...(nodes > 1 ? [clusterOf(node)] : []), text, ""].join("\n"),
      ),
    );

  const launch = (node: number): void => {
    const { client, monitor } = portsOf(node);
    const stored = jetStream ? ["-js", "-sd", join(storage, String(node))] : [];
    running[node] = spawn(
      NATS_SERVER!,
      ["-c", fileOf(node), "-a", "127.0.0.1", "-p", String(client), "-m", String(monitor), ...stored],
      { stdio: "ignore" },
    );
  };
  // Their parent may die of an error.
  process.once("exit", () => running.forEach((server) => server?.kill("SIGKILL")));
  const healthy = (node: number, question = "") =>
    eventually(async () => {
      // One of its ports was another's for a moment: a search for free ones opens them.
      if (running[node]!.exitCode !== null) launch(node);
      return (await fetch(`http://127.0.0.1:${portsOf(node).monitor}/healthz${question}`)).status === 200;
    }, HEALTHY_MS);
  const kill = async (node = 0): Promise<void> => {
    const server = running[node];
    if (!server) return;
    running[node] = undefined;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  };

  configure(configuration);
  for (const node of all) launch(node);
  await Promise.all(all.map((node) => healthy(node)));
  return {
    url: all.map((node) => `nats://127.0.0.1:${portsOf(node).client}`).join(","),
    monitors: all.map((node) => `http://127.0.0.1:${portsOf(node).monitor}`),
    kill,
    start: async (node = 0) => {
      launch(node);
      // A node that comes back may catch up with its cluster for minutes: who needs that waits for what needs it.
      await healthy(node, "?js-enabled-only=true");
    },
    configure: (changed) => {
      configure(changed);
      for (const server of running) server?.kill("SIGHUP");
    },
    stop: async () => {
      await Promise.all(all.map(kill));
    },
  };
}
