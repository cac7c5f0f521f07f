import type {
  NodeSample,
  EntryPointSample,
  ProviderFailures,
  QueueSample,
  RouteTraffic,
} from "../../broker/telemetry/sample.ts";
import type { AtomicWrite, CollectionDefinition, Document } from "@partline/durable";
import type { Infer } from "@partline/api-contracts";
import type { incidentRule, Level } from "./contract.ts";

/** A node from one start to its end; `_id` is `NODE@STARTED_AT`. */
export interface NodeRun
  extends Document, Pick<NodeSample, "node" | "host" | "version" | "services" | "failing" | "eventLoop" | "memory"> {
  startedAt: Date;
  /** Times of the last sample, by the node's clock and by ours. */
  sampleAt: Date;
  heardAt: Date;
  leftAt?: Date;
  /** Time at which the node was found silent without a goodbye; removed if it is heard again. */
  lostAt?: Date;
  /** Services and entry points of the node: one with the same role may replace it. */
  role: string;
  entryPoints: EntryPointSample[];
  /** Dependencies missing since its recent start, which do not count yet. */
  awaited?: string[];
  queue?: QueueSample;
  /** Time at which dead letters last grew. */
  deadGrewAt?: Date;
  /** Present and recent troubles. */
  troubles: Trouble[];
  expiresAt: Date;
}

export interface Trouble {
  kind: Exclude<IncidentDocument["kind"], "node" | "sync" | ConditionKind>;
  /** Name of the dependency. */
  subject: string;
  since: number;
  /** Time of the first sample without the trouble. */
  until: number | null;
  /** Time of the last sample with the trouble. */
  lastAt: number;
  entryPoints: string[];
}

/** A node's minute, hour or day; `_id` is `RUN@AT`. Gauges have their largest value. */
export interface Account extends Document {
  node: string;
  /** Beginning of the minute, hour or day. */
  at: Date;
  samples: number;
  /** Samples in each state. */
  entryPoints: { entry: string; up: number; degraded: number; down: number }[];
  eventLoop: { p99: number; max: number };
  memory: { rss: number };
  queue?: QueueSample;
  answers: Answers;
  failures: ProviderFailures[];
  expiresAt: Date;
}

export type Answers = Pick<RouteTraffic, "count" | "errors" | "sum" | "buckets">;

/** Traffic by route: of a node over a minute (`_id` as the account's), of the whole system over an hour or a day. */
export interface TrafficAccount extends Document {
  at: Date;
  routes: RouteTraffic[];
  expiresAt: Date;
}

/** The latest outcomes of a vendor's syncs; `_id` is its code. */
export interface VendorSyncs extends Document {
  endedAt: Date;
  /** Ends of the first failed sync, and of the completed one after it. */
  failingSince: Date | null;
  failingUntil: Date | null;
}

export type ConditionKind = "orders" | "refunds" | "mails" | "shipping" | "disk";

/** Since when something is wrong with the shop, and until when it was; `_id` is its kind. */
export interface Condition extends Document {
  failingSince: Date;
  failingUntil: Date | null;
}

export interface IncidentDocument extends Document, Omit<Infer<typeof incidentRule>, "id" | "cause" | "open"> {
  isOpen: boolean;
  lastSpellAt: Date;
  expiresAt: Date | null;
  /** The state of which the shop was mailed last. */
  noticed?: "open" | "ended";
}

export interface Watch extends Document {
  /** Times of the last turn, and of the first without a long pause before it. */
  at: Date;
  since: Date;
  /** Time since which every node was heard, also while the store was away. */
  listeningSince: Date;
  hoursUntil: Date | null;
  daysUntil: Date | null;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const MINUTES_KEPT_MS = 7 * DAY_MS;
export const HISTORY_KEPT_MS = 90 * DAY_MS;

export const RUNS: CollectionDefinition = {
  name: "health_runs",
  fields: {
    node: "string",
    startedAt: "date",
    sampleAt: "date",
    heardAt: "date",
    leftAt: "date",
    lostAt: "date",
    deadGrewAt: "date",
    expiresAt: "date",
  },
  indexes: [{ keys: { heardAt: 1 } }, { keys: { node: 1, startedAt: 1 } }],
  expires: "expiresAt",
};

function createLevel(name: string, length: number, keptMs: number) {
  const traffic: CollectionDefinition = {
    name: `health_traffic_${name}`,
    fields: { at: "date", expiresAt: "date" },
    indexes: [{ keys: { at: 1 } }],
    expires: "expiresAt",
  };
  const accounts: CollectionDefinition = {
    ...traffic,
    name: `health_${name}`,
    fields: { node: "string", at: "date", expiresAt: "date" },
    indexes: [{ keys: { at: 1 } }, { keys: { node: 1, at: 1 } }],
  };
  return { length, keptMs, traffic, accounts };
}

export const LEVELS = {
  minute: createLevel("minutes", MINUTE_MS, MINUTES_KEPT_MS),
  hour: createLevel("hours", HOUR_MS, HISTORY_KEPT_MS),
  day: createLevel("days", DAY_MS, HISTORY_KEPT_MS),
} satisfies Record<Level, object>;

export const VENDOR_SYNCS: CollectionDefinition = {
  name: "health_vendor_syncs",
  fields: { endedAt: "date", failingSince: "date", failingUntil: "date" },
};

export const CONDITIONS: CollectionDefinition = {
  name: "health_conditions",
  fields: { failingSince: "date", failingUntil: "date" },
};

export const INCIDENTS: CollectionDefinition = {
  name: "health_incidents",
  fields: {
    startedAt: "date",
    endedAt: "date",
    isOpen: "boolean",
    lastSpellAt: "date",
    expiresAt: "date",
    noticed: "string",
  },
  indexes: [
    { keys: { isOpen: 1, startedAt: 1 } },
    { keys: { noticed: 1 } },
    { keys: { startedAt: 1 } },
    { keys: { endedAt: 1 } },
  ],
  expires: "expiresAt",
};

export const WATCH: CollectionDefinition = {
  name: "health_watch",
  fields: { at: "date", since: "date", listeningSince: "date", hoursUntil: "date", daysUntil: "date" },
};

export function put(collection: CollectionDefinition, document: Document): AtomicWrite {
  return { collection, replaceOne: { filter: { _id: document._id }, replacement: { ...document }, upsert: true } };
}
