import type {
  ActionDefinition as ActionDefinitionWith,
  HttpRoute as HttpRouteWith,
  ServiceContract as ServiceContractWith,
} from "@partline/api-contracts";
import type { ErrorCode } from "../../mixins/errors.ts";
import type { Scope } from "./scopes.ts";

/** The documented addresses, with their usual ports; `gateway` is the public one, and those of `APPS` have pages. */
export const ENTRY_PORTS = {
  gateway: 8000,
  cart: 3000,
  search: 3001,
  media: 3002,
  payment: 3004,
  user: 3005,
  catalog: 3010,
  analytics: 3020,
  "health-analytics": 3021,
  ai: 8001,
  eventstore: 8002,
  pipeline: 8080,
  shop: 3100,
  console: 3200,
};
export type EntryPoint = keyof typeof ENTRY_PORTS;
export const ENTRY_POINTS = Object.keys(ENTRY_PORTS) as readonly EntryPoint[];

/**
 * Entry points of pages (`packages/web/`), with the routes of these entry points under the same origin: the first of
 * two with the same method and path; with `staff`, those for staff alone. `styledByScript`: a library adds styles,
 * which need a nonce.
 */
export const APPS = {
  shop: { routes: ["gateway", "cart"], staff: false, styledByScript: false },
  console: { routes: ["gateway", "catalog", "eventstore"], staff: true, styledByScript: true },
} as const satisfies Partial<Record<EntryPoint, object>>;
export type App = keyof typeof APPS;

export function isApp(entry: EntryPoint): entry is App {
  return Object.hasOwn(APPS, entry);
}

/** What the contracts of this house name. */
interface Names {
  entry: EntryPoint;
  scope: Scope;
  error: ErrorCode;
  sender: "payment-provider" | "identity-provider" | "shipping-provider";
}

export type HttpRoute = HttpRouteWith<Names>;
export type ActionDefinition = ActionDefinitionWith<Names>;
export type ServiceContract = ServiceContractWith<Names>;

/** Keeps the contract's literal types. */
export function defineService<const C extends ServiceContract>(contract: C): C {
  return contract;
}
