import { type Flow, runScenario, type Simulated, type Station, type Step } from "./simulate.ts";
import {
  AT_ONCE,
  computeCost,
  type Kind,
  LAYOUTS,
  type LayoutTimes,
  OPERATIONS,
  type Operation,
  type Times,
} from "./times.ts";

/**
 * An operation goes from its processes to the store and back, so many times at most, for so many commands each time.
 */
const MOST_ROUNDS = 12;
const COMMANDS_A_ROUND = 4;

/** Of processor times, by their mean: measured ones vary so, by what is collected and compiled meanwhile. */
const SPREAD = [0.4, 0.6, 0.8, 1, 1.2, 2];

/** Events that an operation leaves in the outbox. */
const EVENTS: Record<Operation, number> = { search: 1, cart: 1, checkout: 1, webhook: 2 };

/** Commands of a transaction that writes a document which one process at a time can write. */
const TRANSACTION_COMMANDS = 8;

/** Stations that do no work of their own. */
const TURNS = new Set(["order numbers", "event positions"]);

/** Operations of all shoppers for an order. */
export type Mix = Record<Operation, number>;
const ONE_OF_EACH: Mix = { search: 1, cart: 1, checkout: 1, webhook: 1 };

/** A store that nothing here measures: what is assumed of it, in seconds. */
export interface AssumedStore {
  shards: number;
  /** Of the member of a shard that answers. */
  processors: number;
  command: number;
  /** Of a transaction's last command, until a majority has it. */
  commit: number;
  /** An event from the outbox to JetStream. */
  relay: number;
}

export interface Deployment {
  times: LayoutTimes;
  processes: readonly Kind[];
  /** Of a processor, for each process. */
  share: number;
  /** Unless it is the one that was measured. */
  store?: AssumedStore;
  mix?: Mix;
  /** Of a shopper who pays, seconds. */
  thinking?: number;
  /** The first process is gone from then until then. */
  away?: { from: number; until: number };
}

export function runDeployment(
  deployment: Deployment,
  load: { clients: number } | { perSecond: number },
  seconds: number,
): Simulated {
  const flows = createFlows(deployment);
  const stations = createStations(deployment);
  return runScenario({ stations, flows, load, seconds, warmUp: seconds / 5, seed: "scale" });
}

/** Orders a second that each group of stations can carry, the least first; not of those that serve many together. */
export function rankCapacities(deployment: Deployment): { group: string; perSecond: number }[] {
  const costs = new Map<string, number>();
  const addCosts = (steps: readonly Step[]): void => {
    for (const { group, seconds, inner } of steps) {
      costs.set(group, (costs.get(group) ?? 0) + seconds);
      addCosts(inner ?? []);
    }
  };
  for (const { steps, following } of createFlows(deployment)) addCosts([...steps, ...following]);
  return [...Map.groupBy(createStations(deployment), ({ group }) => group)]
    .map(([group, members]) => {
      const power = members.reduce((sum, { servers, speed, busy }) => sum + (servers * speed) / (busy?.share ?? 1), 0);
      return { group, perSecond: power / (costs.get(group) ?? 0) };
    })
    .filter(({ perSecond }) => Number.isFinite(perSecond))
    .sort((least, most) => least.perSecond - most.perSecond);
}

/** Returns what bounds a deployment: the fullest that works, and only where none is full what is held in turns. */
export function findBottleneck(utilisation: Simulated["utilisation"]): [group: string, utilisation: number] {
  const ranked = Object.entries(utilisation).sort(([, least], [, most]) => most - least);
  const working = ranked.find(([group]) => !TURNS.has(group));
  return (working && working[1] > 0.9 ? working : ranked[0]) ?? ["", 0];
}

/** Gives each kind of process so many copies that none is much busier than another; two each from eight on. */
export function assignProcesses({ layouts }: Times, count: number, mix: Mix): Pick<Deployment, "times" | "processes"> {
  const name = count === 1 ? "one" : count < 4 ? "two" : "four";
  const times = layouts[name];
  const demands = LAYOUTS[name].map((kind) => {
    const perOrder = OPERATIONS.reduce((sum, step) => sum + mix[step] * computeCost(times.operations[step], kind), 0);
    const demand = (perOrder * (times.busy[kind] ?? 1)) / (1 - (times.idle[kind] ?? 0));
    return { kind, demand, copies: count >= 2 * LAYOUTS.four.length ? 2 : 1 };
  });
  for (let left = count - demands.reduce((sum, { copies }) => sum + copies, 0); left > 0; left--)
    demands.reduce((most, kind) => (kind.demand * most.copies > most.demand * kind.copies ? kind : most)).copies += 1;
  return { times, processes: demands.flatMap(({ kind, copies }) => Array<Kind>(copies).fill(kind)) };
}

function createStations({ times: { idle, busy, storeSpeed }, processes, share, store, away }: Deployment): Station[] {
  const processesByKind = processes.map((kind, index): Station => {
    // What it does at rest comes off its share.
    const speed = Math.max(0.01, share - (idle[kind] ?? 0));
    return { group: kind, servers: 1, speed, busy: createBusy(busy[kind]), ...(away && index === 0 ? { away } : {}) };
  });
  const storeIdle = ((idle.store ?? 0) * processes.length) / new Set(processes).size;
  const ownStore = {
    group: "store",
    servers: 1,
    speed: Math.max(0.05, storeSpeed - storeIdle),
    busy: createBusy(busy.store),
  };
  const stores = store
    ? Array.from({ length: store.shards }, () => ({ group: "store", servers: store.processors, speed: 1 }))
    : [ownStore];
  const serial = { servers: 1, speed: 1 };
  return [
    ...processesByKind,
    ...stores,
    { group: "order numbers", ...serial, together: findKind(processes, "shop") },
    { group: "event positions", ...serial, together: findKind(processes, "events") },
    ...processes.filter((kind) => kind !== "gateway").map(() => ({ group: "relay", ...serial })),
  ];
}

/** Costs of several at once are measured with so many clients, all but one of whom wait. */
function createBusy(share = 1): Station["busy"] {
  return { waiting: AT_ONCE - 1, share };
}

/** The kind of process that has these services. */
function findKind(processes: readonly Kind[], services: "shop" | "events"): Kind {
  return [services, "services" as const].find((kind) => processes.includes(kind)) ?? "all";
}

function createFlows({ times, processes, store, mix = ONE_OF_EACH, thinking = 0 }: Deployment): Flow[] {
  const createFlow = (name: Operation): Flow => {
    const operation = times.operations[name];
    const { seconds, foreground, following, storeCommands } = operation;
    const storeCost = computeCost(operation, "store");
    const command = store?.command ?? storeCost / storeCommands;
    const countCommands = (costs: typeof foreground): number =>
      storeCost > 0 ? (storeCommands * (costs.store ?? 0)) / storeCost : 0;
    const rounds = Math.min(MOST_ROUNDS, Math.max(1, Math.round(countCommands(foreground) / COMMANDS_A_ROUND)));
    /** Those of one part, without the share of them that is done in a transaction. */
    const createSteps = (costs: typeof foreground, waiting: number, share: number): Step[] => {
      const round = Object.entries({ ...costs, store: command * countCommands(costs) })
        .map(([group, cost]) => ({ group, seconds: (cost * (1 - share)) / rounds }))
        .concat({ group: "waiting", seconds: waiting / rounds })
        .filter((step) => step.seconds > 0);
      return Array.from({ length: rounds }, () => round).flat();
    };
    const findShare = (costs: typeof foreground): number =>
      Math.min(0.5, TRANSACTION_COMMANDS / Math.max(1, countCommands(costs)));
    const createTransaction = (group: string, costs: typeof foreground, services: "shop" | "events"): Step => {
      const kind = findKind(processes, services);
      const inner = [
        { group: kind, seconds: (costs[kind] ?? 0) * findShare(costs) },
        { group: "store", seconds: command * countCommands(costs) * findShare(costs) },
        { group: "commit", seconds: store?.commit ?? 0 },
      ];
      return { group, seconds: 0, inner };
    };
    const worked = Object.values(foreground).reduce((sum, cost) => sum + cost, 0);
    const numbers = name === "webhook" ? [createTransaction("order numbers", foreground, "shop")] : [];
    return {
      name,
      spread: SPREAD,
      steps: [
        ...createSteps(foreground, Math.max(0, seconds - worked), numbers.length > 0 ? findShare(foreground) : 0),
        ...numbers,
      ],
      following: [
        ...createSteps(following, 0, findShare(following)),
        { group: "relay", seconds: (store?.relay ?? 0) * EVENTS[name] },
        createTransaction("event positions", following, "events"),
      ],
    };
  };
  const pay: Flow = { name: "pay", steps: [{ group: "shopper", seconds: thinking }], following: [], spread: [1] };
  return OPERATIONS.flatMap((name) => [
    ...Array<Flow>(mix[name]).fill(createFlow(name)),
    ...(name === "checkout" ? [pay] : []),
  ]);
}
