import type { DatabaseSync } from "node:sqlite";

/** A signed request, made for each attempt: signatures have the time. */
type WebhookMessage = { headers: Record<string, string>; body: string };

type WebhookOptions = {
  urls: readonly string[];
  /** Returns the message of an event; undefined if there is nothing to send. */
  sign: (event: string) => WebhookMessage | undefined;
  /** Milliseconds between attempts; the last one repeats. */
  retryDelaysMs: readonly number[];
};

/**
 * An event for one endpoint, an index of `urls`: its address may change with a restart. `outcome` is null until it is
 * `delivered` or `given_up`. Times are milliseconds since 1970.
 */
type Delivery = { id: number; event: string; endpoint: number; attempts: number; due: number; created: number };

export type Webhooks = ReturnType<typeof createWebhooks>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL, outcome TEXT, created INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);
`;
const MAX_CONCURRENT = 8;
const ATTEMPT_TIMEOUT_MS = 10_000;
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * Stores deliveries and sends them, several at a time and in any order, until each address answers 2xx. A failed
 * attempt is repeated after the next delay with ±10 % jitter, for three days at most.
 */
export function createWebhooks(database: DatabaseSync, { urls, sign, retryDelaysMs }: WebhookOptions) {
  database.exec(SCHEMA);
  const insert = database.prepare("INSERT INTO deliveries (event, endpoint, due, created) VALUES (?, ?, ?, ?)");
  const dueDeliveries = database.prepare(
    "SELECT * FROM deliveries WHERE outcome IS NULL AND due <= ? ORDER BY due, id LIMIT ?",
  );
  const next = database.prepare("SELECT min(due) AS due FROM deliveries WHERE outcome IS NULL AND due > ?");
  const end = database.prepare("UPDATE deliveries SET outcome = ?, attempts = attempts + 1 WHERE id = ?");
  const postpone = database.prepare("UPDATE deliveries SET due = ?, attempts = attempts + 1 WHERE id = ?");
  const pending = database.prepare("SELECT count(*) AS pending FROM deliveries WHERE event = ? AND outcome IS NULL");
  const deliveriesByEvent = database.prepare(
    "SELECT endpoint, attempts, due, outcome FROM deliveries WHERE event = ? ORDER BY id",
  );
  const sending = new Map<number, Promise<void>>();
  const aborted = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let paused = false;

  /** Starts what is due and sets the timer for the next delivery. Cheap to call. */
  function wake(): void {
    clearTimeout(timer);
    if (aborted.signal.aborted || paused) return;
    const now = Date.now();
    for (const delivery of dueDeliveries.all(now, MAX_CONCURRENT + sending.size) as unknown as Delivery[]) {
      if (sending.size >= MAX_CONCURRENT) return;
      if (!sending.has(delivery.id)) sending.set(delivery.id, attempt(delivery));
    }
    const dueAt = next.get(now)?.["due"];
    if (typeof dueAt === "number") timer = setTimeout(wake, Math.min(Math.max(dueAt - Date.now(), 1), 2_147_483_647));
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { id, created, attempts } = delivery;
    const accepted = await post(delivery);
    sending.delete(id);
    if (aborted.signal.aborted) return;
    if (accepted) end.run("delivered", id);
    else if (Date.now() - created > GIVE_UP_AFTER_MS) end.run("given_up", id);
    else {
      const delay = retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? 60_000;
      postpone.run(Date.now() + Math.round(delay * (0.9 + Math.random() * 0.2)), id);
    }
    wake();
  }

  async function post({ event, endpoint }: Delivery): Promise<boolean> {
    const message = sign(event);
    const url = urls[endpoint];
    // An endpoint that is not configured any more gets nothing.
    if (!message || !url) return true;
    try {
      const response = await fetch(url, {
        method: "POST",
        ...message,
        redirect: "manual",
        signal: AbortSignal.any([aborted.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  return {
    urls,
    wake,
    /** Call it in the transaction that makes the event, and `wake` after it. */
    enqueue(event: string, times = 1): void {
      const now = Date.now();
      for (let time = 0; time < times; time++)
        for (const endpoint of urls.keys()) insert.run(event, endpoint, now, now);
    },
    pending: (event: string): number => Number(pending.get(event)?.["pending"] ?? 0),
    history: (event: string) => deliveriesByEvent.all(event),
    /** While paused, events are stored and not sent. */
    setPaused(value: boolean): void {
      paused = value;
      wake();
    },
    async close(): Promise<void> {
      aborted.abort();
      clearTimeout(timer);
      await Promise.all(sending.values());
    },
  };
}
