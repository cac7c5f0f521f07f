import type { DatabaseSync } from "node:sqlite";

/** A signed request, made for each attempt: signatures have the time. */
type WebhookMessage = { headers: Record<string, string>; body: string };

type DispatcherOptions = {
  outbox: Pick<WebhookOutbox, "urls" | "due" | "nextDue" | "finish" | "postpone">;
  /** Returns the message of a delivery; undefined if there is nothing to send. */
  sign: (delivery: Delivery) => WebhookMessage | undefined;
  /** Milliseconds between attempts; the last one repeats. */
  retryDelaysMs: readonly number[];
};

export type WebhookDispatcher = ReturnType<typeof createDispatcher>;

const MAX_CONCURRENT = 8;
const ATTEMPT_TIMEOUT_MS = 10_000;
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * Sends what the outbox holds, several at a time and in any order, until each address answers 2xx. A failed attempt is
 * repeated after the next delay with ±10 % jitter, for three days at most.
 */
export function createDispatcher({ outbox, sign, retryDelaysMs }: DispatcherOptions) {
  const underWay = new Map<number, Promise<void>>();
  const aborted = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let paused = false;
  let closed = false;

  /** Starts what is due and sets the timer for the next delivery. Cheap to call. */
  function wake(): void {
    clearTimeout(timer);
    if (closed || paused) return;
    const now = Date.now();
    for (const delivery of outbox.due(now, MAX_CONCURRENT + underWay.size)) {
      if (underWay.size >= MAX_CONCURRENT) return;
      if (!underWay.has(delivery.id)) underWay.set(delivery.id, attempt(delivery));
    }
    const next = outbox.nextDue(now);
    if (next !== undefined) timer = setTimeout(wake, Math.min(Math.max(next - Date.now(), 1), 2_147_483_647));
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const accepted = await post(delivery);
    underWay.delete(delivery.id);
    if (closed) return;
    if (accepted) outbox.finish(delivery.id, "delivered");
    else if (Date.now() - delivery.created > GIVE_UP_AFTER_MS) outbox.finish(delivery.id, "given_up");
    else outbox.postpone(delivery.id, Date.now() + retryDelay(delivery.attempts));
    wake();
  }

  async function post(delivery: Delivery): Promise<boolean> {
    const message = sign(delivery);
    const url = outbox.urls[delivery.endpoint];
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
      // Refused, cut off or too slow.
      return false;
    }
  }

  function retryDelay(attempts: number): number {
    const delay = retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? 60_000;
    return Math.round(delay * (0.9 + Math.random() * 0.2));
  }

  return {
    wake,
    isPaused: () => paused,
    /** While paused, events are stored and not sent. */
    setPaused(value: boolean): void {
      paused = value;
      wake();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      aborted.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** An event for one webhook endpoint. Times are milliseconds since 1970. */
type Delivery = { id: number; event: string; endpoint: number; attempts: number; due: number; created: number };

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
