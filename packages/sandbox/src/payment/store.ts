import { randomInt } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type Stripe from "stripe";
import { createNoSuchResource } from "./protocol/errors.ts";

export type LineItem = Stripe.LineItem & { price: Stripe.Price };
export type WireEvent = Omit<Stripe.EventBase, "data" | "type"> & {
  type: string;
  data: { object: AnyResource };
};

/** Resources that the sandbox stores, by `object`. References are ids; expansion happens on the way out. */
export type ResourceByObject = {
  "checkout.session": Stripe.Checkout.Session;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  customer: Stripe.Customer;
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price;
  product: Stripe.Product;
  shipping_rate: Stripe.ShippingRate;
  "tax.calculation": Omit<Stripe.Tax.Calculation, "id"> & { id: string; created: number };
  event: WireEvent;
};

export type ResourceObject = keyof ResourceByObject;
export type AnyResource = ResourceByObject[ResourceObject];
/** The id of another resource, or the resource itself where it is expanded. */
type Reference = string | { id: string } | null | undefined;

/** Fields that are null until something sets them. */
const UNSET: { [K in ResourceObject]?: (keyof ResourceByObject[K])[] } = {
  "checkout.session": [
    "allow_promotion_codes",
    "cancel_url",
    "client_reference_id",
    "customer",
    "customer_details",
    "payment_intent",
    "shipping_address_collection",
  ],
  payment_intent: [
    "cancellation_reason",
    "customer",
    "description",
    "last_payment_error",
    "latest_charge",
    "payment_method",
    "shipping",
  ],
  setup_intent: ["customer", "last_setup_error", "payment_method"],
  refund: ["reason"],
  customer: ["address", "description", "email", "name", "phone", "shipping"],
  payment_method: ["customer"],
  product: ["description"],
};

const PREFIXES: Record<ResourceObject | "item" | "request", string> = {
  "checkout.session": "cs_test_a1",
  payment_intent: "pi_3",
  setup_intent: "seti_1",
  charge: "ch_3",
  refund: "re_3",
  dispute: "du_1",
  customer: "cus_",
  payment_method: "pm_1",
  price: "price_1",
  product: "prod_",
  shipping_rate: "shr_1",
  "tax.calculation": "taxcalc_1",
  event: "evt_1",
  item: "li_1",
  request: "req_",
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function createRandomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Returns a new id in the provider's form. */
export function createId(kind: keyof typeof PREFIXES): string {
  const prefix = PREFIXES[kind];
  if (kind === "checkout.session") return prefix + createRandomText(56);
  return prefix + createRandomText(prefix.endsWith("_") ? 14 : 23);
}

/** Returns the id that a reference holds; the empty text if it refers to nothing. */
export function getId(reference: Reference): string {
  return typeof reference === "string" ? reference : (reference?.id ?? "");
}

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS resources (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, object TEXT NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS resources_by_object ON resources (object, seq);
  CREATE INDEX IF NOT EXISTS resources_by_payment_intent ON resources (json_extract(body, '$.payment_intent'));
  CREATE INDEX IF NOT EXISTS resources_by_customer ON resources (json_extract(body, '$.customer'));
  CREATE INDEX IF NOT EXISTS open_checkout_sessions ON resources (json_extract(body, '$.expires_at'))
    WHERE object = 'checkout.session' AND json_extract(body, '$.status') = 'open';
  CREATE TABLE IF NOT EXISTS details (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS idempotency_keys (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, endpoint TEXT NOT NULL, request_id TEXT NOT NULL,
    created INTEGER NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (created);
`;

/** Values of fields, by JSON path (`customer_details.email`). A list is any of its values. */
export type Match = Record<string, string | string[] | undefined>;

const BOUNDS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

type ListQuery = {
  match?: Match;
  created?: { [bound in keyof typeof BOUNDS]?: number };
  limit: number;
  starting_after?: string;
};

export type Store = ReturnType<typeof createStore>;

/** Stores the resources, and beside each the details that the API does not show. `now` is in unix seconds. */
export function createStore(database: DatabaseSync, now: () => number) {
  const insertRow = database.prepare("INSERT INTO resources (id, object, created, body) VALUES (?, ?, ?, ?)");
  const updateRow = database.prepare("UPDATE resources SET body = ? WHERE id = ?");
  const selectRow = database.prepare("SELECT body FROM resources WHERE id = ?");
  const deleteRow = database.prepare("DELETE FROM resources WHERE id = ?");
  const selectSeq = database.prepare("SELECT seq FROM resources WHERE id = ? AND object = ?");
  const isOpen = "object = 'checkout.session' AND json_extract(body, '$.status') = 'open'";
  const expiry = "json_extract(body, '$.expires_at')";
  const dueSessions = database.prepare(
    `SELECT body FROM resources WHERE ${isOpen} AND ${expiry} <= ? ORDER BY ${expiry}`,
  );
  const putDetails = database.prepare("INSERT OR REPLACE INTO details (id, body) VALUES (?, ?)");
  const selectDetails = database.prepare("SELECT body FROM details WHERE id = ?");

  function findAny(id: string): AnyResource | undefined {
    const row = selectRow.get(id);
    return row && (parseBody(row) as AnyResource);
  }

  function find<K extends ResourceObject>(object: K, reference: Reference): ResourceByObject[K] | undefined {
    const resource = findAny(getId(reference));
    return resource?.object === object ? (resource as ResourceByObject[K]) : undefined;
  }

  return {
    /** Stores a new resource: what is given and not undefined, and the defaults of its kind. */
    insert<K extends ResourceObject>(object: K, fields: Partial<ResourceByObject[K]>): ResourceByObject[K] {
      const unset = Object.fromEntries((UNSET[object] ?? []).map((name) => [name, null]));
      const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const blank = { id: createId(object), object, ...unset, created: now(), livemode: false, metadata: {} };
      const resource = { ...blank, ...set } as unknown as ResourceByObject[K];
      insertRow.run(resource.id, object, resource.created, JSON.stringify(resource));
      return resource;
    },

    update<T extends AnyResource>(resource: T, changes: Partial<T>): T {
      const updated = { ...resource, ...changes };
      updateRow.run(JSON.stringify(updated), updated.id);
      return updated;
    },

    remove: (id: string): void => void deleteRow.run(id),

    findAny,
    find,

    /** Returns what a request names in its path, or in parameter `param`. @throws ApiError 404; 400 of a parameter */
    get<K extends ResourceObject>(object: K, id: string, param?: string): ResourceByObject[K] {
      const resource = find(object, id);
      if (!resource) throw createNoSuchResource(object, id, param);
      return resource;
    },

    /** Lists one page, newest first. @throws ApiError 400 for a page that begins after what is not there */
    list<K extends ResourceObject>(object: K, { match = {}, created = {}, limit, starting_after: after }: ListQuery) {
      const clauses = ["object = ?"];
      const values: SQLInputValue[] = [object];
      const addClause = (clause: string, ...bound: SQLInputValue[]): void => {
        clauses.push(clause);
        values.push(...bound);
      };
      for (const [field, accepted = []] of Object.entries(match)) {
        const any = [accepted].flat();
        if (any.length > 0) addClause(`json_extract(body, '$.${field}') IN (${any.map(() => "?").join(", ")})`, ...any);
      }
      for (const [name, bound] of Object.entries(created))
        if (bound !== undefined) addClause(`created ${BOUNDS[name as keyof typeof BOUNDS]} ?`, bound);
      if (after !== undefined) {
        const cursor = selectSeq.get(after, object);
        if (!cursor) throw createNoSuchResource(object, after, "starting_after");
        addClause("seq < ?", cursor["seq"]!);
      }
      const sql = `SELECT body FROM resources WHERE ${clauses.join(" AND ")} ORDER BY seq DESC LIMIT ${limit + 1}`;
      const matches = database.prepare(sql).all(...values);
      const rows = matches.slice(0, limit).map((row) => parseBody(row) as ResourceByObject[K]);
      return { rows, hasMore: matches.length > limit };
    },

    /** Lists the open checkout sessions that expire by `at`, in unix seconds, the first to expire first. */
    dueSessions: (time: number) =>
      dueSessions.all(time).map((row) => parseBody(row) as ResourceByObject["checkout.session"]),

    setDetails: (id: string, value: object): void => void putDetails.run(id, JSON.stringify(value)),

    details(id: string): unknown {
      const row = selectDetails.get(id);
      return row && parseBody(row);
    },
  };
}

function parseBody(row: Record<string, unknown>): unknown {
  return JSON.parse(String(row["body"]));
}
