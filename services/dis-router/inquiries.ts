import { bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import type { Infer } from "../../broker/contract/rules.ts";
import { httpErrorDetails, type HttpFailure } from "../../mixins/http-client/errors.ts";
import type { DisValue } from "./answer.ts";
import type { DisError, inquiredPartRule } from "./contract.ts";
import { BATCH, disKey, type DisClient, type DisPart } from "./dis-client.ts";
import { isRetired, routeToDis } from "./routing.ts";

export interface VendorPart {
  vendor: string;
  partNumber: string;
}
export type InquiredPart = Infer<typeof inquiredPartRule>;

export interface Inquiries {
  /** The parts in the order given; what cannot be had in time says so itself. */
  inquire(parts: readonly VendorPart[], limits: { maxAgeSeconds: number; deadlineMs: number }): Promise<InquiredPart[]>;
}

/** What came of asking: null when the supplier answered. */
export type Asked = (error: DisError | null) => void;

/** A value, and when the supplier said so. */
interface Known {
  value: DisValue;
  at: number;
}
type Outcome = Known | { error: DisError };

/** Requests at the same moment. */
const PARALLEL = 4;
/** Parts that are remembered: the whole catalog of a large shop would be some tens of MB, and this is a few. */
const REMEMBERED = 20_000;
/** How old a value may be that stands in for one that cannot be had; seconds. */
const OLDEST_STALE = 3_600;

/**
 * Asks the dealer inventory system about parts: once about a part that several ask about at the same moment, and not again about
 * one that it was asked about a short while ago. A request goes on when those who asked no longer wait: its answer is remembered.
 */
export function createInquiries(client: DisClient, asked: Asked): Inquiries {
  const known = new LRUCache<string, Known>({ max: REMEMBERED });
  const inFlight = new Map<string, Promise<Outcome>>();
  const places = bulkhead(PARALLEL, Number.POSITIVE_INFINITY);

  /** The outcome of every part of one request. */
  const ask = async (parts: readonly DisPart[]): Promise<Map<string, Outcome>> => {
    try {
      const values = await places.execute(() => client.inquire(parts));
      const at = Date.now();
      asked(null);
      return new Map(parts.map(disKey).map((key) => {
        const value = values.get(key);
        return [key, value ? { value, at } : { error: "unreadable" }];
      }));
    } catch (error) {
      const failure = httpErrorDetails(error);
      if (!failure) throw error;
      const told = disErrorOf(failure.reason);
      asked(told);
      return new Map(parts.map((part) => [disKey(part), { error: told }]));
    }
  };

  const launch = (parts: readonly DisPart[]): void => {
    const flight = ask(parts);
    for (const key of parts.map(disKey)) {
      const outcome = flight.then((outcomes) => {
        const own = outcomes.get(key)!;
        if ("value" in own) known.set(key, own);
        return own;
      });
      inFlight.set(key, outcome);
      const landed = () => void inFlight.delete(key);
      outcome.then(landed, landed);
    }
  };

  return {
    async inquire(parts, { maxAgeSeconds, deadlineMs }) {
      const now = Date.now();
      const routed = parts.map(({ vendor, partNumber }) => {
        const code = routeToDis(vendor, partNumber);
        return code && { code, partNumber, key: disKey({ code, partNumber }) };
      });
      const wanted = new Map(routed.flatMap((part) => (part && !isFresh(known.get(part.key), now, maxAgeSeconds) ? [[part.key, part]] : [])));
      const missing = [...wanted.values()].filter(({ key }) => !inFlight.has(key));
      for (let start = 0; start < missing.length; start += BATCH) launch(missing.slice(start, start + BATCH));
      const outcomes = await withinTime([...wanted.keys()].map((key) => [key, inFlight.get(key)!]), deadlineMs);
      return parts.map((part, index): InquiredPart => {
        const key = routed[index]?.key;
        if (key === undefined) return describe(part, undefined, { error: isRetired(part.vendor) ? "retired_vendor" : "not_asked" });
        return describe(part, known.get(key), wanted.has(key) ? (outcomes.get(key) ?? { error: "timed_out" }) : undefined);
      });
    },
  };
}

/** Age 0 is never fresh enough: whoever wants it wants the supplier asked. */
function isFresh(known: Known | undefined, now: number, maxAgeSeconds: number): boolean {
  return known !== undefined && ageOf(known, now) < maxAgeSeconds;
}

function ageOf({ at }: Known, now = Date.now()): number {
  return Math.max(0, Math.floor((now - at) / 1_000));
}

/** What has come of the flights when all have landed, or the time is over. */
async function withinTime(flights: readonly (readonly [key: string, flight: Promise<Outcome>])[], deadlineMs: number): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  const landed = Promise.all(flights.map(async ([key, flight]) => outcomes.set(key, await flight)));
  await Promise.race([landed, over]).finally(() => clearTimeout(timer));
  return outcomes;
}

/** @param outcome of asking now; undefined when what is known was fresh enough */
function describe({ vendor, partNumber }: VendorPart, remembered: Known | undefined, outcome: Outcome | undefined): InquiredPart {
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
    ageSeconds: known ? ageOf(known) : null,
    error: outcome !== undefined && "error" in outcome ? outcome.error : null,
  };
}

function disErrorOf(reason: HttpFailure): DisError {
  return reason === "unreachable" || reason === "failed" ? "unavailable" : reason;
}
