import type { DatabaseSync } from "node:sqlite";

/** An event for one webhook endpoint. Times are milliseconds since 1970. */
export type Delivery = { id: number; event: string; endpoint: number; attempts: number; due: number; created: number };

export type WebhookOutbox = ReturnType<typeof createOutbox>;

export const OUTBOX_SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL, outcome TEXT, created INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
`;

/**
 * Stores deliveries. An endpoint is an index of `urls`: its address may change with a restart. The transaction that
 * makes an event calls `enqueue`. `outcome` is null until a delivery is `delivered` or `given_up`.
 */
export function createOutbox(database: DatabaseSync, urls: readonly string[]) {
  const insert = database.prepare("INSERT INTO deliveries (event, endpoint, due, created) VALUES (?, ?, ?, ?)");
  const due = database.prepare("SELECT * FROM deliveries WHERE outcome IS NULL AND due <= ? ORDER BY due, id LIMIT ?");
  const next = database.prepare("SELECT min(due) AS due FROM deliveries WHERE outcome IS NULL AND due > ?");
  const finish = database.prepare("UPDATE deliveries SET outcome = ?, attempts = attempts + 1 WHERE id = ?");
  const postpone = database.prepare("UPDATE deliveries SET due = ?, attempts = attempts + 1 WHERE id = ?");
  const pending = database.prepare("SELECT count(*) AS pending FROM deliveries WHERE event = ? AND outcome IS NULL");
  const byEvent = database.prepare(
    "SELECT endpoint, attempts, due, outcome FROM deliveries WHERE event = ? ORDER BY id",
  );
  return {
    urls,
    enqueue(eventId: string, times = 1): void {
      const now = Date.now();
      for (let time = 0; time < times; time++)
        for (const endpoint of urls.keys()) insert.run(eventId, endpoint, now, now);
    },
    due: (now: number, limit: number): Delivery[] => due.all(now, limit) as unknown as Delivery[],
    /** Returns when the next delivery after `now` is due. */
    nextDue(now: number): number | undefined {
      const at = next.get(now)?.["due"];
      return at === null || at === undefined ? undefined : Number(at);
    },
    finish: (id: number, outcome: "delivered" | "given_up"): void => void finish.run(outcome, id),
    postpone: (id: number, until: number): void => void postpone.run(until, id),
    /** Counts the deliveries of an event that have not succeeded. */
    pending: (eventId: string): number => Number(pending.get(eventId)?.["pending"] ?? 0),
    history: (eventId: string) => byEvent.all(eventId),
  };
}
