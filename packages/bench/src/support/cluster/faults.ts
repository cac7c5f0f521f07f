import { setTimeout as delay } from "node:timers/promises";
import { now } from "./balancer.ts";
import type { Cluster } from "./cluster.ts";
import { restartEngine } from "./engines.ts";
import type { FaultName, FaultRecord, History } from "./history.ts";
import { ENGINES, type Engine } from "./links.ts";
import type { Member } from "./member.ts";

/** Something that goes wrong and is put right again. */
export interface Fault {
  name: FaultName;
  target: string;
  /** The process that it happens to, where it is one of ours. */
  member?: Member;
  /** Resolves when what was taken away is there again. */
  run(): Promise<void>;
}

/** Milliseconds that something is away. */
const AWAY_MS = 10_000;
/** More than a lease lasts, and half of what signed packets allow for (docs/trust.md). */
const CLOCK_WRONG_MS = 60_000;

/** kill -9, and a new process at once, as a supervisor would start it. */
export function killed(member: Member): Fault {
  return {
    name: "kill -9",
    target: member.name,
    member,
    run: async () => {
      await member.kill();
      await member.start();
    },
  };
}

/** Stopped and started again with the code of this checkout. */
export function restarted(member: Member): Fault {
  return {
    name: "SIGTERM",
    target: member.name,
    member,
    run: async () => {
      await member.stop();
      member.upgrade();
      await member.start();
    },
  };
}

/** Its connections stay, and nothing is answered. */
export function hung(member: Member, forMs = AWAY_MS): Fault {
  return {
    name: "SIGSTOP",
    target: member.name,
    member,
    run: async () => {
      member.pause();
      await delay(forMs);
      member.resume();
    },
  };
}

export function cutFromNats({ links }: Cluster, member: Member, forMs = AWAY_MS): Fault {
  return {
    name: "no NATS",
    target: member.name,
    member,
    run: async () => {
      await links.cutNats(member.name);
      await delay(forMs);
      await links.restoreNats(member.name);
    },
  };
}

/** Its host is cut off from NATS and MongoDB, and its clients still reach it. */
function isolateMember({ links }: Cluster, member: Member, forMs = AWAY_MS): Fault {
  return {
    name: "isolated",
    target: member.name,
    member,
    run: async () => {
      links.isolate(member.name);
      await delay(forMs);
      await links.restoreMember(member.name);
    },
  };
}

/** It has a fifth of its processor. */
function slowDown(member: Member, forMs = 2 * AWAY_MS): Fault {
  return {
    name: "slow",
    target: member.name,
    member,
    run: async () => {
      for (const until = now() + forMs; now() < until;) {
        member.pause();
        await delay(80);
        member.resume();
        await delay(20);
      }
    },
  };
}

/** Stopped, and for a while there with a clock that is wrong. */
function setWrongClock(member: Member, offsetMs: number, forMs = 2 * AWAY_MS): Fault {
  return {
    name: "wrong clock",
    target: `${member.name}, by ${offsetMs / 1_000} s`,
    member,
    run: async () => {
      member.setClock(offsetMs);
      await member.stop();
      await member.start();
      await delay(forMs);
      member.setClock(0);
      await member.stop();
      await member.start();
    },
  };
}

/** Two of three are gone: nothing can be written to the third. */
function loseNatsQuorum({ nats }: Cluster, forMs = AWAY_MS): Fault {
  return {
    name: "no quorum",
    target: "NATS servers 1 and 2",
    run: async () => {
      await Promise.all([0, 1].map((node) => nats.kill(node)));
      await delay(forMs);
      await Promise.all([0, 1].map((node) => nats.start(node)));
    },
  };
}

export function natsNodeKilled({ nats }: Cluster, node: number, forMs = AWAY_MS): Fault {
  return {
    name: "kill -9",
    target: `NATS server ${node + 1}`,
    run: async () => {
      await nats.kill(node);
      await delay(forMs);
      await nats.start(node);
    },
  };
}

/** Connections end, and none is taken for a while. */
function engineCutOff({ links }: Cluster, engine: Engine, forMs = 5_000): Fault {
  return {
    name: "cut off",
    target: engine,
    run: async () => {
      await links.cut(engine);
      await delay(forMs);
      await links.restore(engine);
    },
  };
}

function engineRestarted({ links }: Cluster, engine: Engine, scripts: string): Fault {
  return { name: "restart", target: engine, run: () => restartEngine(scripts, engine, links.url(engine)!) };
}

/**
 * One of each kind, each kind of process in turn, and every server.
 * @param stackScripts see `serverFaults`
 */
export function allFaults(cluster: Cluster, stackScripts?: string): Fault[] {
  const shop = cluster.members.filter(({ role }) => role !== "sandbox");
  const firsts = shop.filter(({ name }) => name.endsWith("-1"));
  const seconds = shop.filter(({ name }) => name.endsWith("-2"));
  return [
    // First: what a killed process was writing stays locked for a while, which is none of theirs.
    ...seconds.map(restarted),
    ...firsts.map(killed),
    ...seconds.map((member) => hung(member)),
    ...firsts.map((member) => cutFromNats(cluster, member)),
    ...serverFaults(cluster, stackScripts),
  ];
}

/** What goes wrong between hosts and in their clocks, for each kind of process. */
export function listHostFaults(cluster: Cluster): Fault[] {
  const shop = cluster.members.filter(({ role }) => role !== "sandbox");
  const firsts = shop.filter(({ name }) => name.endsWith("-1"));
  const seconds = shop.filter(({ name }) => name.endsWith("-2"));
  return [
    ...firsts.map((member) => isolateMember(cluster, member)),
    ...seconds.map((member) => slowDown(member)),
    ...firsts.map((member, index) => setWrongClock(member, index % 2 === 0 ? CLOCK_WRONG_MS : -CLOCK_WRONG_MS)),
    loseNatsQuorum(cluster),
  ];
}

/**
 * @param stackScripts the folder with the scripts that stop and start the engines; without it, the ways to them are cut
 */
export function serverFaults(cluster: Cluster, stackScripts?: string): Fault[] {
  const engines = ENGINES.filter((engine) => cluster.links.url(engine) !== undefined);
  return [
    ...[0, 1, 2].map((node) => natsNodeKilled(cluster, node)),
    ...engines.map((engine) =>
      stackScripts === undefined ? engineCutOff(cluster, engine) : engineRestarted(cluster, engine, stackScripts),
    ),
  ];
}

/** Has it written into the history. */
export async function inflict({ name, target, member, run }: Fault, history: History): Promise<FaultRecord> {
  const node = member?.node;
  const startedAt = now();
  await run();
  const record: FaultRecord = {
    kind: "fault",
    name,
    target,
    ...(node === undefined ? {} : { node }),
    at: startedAt,
    until: now(),
  };
  history.add(record);
  return record;
}
