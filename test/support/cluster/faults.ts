import { setTimeout as delay } from "node:timers/promises";
import { now } from "./balancer.ts";
import type { Cluster } from "./cluster.ts";
import type { FaultRecord, History } from "./history.ts";
import type { Engine } from "./links.ts";
import type { Member } from "./member.ts";

/** Something that goes wrong and is put right again. */
export interface Fault {
  name: string;
  target: string;
  /** Resolves when what was taken away is there again. */
  happen(): Promise<void>;
}

/** Milliseconds that something is away. */
const AWAY_MS = 10_000;

/** kill -9, and a new process at once, as a supervisor would start it. */
export function killed(member: Member): Fault {
  return { name: "kill -9", target: member.name, happen: async () => {
    await member.kill();
    await member.start();
  } };
}

export function restarted(member: Member): Fault {
  return { name: "SIGTERM", target: member.name, happen: async () => {
    await member.stop();
    await member.start();
  } };
}

/** Its connections stay, and nothing is answered. */
export function hung(member: Member, forMs = AWAY_MS): Fault {
  return { name: "SIGSTOP", target: member.name, happen: async () => {
    member.pause();
    await delay(forMs);
    member.resume();
  } };
}

export function cutFromNats({ links }: Cluster, member: Member, forMs = AWAY_MS): Fault {
  return { name: "no NATS", target: member.name, happen: async () => {
    await links.cutNats(member.name);
    await delay(forMs);
    await links.restoreNats(member.name);
  } };
}

export function natsNodeKilled({ nats }: Cluster, node: number, forMs = AWAY_MS): Fault {
  return { name: "kill -9", target: `NATS server ${node + 1}`, happen: async () => {
    await nats.kill(node);
    await delay(forMs);
    await nats.start(node);
  } };
}

/** As when the server is started again: connections end, and none is taken for a while. */
export function engineAway({ links }: Cluster, engine: Engine, forMs = 5_000): Fault {
  return { name: "away", target: engine, happen: async () => {
    await links.cut(engine);
    await delay(forMs);
    await links.restore(engine);
  } };
}

/** One of each kind, each kind of process in turn, and every server. */
export function allFaults(cluster: Cluster): Fault[] {
  const shop = cluster.members.filter(({ role }) => role !== "sandbox");
  const firsts = shop.filter(({ name }) => name.endsWith("-1"));
  const seconds = shop.filter(({ name }) => name.endsWith("-2"));
  const engines = (["mongo", "elasticsearch", "redis", "s3"] as const).filter((engine) => cluster.links.url(engine) !== undefined);
  return [
    ...firsts.map(killed),
    ...seconds.map(restarted),
    ...seconds.map((member) => hung(member)),
    ...firsts.map((member) => cutFromNats(cluster, member)),
    ...[0, 1, 2].map((node) => natsNodeKilled(cluster, node)),
    ...engines.map((engine) => engineAway(cluster, engine)),
  ];
}

/** Has it written into the history. */
export async function inflict(fault: Fault, history: History): Promise<FaultRecord> {
  const at = now();
  await fault.happen();
  const record: FaultRecord = { kind: "fault", name: fault.name, target: fault.target, at, until: now() };
  history.add(record);
  return record;
}
