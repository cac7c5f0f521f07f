import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import type { AnyResource, ResourceByObject, ResourceObject } from "./resources.ts";

/** What a list asks for. `match` compares fields by their JSON path (`payment_intent`, `customer_details.email`). */
export type ListQuery = {
  match?: Record<string, string | undefined>;
  anyOf?: { field: string; values: string[] };
  created?: { gt?: number; gte?: number; lt?: number; lte?: number };
  limit: number;
  /** Ids of the same kind that bound the page: the one before its first entry, or the one after its last. */
  startingAfter?: string;
  endingBefore?: string;
};

export type Store = ReturnType<typeof createStore>;

/** The resources, newest first in lists, and beside each the details that the API does not show. */
export function createStore(database: DatabaseSync) {
  const insertRow = database.prepare("INSERT INTO resources (id, object, created, body) VALUES (?, ?, ?, ?)");
  const updateRow = database.prepare("UPDATE resources SET body = ? WHERE id = ?");
  const selectRow = database.prepare("SELECT body FROM resources WHERE id = ?");
  const deleteRow = database.prepare("DELETE FROM resources WHERE id = ?");
  const selectSeq = database.prepare("SELECT seq FROM resources WHERE id = ? AND object = ?");
  const isOpen = "object = 'checkout.session' AND json_extract(body, '$.status') = 'open'";
  const expiry = "json_extract(body, '$.expires_at')";
  const dueSessions = database.prepare(
    `SELECT body FROM resources WHERE ${isOpen} AND ${expiry} <= ? ORDER BY ${expiry} LIMIT ?`,
  );
  const nextExpiry = database.prepare(`SELECT min(${expiry}) AS at FROM resources WHERE ${isOpen}`);
  const putDetails = database.prepare("INSERT OR REPLACE INTO details (id, body) VALUES (?, ?)");
  const selectDetails = database.prepare("SELECT body FROM details WHERE id = ?");

  function findAny(id: string): AnyResource | undefined {
    const row = selectRow.get(id);
    return row ? (JSON.parse(String(row["body"])) as AnyResource) : undefined;
  }

  function seqOf(object: ResourceObject, id: string | undefined): number | undefined {
    const row = id === undefined ? undefined : selectSeq.get(id, object);
    return row ? Number(row["seq"]) : undefined;
  }

  return {
    insert<T extends AnyResource>(resource: T): T {
      insertRow.run(resource.id, resource.object, resource.created, JSON.stringify(resource));
      return resource;
    },

    update<T extends AnyResource>(resource: T): T {
      updateRow.run(JSON.stringify(resource), resource.id);
      return resource;
    },

    remove(id: string): void {
      deleteRow.run(id);
    },

    findAny,

    find<K extends ResourceObject>(object: K, id: string): ResourceByObject[K] | undefined {
      const found = findAny(id);
      return found?.object === object ? (found as ResourceByObject[K]) : undefined;
    },

    has(object: ResourceObject, id: string): boolean {
      return seqOf(object, id) !== undefined;
    },

    /** One page, newest first, and whether there is more beyond it in the direction asked for. */
    list<K extends ResourceObject>(object: K, query: ListQuery): { rows: ResourceByObject[K][]; hasMore: boolean } {
      const { clauses, values } = conditions(object, query);
      const after = seqOf(object, query.startingAfter);
      const before = seqOf(object, query.endingBefore);
      if (after !== undefined) clauses.push(`seq < ${after}`);
      if (before !== undefined) clauses.push(`seq > ${before}`);
      const order = before !== undefined ? "ASC" : "DESC";
      const sql = `SELECT body FROM resources WHERE ${clauses.join(" AND ")} ORDER BY seq ${order} LIMIT ${query.limit + 1}`;
      const found = database
        .prepare(sql)
        .all(...values)
        .map((row) => JSON.parse(String(row["body"])) as ResourceByObject[K]);
      const rows = found.slice(0, query.limit);
      return { rows: before !== undefined ? rows.reverse() : rows, hasMore: found.length > query.limit };
    },

    /** Open checkout sessions whose time has come by `now`, in unix seconds; the first to expire first. */
    dueSessions(now: number, limit: number): ResourceByObject["checkout.session"][] {
      return dueSessions
        .all(now, limit)
        .map((row) => JSON.parse(String(row["body"])) as ResourceByObject["checkout.session"]);
    },

    /** When the first open checkout session expires, in unix seconds. */
    nextExpiry(): number | undefined {
      const at = nextExpiry.get()?.["at"];
      return at === null || at === undefined ? undefined : Number(at);
    },

    setDetails(id: string, value: object): void {
      putDetails.run(id, JSON.stringify(value));
    },

    details(id: string): object | undefined {
      const row = selectDetails.get(id);
      return row && (JSON.parse(String(row["body"])) as object);
    },
  };
}

function conditions(object: ResourceObject, query: ListQuery): { clauses: string[]; values: SQLInputValue[] } {
  const clauses = ["object = ?"];
  const values: SQLInputValue[] = [object];
  for (const [field, value] of Object.entries(query.match ?? {})) {
    if (value === undefined) continue;
    clauses.push(`json_extract(body, '$.${field}') = ?`);
    values.push(value);
  }
  if (query.anyOf) {
    clauses.push(`json_extract(body, '$.${query.anyOf.field}') IN (${query.anyOf.values.map(() => "?").join(", ")})`);
    values.push(...query.anyOf.values);
  }
  const bounds = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
  for (const [name, sign] of Object.entries(bounds)) {
    const bound = query.created?.[name as keyof typeof bounds];
    if (bound === undefined) continue;
    clauses.push(`created ${sign} ?`);
    values.push(bound);
  }
  return { clauses, values };
}
