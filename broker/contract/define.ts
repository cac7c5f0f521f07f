import type { ErrorCode } from "../../mixins/errors.ts";
import type { Infer, InferInput, InferRules, Rule, Rules } from "./rules.ts";

/** The documented addresses; `gateway` is the public one. */
export const ENTRY_POINTS = [
  "gateway",
  "cart",
  "search",
  "media",
  "payment",
  "user",
  "catalog",
  "analytics",
  "health-analytics",
  "ai",
  "eventstore",
  "pipeline",
] as const;
export type EntryPoint = (typeof ENTRY_POINTS)[number];

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call, as far as the gateway can tell:
 * - `none`: no credential is looked at
 * - `optional`: a credential that is sent must be valid; the service decides what it allows
 * - `user`: a valid bearer token
 * - `admin`: X-Admin-Token, or a bearer token with role admin
 * - `admin-token`: as `admin`, and who sends nothing is told of X-Admin-Token (the admin order endpoints)
 * - `internal`: on its own address while HOST is loopback and not in production, open to programs of this machine (no
 *   page of elsewhere); `admin` otherwise and on the gateway
 */
export type Access = "none" | "optional" | "user" | "admin" | "admin-token" | "internal";

/** In `consumes`: whatever the Content-Type says, also nothing. */
export const ANY_TYPE = "*/*";

export interface HttpRoute {
  method: HttpMethod;
  /** OpenAPI form: `/api/orders/{orderId}`. A name in braces is the param of that name. */
  path: string;
  /** Addresses that serve it. */
  entries: readonly EntryPoint[];
  access: Access;
  /** Whether X-Session-Id is read (and documented). */
  session?: true;
  /**
   * With `optional`, where nobody gets in who sends nothing: what is taken, any one of them; none is 401 before the
   * body is read.
   */
  credentials?: readonly ("bearer" | "adminToken" | "sessionId")[];
  /** Status of a success; 200 unless given. */
  status?: 200 | 201 | 202 | 303;
  /** `{ success, data }` (the commerce half) or the plain result (the catalog half). */
  envelope: boolean;
  /**
   * `raw`: the action gets `{ body: string, headers: { name: value } }` with the exact text (webhooks, which verify a
   * signature over it); `stream`: the action gets the request body as `ctx.stream`, the path and query as params, and
   * `contentType`.
   */
  body?: "json" | "raw" | "stream";
  /**
   * Most bytes of bodies in 24 hours from one address, of callers that are neither users nor admins: for a route that
   * keeps what anybody sends.
   */
  guestBytesADay?: number;
  /**
   * Bytes of a `stream`: one that announces more is refused before it is read. One that does not tell is the action's
   * to end.
   */
  maxAnnounced?: number;
  /** What a `stream` that is multipart/form-data holds, for who reads the documents; the action reads it itself. */
  form?: { fields: Rules; file: { name: string; type: string } };
  /**
   * Of what is not made of fields: a `raw` body, or a `stream` of text, by its content type, and a header by its
   * name. Of a parameter that may be left out, where none of several may: the one that documents fill in.
   */
  examples?: Readonly<Record<string, unknown>>;
  /**
   * Content types of the body, whatever its kind; application/json unless given. With ANY_TYPE among a stream's, no
   * type is refused.
   */
  consumes?: readonly string[];
  /**
   * `json` unless given. `file`: the action gets the request's conditions and range as `file` (`fileParams`) and
   * results in what `answerFile` makes; what is long is asked for piece by piece. `event-stream`: the action results in
   * pages of events (`eventPageRule`), and is asked for the next one as long as the client is there.
   */
  answer?: "json" | "file" | "event-stream";
  /** What a `json` route answers with to who asks for an event stream. */
  streamed?: StreamedAnswer;
  /**
   * The plain Moleculer event that tells of new events for an `event-stream`; without one they are looked for once a
   * second.
   */
  wokenBy?: string;
  /** Content types of a file that is answered. */
  produces?: readonly string[];
  /** Lower-case names of request headers that a `raw` action gets. */
  headers?: readonly string[];
  /** The error envelope unless given. */
  errors?: ErrorForm;
}

/**
 * An answer that is told while it is made: another action of the service, which takes the same params and results in a
 * stream of `{ event, data }`.
 */
export interface StreamedAnswer {
  action: string;
  /**
   * The plain Moleculer event that tells every node, with `{ answerId }` (`CallMeta`), of a client that left before the
   * end.
   */
  abandoned: string;
  /** What each event's data is, in the order in which they come. */
  events: Readonly<Record<string, Rule>>;
}

/**
 * How errors are told: the envelope, the envelope with `message` and `status` beside it (what Algolia's clients read),
 * or `{ detail }` (the AI agent).
 */
export type ErrorForm = "envelope" | "message" | "detail";

export interface ActionDefinition {
  /** One line, imperative; OpenAPI's summary. */
  summary: string;
  description?: string;
  params: Rules;
  result: Rule;
  /** What this action itself refuses; what the gateway adds (401, 413, …) is derived from the route. */
  errors: readonly ErrorCode[];
  /** Absent: called by other services only. */
  http?: readonly HttpRoute[];
  /** Milliseconds; the broker's default unless given. */
  timeout?: number;
  /**
   * Calls of one node that run at a time, and how many more wait; whoever comes then is refused at once (the gateway:
   * SERVICE_UNAVAILABLE with Retry-After). No limit unless given.
   */
  bulkhead?: { concurrency: number; maxQueueSize: number };
  /**
   * Whether a call that another node does not answer may be repeated without harm, also while the first is under way;
   * reads are.
   */
  idempotent?: true;
  /**
   * Of an internal action `health`: what is told in its place where the service cannot be reached. Nothing unless
   * given.
   */
  away?: Readonly<Record<string, unknown>>;
}

/** What the event store makes of a durable event: the next event of an aggregate. */
export interface Recorded {
  /** The type of the aggregate. */
  aggregate: string;
  /** What the aggregate's id begins with. The first is put in front of a value that begins with none of them. */
  prefixes: readonly [string, ...string[]];
  /** Fields of the payload, the first of which that is not null has the id. The event's own id unless given. */
  id?: readonly string[];
  /** The list in a payload that holds many events, and the field of its items that holds the time of each. */
  each?: { list: string; at: string };
}

export interface EventDefinition {
  summary: string;
  /** null: it is not recorded, because it is work for one service or a hint. */
  recorded: Recorded | null;
  payload: Rules;
}

export interface ServiceContract {
  name: string;
  summary: string;
  actions: { readonly [name: string]: ActionDefinition };
  /**
   * Services through which this one asks the world outside: what they tell by an internal action `health`, `{ NAME: {
   * status, … } }`, is among the dependencies of the entry point that is named after this one.
   */
  asks?: readonly string[];
  /**
   * Entry points that serve well without it: its routes there are refused while it is away, and where nobody runs it,
   * it is no dependency.
   */
  guestOf?: readonly EntryPoint[];
  /**
   * Durable channels that this service writes to, by channel name. Every payload also has v, event_id and occurred_at.
   */
  channels?: { readonly [name: string]: EventDefinition };
  /** Kinds of durable tasks that this service runs, by name (broker/tasks/). A payload holds no dates. */
  tasks?: { readonly [kind: string]: TaskDefinition };
}

export interface TaskDefinition {
  /** What a run does. */
  summary: string;
  payload: Rules;
}

/** The one place that says what a service takes, gives and refuses. */
export function defineService<const C extends ServiceContract>(contract: C): C {
  return contract;
}

// The types below look at one field of a definition at a time. Held against ActionDefinition as a whole, its rules,
// which nest without end, would be compared member by member, and the compiler gives up on the larger contracts.

/** What the handler of an action gets: defaults are filled in. */
export type Params<A> = A extends { params: infer P } ? InferRules<P> : never;
/** What a caller of an action sends. */
export type Input<A> = A extends { params: infer P } ? InferInput<P> : never;
export type Result<A> = A extends { result: infer R } ? Infer<R> : never;

/** The type of a recorded event, the channel's name in upper snake case: `ORDER_CREATED`. */
export type EventTypeOf<Channel extends string> = Channel extends `${infer Owner}.${infer What}`
  ? `${Uppercase<Owner>}_${Uppercase<What>}`
  : never;

/** A contract as far as these types need to know it. */
export interface Named {
  name: string;
  actions: object;
}

/** `{ "order.get": definition, … }` of a union of contracts. */
export type ActionsOf<C extends Named> = Merge<{
  [K in C as K["name"]]: { [A in keyof K["actions"] & string as `${K["name"]}.${A}`]: K["actions"][A] };
}>;

/** `{ "order.created": payload, … }` of a union of contracts. */
export type ChannelsOf<C extends Named> = Merge<{
  [K in C as K extends { channels: object } ? K["name"] : never]: K extends { channels: infer Ch }
    ? Payloads<Ch>
    : never;
}>;

/** `{ "catalog.sync": payload, … }` of a union of contracts. */
export type TasksOf<C extends Named> = Merge<{
  [K in C as K extends { tasks: object } ? K["name"] : never]: K extends { tasks: infer T } ? Payloads<T> : never;
}>;

type Payloads<D> = { [N in keyof D & string]: D[N] extends { payload: infer P } ? InferRules<P> : never };

/** `{ a: X, b: Y }` is X & Y. */
type Merge<T> = (T[keyof T] extends infer V ? (V extends unknown ? (value: V) => void : never) : never) extends (
  value: infer I,
) => void
  ? { [K in keyof I]: I[K] }
  : never;
