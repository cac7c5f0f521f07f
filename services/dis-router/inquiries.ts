import { LRUCache } from "lru-cache";
import type { ServiceBroker } from "moleculer";
import type { Infer } from "../../broker/contract/rules.ts";
import { type HttpFailure, httpErrorDetails } from "../../mixins/http-client/errors.ts";
import { isRetired } from "../../mixins/vendors.ts";
import { withinTime } from "../../mixins/within-time.ts";
import type { DisError } from "../shared/dis-errors.ts";
import type { inquiredPartRule } from "./contract.ts";
import { BATCH, type DisClient, type DisPart, type DisValue, disKey, routeToDis } from "./dis-client.ts";

interface VendorPart {
  vendor: string;
  partNumber: string;
}
export type InquiredPart = Infer<typeof inquiredPartRule>;

/** Most parts remembered: some MB. */
const REMEMBERED = 20_000;
/** Largest age of a value that replaces a missing one, seconds. */
const OLDEST_STALE = 3_600;

/**
 * Asks the dealer inventory system, and not again about a part that it was asked about a short while ago. A request
 * outlives its callers: the answer is remembered.
 */
export function createInquiries(client: DisClient, asked: Asked) {
  const known = new LRUCache<string, Known>({ max: REMEMBERED });
  const askBatched = createBatches(client, asked);

  const ask = (wanted: ReadonlyMap<string, DisPart>): [key: string, outcome: Promise<Outcome>][] => {
    const outcomes = askBatched([...wanted.values()]);
    return [...wanted.keys()].map((key, index) => [
      key,
      outcomes[index]!.then((outcome) => {
        if ("value" in outcome) known.set(key, outcome);
        return outcome;
      }),
    ]);
  };

  return {
    /** Returns the parts in the order given; what did not come in time says so. */
    async inquire(
      parts: readonly VendorPart[],
      { maxAgeSeconds, deadlineMs }: { maxAgeSeconds: number; deadlineMs: number },
    ): Promise<InquiredPart[]> {
      const now = Date.now();
      const routed = parts.map(({ vendor, partNumber }) => {
        const code = routeToDis(vendor, partNumber);
        return code && { code, partNumber };
      });
      const keys = routed.map((part) => part && disKey(part));
      const wanted = new Map<string, DisPart>();
      for (const [index, part] of routed.entries()) {
        const key = keys[index];
        if (part && key && !isFresh(known.get(key), now, maxAgeSeconds)) wanted.set(key, part);
      }
      const outcomes = await answeredWithin(ask(wanted), deadlineMs);
      return parts.map((part, index): InquiredPart => {
        const key = keys[index];
        if (!key) return describe(part, undefined, { error: isRetired(part.vendor) ? "retired_vendor" : "not_asked" });
        return describe(
          part,
          known.get(key),
          wanted.has(key) ? (outcomes.get(key) ?? { error: "timed_out" }) : undefined,
        );
      });
    },
  };
}

/** Age 0 is never fresh enough: the caller wants the supplier asked. */
function isFresh(known: Known | undefined, now: number, maxAgeSeconds: number): boolean {
  return known !== undefined && ageOf(known, now) < maxAgeSeconds;
}

function ageOf({ at }: Known, now = Date.now()): number {
  return Math.max(0, Math.floor((now - at) / 1_000));
}

/** What has come when all have, or when the time is over. */
async function answeredWithin(
  coming: readonly (readonly [key: string, outcome: Promise<Outcome>])[],
  deadlineMs: number,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const all = Promise.all(coming.map(async ([key, outcome]) => outcomes.set(key, await outcome)));
  await withinTime(all, deadlineMs, () => undefined);
  return outcomes;
}

/** @param outcome of asking now; undefined when what is known was fresh enough */
function describe(
  { vendor, partNumber }: VendorPart,
  remembered: Known | undefined,
  outcome: Outcome | undefined,
): InquiredPart {
  const live = outcome !== undefined && "value" in outcome ? outcome : undefined;
  const known = live ?? (remembered && ageOf(remembered) <= OLDEST_STALE ? remembered : undefined);
  const value = known?.value.found ? known.value : { price: null, available: null, quantity: null };
  return {
    vendor,
    partNumber,
    found: known ? known.value.found : null,
    price: value.price,
    available: value.available,
    quantity: value.quantity,
    live: live !== undefined,
    saidAt: known ? new Date(known.at) : null,
    ageSeconds: known ? ageOf(known) : null,
    error: outcome !== undefined && "error" in outcome ? outcome.error : null,
  };
}

interface Known {
  value: DisValue;
  at: number;
}
export type Outcome = Known | { error: DisError };

/** Reports a request: null when the supplier answered. */
type Asked = (error: DisError | null) => void;

/** Concurrent requests. */
const PARALLEL = 4;
/** Most parts that wait for a request; beyond them the answer is `busy`. */
const MOST_WAITING = 5_000;

interface Waiting {
  part: DisPart;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Asks about single parts in few requests: at once while a request may begin, and in batches of what came meanwhile. A
 * part under way is not asked about twice.
 */
export function createBatches(client: DisClient, asked: Asked): (parts: readonly DisPart[]) => Promise<Outcome>[] {
  const waiting = new Map<string, Waiting>();
  const underWay = new Map<string, Promise<Outcome>>();
  let requests = 0;

  const send = async (batch: readonly [key: string, waiting: Waiting][]): Promise<void> => {
    requests += 1;
    try {
      const outcomes = await inquire(
        client,
        batch.map(([, { part }]) => part),
        asked,
      );
      for (const [key, { resolve }] of batch) resolve(outcomes.get(key)!);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
    for (const [key] of batch) underWay.delete(key);
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
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    waiting.set(key, { part, resolve, reject });
    underWay.set(key, promise);
    return promise;
  };

  return (parts) => {
    const outcomes = parts.map((part) => {
      const key = disKey(part);
      return underWay.get(key) ?? enqueue(key, part);
    });
    sendAll();
    return outcomes;
  };
}

/** The outcome of every part of one request, by its key. Throws only what is not the supplier's doing. */
async function inquire(client: DisClient, parts: readonly DisPart[], asked: Asked): Promise<Map<string, Outcome>> {
  try {
    const values = await client.inquire(parts);
    const at = Date.now();
    asked(null);
    return new Map(
      parts.map(disKey).map((key) => {
        const value = values.get(key);
        return [key, value ? { value, at } : { error: "unreadable" }];
      }),
    );
  } catch (error) {
    const failure = httpErrorDetails(error);
    if (!failure) throw error;
    const told = disErrorOf(failure.reason);
    asked(told);
    return new Map(parts.map((part) => [disKey(part), { error: told }]));
  }
}

function disErrorOf(reason: HttpFailure): DisError {
  return reason === "unreachable" || reason === "failed" ? "unavailable" : reason;
}

/** The supplier's last outcome. A change is logged once. */
export function createSupplierHealth(logger: Pick<ServiceBroker["logger"], "info" | "warn">) {
  let last: { error: DisError | null; at: Date } | undefined;
  return {
    asked(error: DisError | null): void {
      if (error !== null && !last?.error)
        logger.warn(
          `The dealer inventory system cannot be asked (${error}): the last known values are given until it can`,
        );
      if (error === null && last?.error) logger.info("The dealer inventory system answers again");
      last = { error, at: new Date() };
    },
    report: () => ({
      status: last === undefined ? ("unknown" as const) : last.error === null ? ("ok" as const) : ("error" as const),
      error: last?.error ?? null,
      askedAt: last?.at ?? null,
    }),
  };
}
