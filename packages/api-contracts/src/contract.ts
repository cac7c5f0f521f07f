import type { PersonalField } from "./personal.ts";
import type { Infer, InferInput, InferRules, Rule, Rules } from "./rules.ts";

/** The names that contracts of one house use: of entry points, scopes, error codes, and senders of webhooks. */
export interface ContractNames {
  entry: string;
  scope: string;
  error: string;
  sender: string;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call, as far as the gateway decides:
 * - `none`: credentials are ignored
 * - `optional`: a credential must be valid; the service decides what it allows
 * - `user`: a user's valid bearer token, or a key with the route's scope
 * - `admin`: who has the route's scope: X-Admin-Token, a role or a key
 * - `admin-token`: as `admin`; the 401 names X-Admin-Token (admin order endpoints)
 * - `internal`: on its own address, on loopback outside production, open to programs of this machine but not to foreign
 *   web pages; `admin` otherwise and on the gateway
 */
export type Access = "none" | "optional" | "user" | "admin" | "admin-token" | "internal";

/** Value of `consumes` that allows any Content-Type, or none. */
export const ANY_TYPE = "*/*";

export interface HttpRoute<N extends ContractNames = ContractNames> {
  method: HttpMethod;
  /** Path as in OpenAPI: `/api/orders/{orderId}`, with names of params. */
  path: string;
  entries: readonly N["entry"][];
  access: Access;
  /** Scope that staff and keys need; with `user` and `optional`, for objects that are not their own. */
  scope?: N["scope"];
  /** X-Session-Id is read. */
  session?: true;
  /** Credentials of which an `optional` route needs at least one; without any, 401 before the body is read. */
  credentials?: readonly ("bearer" | "adminToken" | "sessionId")[];
  /** A key may not call it, regardless of its scopes: what it makes would outlive the key. */
  refusesKeys?: true;
  /** Status of a success; 200 by default. */
  status?: 200 | 201 | 202 | 303;
  /** `{ success, data }` (commerce) or the plain result (catalog). */
  envelope: boolean;
  /**
   * `raw`: the action gets `{ body: string, headers: { name: value } }` with the exact text, for webhook signatures.
   * `stream`: the action gets the body as `ctx.stream`, path and query as params, and `contentType`.
   */
  body?: "json" | "raw" | "stream";
  /**
   * Params that clients send in the query of a request with a JSON body. Others are refused there, because URLs are
   * logged.
   */
  query?: readonly string[];
  /** Data stored for a guest, for the guests' daily budget. */
  guestStorage?: GuestStorage;
  /** Most bytes of a `stream` by its Content-Length; without one, the action ends it. */
  maxAnnounced?: number;
  /** Fields of a multipart/form-data `stream`, for OpenAPI; the action reads them itself. */
  form?: { fields: Rules; file: { name: string; type: string } };
  /**
   * For OpenAPI: by content type for a `raw` body or a `stream` of text, by name for a header, and for the one of
   * several optional parameters that is filled in.
   */
  examples?: Readonly<Record<string, unknown>>;
  /** Content types of the body; application/json unless given. */
  consumes?: readonly string[];
  /**
   * `json` unless given. `file`: the action gets the request's conditions and range as `file` (`fileParams`), returns
   * what `answerFile` makes, and is asked for long files piece by piece. `event-stream`: the action returns pages of
   * events (`createEventPageRule`), and is asked for the next as long as the client is there. `pages`: the action
   * returns a piece of text (`exportPageRule`), and is asked for the next (`exportPageParams`) as the client takes
   * them.
   */
  answer?: "json" | "file" | "event-stream" | "pages";
  /** The answer of a `json` route to a client that asks for an event stream. */
  streamed?: StreamedAnswer;
  /**
   * Action without params that the gateway calls before it sends a success, such as one that resolves when search has
   * the change. Skipped if no node offers it; the answer waits 30 s at most.
   */
  awaits?: string;
  /** Plain Moleculer event that announces new events of an `event-stream`; without it they are polled once a second. */
  wokenBy?: string;
  /** Content types of a `file` or of `pages`. */
  produces?: readonly string[];
  /** Lower-case names of headers that a `raw` action gets. */
  headers?: readonly string[];
  /** The envelope unless given. */
  errors?: ErrorForm;
}

export interface GuestStorage {
  /** How often the body is kept; once unless given. */
  copies?: number;
  /** Bytes that are kept beside it. */
  bytes?: number;
  /** Stores nothing without X-Session-Id. */
  ofSession?: true;
}

/**
 * An answer that is sent while it is made: another action of the service with the same params, whose result is a stream
 * of `{ event, data }`.
 */
export interface StreamedAnswer {
  action: string;
  /** Plain event to all nodes, with `{ answerId }`, that a client left before the end. */
  abandoned: string;
  /** Data of each event, in their order. */
  events: Readonly<Record<string, Rule>>;
}

/**
 * The form of errors: the envelope, the envelope with `message` and `status` beside it (for Algolia's clients), or `{
 * detail }` (the AI agent).
 */
export type ErrorForm = "envelope" | "message" | "detail";

export interface ActionDefinition<N extends ContractNames = ContractNames> {
  /** One line, imperative. */
  summary: string;
  description?: string;
  params: Rules;
  result: Rule;
  /** Refusals of the action itself; the gateway's (401, 413, …) follow from the route. */
  errors: readonly N["error"][];
  /** Absent: for other services only. */
  http?: readonly HttpRoute<N>[];
  /** Milliseconds; the broker's default unless given. */
  timeout?: number;
  /**
   * Calls at a time on one node, and how many more may wait; one more is refused at once (SERVICE_UNAVAILABLE with
   * Retry-After). No limit unless given.
   */
  bulkhead?: { concurrency: number; maxQueueSize: number };
  /**
   * May be repeated without harm, also while the first call is under way. Unless given, GET may, except for files,
   * which are asked for piece by piece.
   */
  idempotent?: boolean;
  /** Creates or pays: with an Idempotency-Key, requests by JSON run once in 24 hours. */
  once?: true;
  /** Object of a change by staff, keys or webhooks, for the audit stream. */
  audit?: {
    /** Kind of the object: `order`. */
    object: string;
    /** The param, else the field of the result, with the object's id. None: there is one object of the kind. */
    id?: string;
    /** The service's action that reads the object by this id, before and after: what differs is in the stream. */
    read?: string;
    /**
     * Params and result fields that report the work (rows, a job); with `read`, beside what they were in its answer.
     */
    report?: readonly string[];
    /** Field of the result that says what the work waits for, if it is not done. */
    waits?: string;
    /** Sender of a webhook, whose action writes the entry with its change (`auditWrites`). */
    by?: N["sender"];
  };
  /** Result of an internal action `health` if the service cannot be reached. */
  away?: Readonly<Record<string, unknown>>;
}

/** The event that the event store records, as the next one of an aggregate. */
export interface Recorded {
  /** Type of the aggregate. */
  aggregate: string;
  /** Prefixes of the aggregate's id. The first is added to a value that has none. */
  prefixes: readonly [string, ...string[]];
  /** Fields of the payload; the first that is not null has the id. The event's own id unless given. */
  id?: readonly string[];
  /** The list in a payload of many events, and the field with the time of each. */
  each?: { list: string; at: string };
}

export interface EventDefinition {
  summary: string;
  /** Version of the payload (`v`), 1 by default. A new version adds optional fields and keeps the others. */
  version?: number;
  /** null: not recorded; it is work for one service, or a hint. Fields marked `personal` are never recorded. */
  recorded: Recorded | null;
  /** How long it is kept once every group has it, milliseconds: for later groups. Seven days unless given. */
  keptMs?: number;
  payload: Rules;
}

/** Events by channel. */
export type DurableEvents = ReadonlyMap<string, EventDefinition>;

export interface ServiceContract<N extends ContractNames = ContractNames> {
  name: string;
  summary: string;
  actions: { readonly [name: string]: ActionDefinition<N> };
  /**
   * Services through which this one asks outside: the `{ NAME: { status, … } }` of their internal action `health` is
   * among the dependencies of the entry point with this service's name.
   */
  asks?: readonly string[];
  /**
   * Entry points that serve without it: its routes there are refused while it is away, and it is no dependency if
   * nobody runs it.
   */
  guestOf?: readonly N["entry"][];
  /** Durable channels that it writes to. Every payload also has v, event_id and occurred_at. */
  channels?: { readonly [name: string]: EventDefinition };
  /** Durable tasks. A payload holds no dates. */
  tasks?: { readonly [kind: string]: TaskDefinition };
}

interface TaskDefinition {
  summary: string;
  /** A list has the forms that it may have. */
  payload: Rules | readonly Rules[];
}

// These types look at one field at a time: compared with ActionDefinition as a whole, whose rules nest without end, the
// larger contracts are too much for the compiler.

/** Params as an action's handler gets them, with defaults. */
export type Params<A> = A extends { params: infer P } ? InferRules<P> : never;
/** Params as a caller sends them. */
export type Input<A> = A extends { params: infer P } ? InferInput<P> : never;
export type Result<A> = A extends { result: infer R } ? Infer<R> : never;

/** Type of a recorded event, the channel's name in upper snake case: `ORDER_CREATED`. */
export type EventTypeOf<Channel extends string> = Channel extends `${infer Owner}.${infer What}`
  ? `${Uppercase<Owner>}_${Uppercase<What>}`
  : never;

/** The part of a contract that these types need. */
export interface ContractLike {
  name: string;
  actions: object;
}

/** `{ "order.get": definition, … }` of a union of contracts. */
export type ActionsOf<C extends ContractLike> = Merge<{
  [K in C as K["name"]]: { [A in keyof K["actions"] & string as `${K["name"]}.${A}`]: K["actions"][A] };
}>;

/** `{ "order.created": payload, … }` of a union of contracts. */
export type ChannelsOf<C extends ContractLike> = PayloadsOf<C, "channels">;

/** `{ "catalog.sync": payload, … }` of a union of contracts. */
export type TasksOf<C extends ContractLike> = PayloadsOf<C, "tasks">;

type PayloadsOf<C extends ContractLike, Part extends string> = Merge<{
  [K in C as K extends Record<Part, object> ? K["name"] : never]: K extends Record<Part, infer D> ? Payloads<D> : never;
}>;

type Payloads<D> = { [N in keyof D & string]: D[N] extends { payload: infer P } ? Payload<P> : never };

type Payload<P> = P extends readonly unknown[] ? { [I in keyof P]: InferRules<P[I]> }[number] : InferRules<P>;

/** The recorded events of a union of contracts as the event store lists them. */
export type StoredOf<C extends ContractLike> = C extends { channels: infer D }
  ? { [N in keyof D & string]: StoredEvent<N, D[N]> }[keyof D & string]
  : never;

type StoredEvent<Channel extends string, D> = D extends { recorded: { aggregate: infer A } & infer R; payload: infer P }
  ? { aggregate_type: A; event_type: EventTypeOf<Channel>; data: StoredData<R, P> }
  : never;

type StoredData<R, P> = R extends { each: { list: infer List extends keyof P; at: infer At extends string } }
  ? P[List] extends { items: { props: infer Item } }
    ? InferRules<Omit<Item, At>>
    : never
  : InferRules<Omit<P, PersonalField<P>>>;

/** `{ a: X, b: Y }` becomes X & Y. */
type Merge<T> = (T[keyof T] extends infer V ? (V extends unknown ? (value: V) => void : never) : never) extends (
  value: infer I,
) => void
  ? { [K in keyof I]: I[K] }
  : never;
