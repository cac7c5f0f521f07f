const SHOP = "cart,payment,order,customer,user,access,settings,mail,webhook";
const CATALOG = "catalog,dis-router,search,ai,media,pipeline";
const EVENTS = "eventstore,analytics,health-analytics";

/** Kinds of processes, by the services that they run (SERVICES). */
export const KINDS = {
  all: `http,${SHOP},${CATALOG},${EVENTS}`,
  gateway: "http",
  services: `${SHOP},${CATALOG},${EVENTS}`,
  shop: SHOP,
  catalog: CATALOG,
  events: EVENTS,
} as const;
export type Kind = keyof typeof KINDS;

/** Ways to share the services among kinds of processes. */
export const LAYOUTS = {
  one: ["all"],
  two: ["gateway", "services"],
  four: ["gateway", "shop", "catalog", "events"],
} as const satisfies Record<string, readonly Kind[]>;
export type LayoutName = keyof typeof LAYOUTS;

/** What a shopper does, in this order. */
export const OPERATIONS = ["search", "cart", "checkout", "webhook"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Clients, where several at once are measured. */
export const AT_ONCE = 8;

/** By kind of process, and `store`. */
export type StationCosts = Record<string, number>;

export interface OperationTimes {
  /** Median from request to answer, one client at a time. */
  seconds: number;
  /** Processor seconds until the answer, and of what follows it. */
  foreground: StationCosts;
  following: StationCosts;
  storeCommands: number;
}

export interface LayoutTimes {
  /** Processors that are used at rest. */
  idle: StationCosts;
  /** Processor seconds of a visit with AT_ONCE clients, as a share of those of one client. */
  busy: StationCosts;
  /** Processors that the store uses once it is what all wait for. */
  storeSpeed: number;
  operations: Record<Operation, OperationTimes>;
}

/** scale-times.json. */
export interface Times {
  machine: string;
  date: string;
  commit: string;
  layouts: Record<LayoutName, LayoutTimes>;
  /** Processor seconds of a visit in one process over embedded stores. */
  embedded: number;
}

/** Processor seconds of an operation at a station. */
export function computeCost({ foreground, following }: OperationTimes, name: string): number {
  return (foreground[name] ?? 0) + (following[name] ?? 0);
}
