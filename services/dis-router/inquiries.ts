import { LRUCache } from "lru-cache";
import type { ServiceBroker } from "moleculer";
import type { Result, Infer } from "@partline/api-contracts";
import { findHttpErrorDetails } from "@partline/http-client";
import { isRetired } from "@partline/parts-language";
import { getAt, getFrom, withTimeout } from "@partline/toolkit";
import type { DisError } from "../shared/dis-errors.ts";
import type { disRouterContract, inquiredPartRule } from "./contract.ts";
import { BATCH, type DisClient, type DisPart, type DisValue, toDisKey, routeToDis } from "./dis-client.ts";

export type InquiredPart = Infer<typeof inquiredPartRule>;
type VendorPart = Pick<InquiredPart, "vendor" | "partNumber">;

interface RememberedValue {
  value: DisValue;
  at: number;
}
export type Outcome = RememberedValue | { error: DisError };

/** Most parts remembered: some MB. */
const REMEMBERED = 20_000;
/** Largest age of a value that replaces a missing one, seconds. */
const OLDEST_STALE = 3_600;

/**
 * Asks the dealer inventory system, and not again about a part that it was asked about a short while ago. A request
 * outlives its callers: the answer is remembered. Without a client, no part is one of the dealer's.
 */
export function createInquiries(client: DisClient | undefined, onOutcome: OnOutcome) {
  const valuesByKey = new LRUCache<string, RememberedValue>({ max: REMEMBERED });
  const ask = client && createBatches(client, onOutcome);

  return {
    /** Returns the parts in the order given; what did not come in time says so. Age 0 asks in any case. */
    async inquire(
      parts: readonly VendorPart[],
      { maxAgeSeconds, deadlineMs }: { maxAgeSeconds: number; deadlineMs: number },
    ): Promise<InquiredPart[]> {
      const now = Date.now();
      const partsToAsk = new Map<string, DisPart>();
      const keys = parts.map(({ vendor, partNumber }) => {
        const code = ask ? routeToDis(vendor, partNumber) : null;
        if (code === null) return undefined;
        const part = { code, partNumber };
        const key = toDisKey(part);
        const last = valuesByKey.get(key);
        if (!last || getAgeSeconds(last, now) >= maxAgeSeconds) partsToAsk.set(key, part);
        return key;
      });
      const outcomes = new Map<string, Outcome>();
      const coming = ask?.([...partsToAsk.values()]) ?? [];
      const settlements = [...partsToAsk.keys()].map(async (key, index) => {
        const outcome = await getAt(coming, index);
        if ("value" in outcome) valuesByKey.set(key, outcome);
        outcomes.set(key, outcome);
      });
      await withTimeout(Promise.all(settlements), deadlineMs, () => undefined);
      return parts.map((part, index): InquiredPart => {
        const key = keys[index];
        if (!key) return describe(part, undefined, { error: isRetired(part.vendor) ? "retired_vendor" : "not_asked" });
        const outcome = partsToAsk.has(key) ? (outcomes.get(key) ?? ({ error: "timed_out" } as const)) : undefined;
        return describe(part, valuesByKey.get(key), outcome);
      });
    },
  };
}

function getAgeSeconds({ at: receivedAt }: RememberedValue, now = Date.now()): number {
  return Math.max(0, Math.floor((now - receivedAt) / 1_000));
}

/** @param outcome of asking now; undefined when what is known was fresh enough */
function describe(
  { vendor, partNumber }: VendorPart,
  remembered: RememberedValue | undefined,
  outcome: Outcome | undefined,
): InquiredPart {
  const live = outcome && "value" in outcome ? outcome : undefined;
  const current = live ?? (remembered && getAgeSeconds(remembered) <= OLDEST_STALE ? remembered : undefined);
  const { price, available, quantity } = current?.value.found
    ? current.value
    : { price: null, available: null, quantity: null };
  return {
    vendor,
    partNumber,
    found: current?.value.found ?? null,
    price,
    available,
    quantity,
    live: live !== undefined,
    saidAt: current ? new Date(current.at) : null,
    ageSeconds: current ? getAgeSeconds(current) : null,
    error: outcome && "error" in outcome ? outcome.error : null,
  };
}

/** Reports a request: null when the supplier answered. */
type OnOutcome = (error: DisError | null) => void;

/** Concurrent requests. */
const PARALLEL = 4;
/** Most parts that wait for a request; beyond them the answer is `busy`. */
const MOST_WAITING = 5_000;

type PendingPart = PromiseWithResolvers<Outcome> & { part: DisPart };

/**
 * Asks about single parts in few requests: at once while a request may begin, and in batches of what came meanwhile. A
 * part under way is not asked about twice.
 */
export function createBatches(
  client: DisClient,
  onOutcome: OnOutcome,
): (parts: readonly DisPart[]) => Promise<Outcome>[] {
  const waiting = new Map<string, PendingPart>();
  const pendingOutcomes = new Map<string, Promise<Outcome>>();
  let requests = 0;

  const send = async (batch: readonly [key: string, waiting: PendingPart][]): Promise<void> => {
    requests += 1;
    try {
      const parts = batch.map(([, { part }]) => part);
      const outcomes = await inquire(client, parts, onOutcome);
      for (const [key, { resolve }] of batch) resolve(getFrom(outcomes, key));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
    for (const [key] of batch) pendingOutcomes.delete(key);
    requests -= 1;
    sendAll();
  };

  const sendAll = (): void => {
    while (requests < PARALLEL && waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH);
      for (const [key] of batch) waiting.delete(key);
      void send(batch);
    }
  };

  const enqueue = (key: string, part: DisPart): Promise<Outcome> => {
    if (waiting.size >= MOST_WAITING) return Promise.resolve({ error: "busy" });
    const pendingPart = { part, ...Promise.withResolvers<Outcome>() };
    waiting.set(key, pendingPart);
    pendingOutcomes.set(key, pendingPart.promise);
    return pendingPart.promise;
  };

  return (parts) => {
    const outcomes = parts.map((part) => {
      const key = toDisKey(part);
      return pendingOutcomes.get(key) ?? enqueue(key, part);
    });
    sendAll();
    return outcomes;
  };
}

/** Asks about the parts of one request, and returns outcomes by key. Throws only what is not the supplier's doing. */
async function inquire(
  client: DisClient,
  parts: readonly DisPart[],
  onOutcome: OnOutcome,
): Promise<Map<string, Outcome>> {
  try {
    const values = await client.inquire(parts);
    const receivedAt = Date.now();
    onOutcome(null);
    return new Map(
      parts.map(toDisKey).map((key) => {
        const value = values.get(key);
        return [key, value ? { value, at: receivedAt } : { error: "unreadable" }];
      }),
    );
  } catch (thrown) {
    const failure = findHttpErrorDetails(thrown);
    if (!failure) throw thrown;
    const { reason } = failure;
    const error = reason === "unreachable" || reason === "failed" ? "unavailable" : reason;
    onOutcome(error);
    return new Map(parts.map((part) => [toDisKey(part), { error }]));
  }
}

/** Tracks the supplier's last outcome. A change is logged once. */
export function createSupplierHealth(logger: Pick<ServiceBroker["logger"], "info" | "warn">) {
  let last: NonNullable<Result<(typeof disRouterContract)["actions"]["health"]>["dis"]> = {
    status: "unknown",
    error: null,
    askedAt: null,
  };
  return {
    onOutcome(error: DisError | null): void {
      if (error !== null && last.error === null)
        logger.warn(
          `The dealer inventory system cannot be asked (${error}): the last known values are given until it can`,
        );
      if (error === null && last.error !== null) logger.info("The dealer inventory system answers again");
      last = { status: error === null ? "ok" : "error", error, askedAt: new Date() };
    },
    report: () => last,
  };
}
