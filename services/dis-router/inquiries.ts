import { LRUCache } from "lru-cache";
import type { Infer } from "../../broker/contract/rules.ts";
import { isRetired } from "../../mixins/vendors.ts";
import { withinTime } from "../../mixins/within-time.ts";
import { createBatches, type Asked, type Known, type Outcome } from "./batches.ts";
import type { inquiredPartRule } from "./contract.ts";
import { disKey, type DisClient, type DisPart } from "./dis-client.ts";
import { routeToDis } from "./routing.ts";

export interface VendorPart {
  vendor: string;
  partNumber: string;
}
export type InquiredPart = Infer<typeof inquiredPartRule>;

export interface Inquiries {
  /** The parts in the order given; what did not come in time says so. */
  inquire(parts: readonly VendorPart[], limits: { maxAgeSeconds: number; deadlineMs: number }): Promise<InquiredPart[]>;
}

/** Most parts remembered: some MB. */
const REMEMBERED = 20_000;
/** Largest age of a value that replaces a missing one, seconds. */
const OLDEST_STALE = 3_600;

/**
 * Asks the dealer inventory system, and not again about a part that it was asked about a short while ago. A request
 * outlives its callers: the answer is remembered.
 */
export function createInquiries(client: DisClient, asked: Asked): Inquiries {
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
    async inquire(parts, { maxAgeSeconds, deadlineMs }) {
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
    ageSeconds: known ? ageOf(known) : null,
    error: outcome !== undefined && "error" in outcome ? outcome.error : null,
  };
}
