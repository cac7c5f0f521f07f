import type { Params, Result } from "../../broker/contract/define.ts";
import { stockPolicyOf, type StockPolicies, type StockPolicy } from "../../broker/settings/stock.ts";
import { compareAndSet, replacing } from "../../mixins/documents/compare-and-set.ts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { PartlineError } from "../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import type { catalogContract } from "./contract.ts";
import { type Holder, limitHeld } from "./holders.ts";
import { availabilityOfPart, type PartDocument } from "./part.ts";
import { partsById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";

/** Pieces of a product that one checkout or order holds. */
interface HeldLine {
  productId: string;
  quantity: number;
  /** Of those, pieces that were in stock when an unpaid checkout asked for them. */
  inStock?: number;
}

/** Pieces that an unpaid checkout (`cart:…`, `checkout:…`) or an unshipped order (`order:…`) holds. */
export interface StockHold extends Document {
  lines: HeldLine[];
  /** Of a checkout: the ids of its lines, by which those that ran out are found. */
  products?: string[];
  /** Of a checkout: whose bounds it counts for. */
  holders?: string[];
  until?: Date;
  /** Of an order: its version when it held these. */
  version?: number;
  /** Counts writes, for compare-and-set. */
  revision: number;
  /** Of an order that has nothing left to ship. */
  purgeAt?: Date;
}

export const STOCK_HOLDS: CollectionDefinition = {
  name: "stock_holds",
  fields: { until: "date", revision: "number", purgeAt: "date" },
  indexes: [{ keys: { until: 1 } }],
  expires: "purgeAt",
};

/** What one hold takes of a holder's bounds; `_id` is `<holder>:<hold>`, so that a holder's are found by a range. */
export interface HolderShare extends Document {
  lines: HeldLine[];
}

export const HOLDER_SHARES: CollectionDefinition = { name: "stock_holder_shares" };

/** The sum of all holds of a product, by its id. */
export interface StockLevel extends Document {
  held: number;
}

export const STOCK_LEVELS: CollectionDefinition = { name: "stock_levels", fields: { held: "number" } };

/** A hold that ran out still counts for this long: the order of a payment in its last moment may be on its way. */
const FREED_AFTER_MS = 2 * 60_000;
const FREED_AT_ONCE = 50;
/** How long it is known that nothing of an order is left to ship, for events that come late. */
const SETTLED_KEPT_MS = 30 * 24 * 60 * 60_000;

type HoldAction = (typeof catalogContract)["actions"]["hold"];

interface HeldOrder {
  orderId: string;
  version: number;
  /** Pieces that are still to be shipped. */
  lines: readonly Pick<HeldLine, "productId" | "quantity">[];
  hold?: string | undefined;
}

/** Learns which parts have another availability because of what is held. No checkout waits for it. */
interface Followers {
  notify(parts: readonly PartDocument[]): Promise<void>;
  /** Gets the error if the parts could not be read, or `notify` failed. */
  onError(error: unknown): void;
}

interface Deps {
  documents: DocumentStore;
  reader: PartReader;
  policies: StockPolicies;
  followers?: Followers;
}

/**
 * Pieces that unpaid checkouts and unshipped orders hold. The sum of each product is written with the holds that it is
 * made of, if it is still the one that was read: so no two checkouts are promised the same piece. Parts whose stock the
 * dealer never said hold nothing.
 */
export function createStock({ documents, reader, policies, followers }: Deps) {
  const holds = documents.collection<StockHold>(STOCK_HOLDS);
  const levels = documents.collection<StockLevel>(STOCK_LEVELS);
  const shares = documents.collection<HolderShare>(HOLDER_SHARES);
  /** Requests for the same product do not collide within a process. */
  const queue = new KeyedQueue();

  async function stocked(lines: readonly { productId: string }[]): Promise<Map<string, PartDocument>> {
    const parts = await partsById(reader, [...new Set(lines.map(({ productId }) => productId))]);
    return new Map(parts.flatMap((part) => (part?.stock ? [[part._id, part] as const] : [])));
  }

  /** Replaces the holds of keys by what `decide` makes of them, in their order; null is none. */
  async function rewrite(
    keys: readonly string[],
    products: readonly string[],
    decide: (known: (StockHold | null)[], heldOf: (productId: string) => number) => (StockHold | null)[],
  ): Promise<void> {
    const turned = await queue.run([...products].sort()[0] ?? keys[0]!, () =>
      compareAndSet(documents, "The stock", async () => {
        const found = await holds.find({ _id: { $in: keys } });
        const known = keys.map((key) => found.find(({ _id }) => _id === key) ?? null);
        const touched = new Set([...products, ...byProduct(found.flatMap(({ lines }) => lines)).keys()]);
        const counted = touched.size === 0 ? [] : await levels.find({ _id: { $in: [...touched] } });
        const level = new Map(counted.map((of) => [of._id, of]));
        const next = decide(known, (productId) => level.get(productId)?.held ?? 0);
        const conditions = known.flatMap((before, index) =>
          before === next[index] ? [] : [replaced(before, next[index] ?? null)],
        );
        const changed = new Map<string, { from: number; to: number }>();
        if (conditions.length === 0) return { conditions, result: changed };
        const before = byProduct(known.flatMap((hold) => hold?.lines ?? []));
        const after = byProduct(next.flatMap((hold) => hold?.lines ?? []));
        for (const productId of touched) {
          const change = (after.get(productId) ?? 0) - (before.get(productId) ?? 0);
          const of = level.get(productId) ?? null;
          // Also one that stays as it is: what was decided depends on it.
          const from = of?.held ?? 0;
          conditions.push(replacing(STOCK_LEVELS, of, "held", { _id: productId, held: from + change }));
          if (change !== 0) changed.set(productId, { from, to: from + change });
        }
        const also = known.flatMap((before, index) => shareWrites(before, next[index] ?? null));
        return { conditions, also, result: changed };
      }),
    );
    // Nobody waits for the search index.
    if (followers && turned.size > 0) notifyOfTurned(turned, followers).catch(followers.onError);
  }

  async function notifyOfTurned(
    changed: ReadonlyMap<string, { from: number; to: number }>,
    { notify }: Followers,
  ): Promise<void> {
    const parts = await stocked([...changed.keys()].map((productId) => ({ productId })));
    const turned = [...changed].flatMap(([productId, { from, to }]) => {
      const part = parts.get(productId);
      return part && availabilityOfPart(part, from) !== availabilityOfPart(part, to) ? [part] : [];
    });
    if (turned.length > 0) await notify(turned);
  }

  /** Returns what each holder's other checkouts hold. */
  async function findHeldElsewhere(key: string, holders: readonly Holder[]): Promise<Map<string, HeldLine[]>> {
    const found = holders.map(async ({ id }): Promise<[string, HeldLine[]]> => {
      const theirs = await shares.find({ _id: { $gt: `${id}:`, $lt: `${id};` } });
      return [id, theirs.filter(({ _id }) => _id !== shareId(id, key)).flatMap(({ lines }) => lines)];
    });
    return new Map(await Promise.all(found));
  }

  const lapsedBefore = (): Date => new Date(Date.now() - FREED_AFTER_MS);

  /** Frees checkouts' holds that ran out; if products are given, of those alone. */
  async function freeLapsed(products?: readonly string[]): Promise<void> {
    const before = lapsedBefore();
    const lapsed = { until: { $lt: before }, ...(products ? { $or: products.map((id) => ({ products: id })) } : {}) };
    for (;;) {
      const found = await holds.find(lapsed, { sort: { until: 1 }, limit: FREED_AT_ONCE });
      if (found.length > 0) {
        const keys = found.map(({ _id }) => _id);
        const touched = byProduct(found.flatMap(({ lines }) => lines));
        await rewrite(keys, [...touched.keys()], (known) =>
          known.map((hold) => (hold?.until && hold.until < before ? null : hold)),
        );
      }
      if (found.length < FREED_AT_ONCE) return;
    }
  }

  const policyOf = ({ manufacturer }: PartDocument): StockPolicy => stockPolicyOf(policies, manufacturer.code);

  return {
    /** Whether a part is sold up to its stock alone, and its stock is unknown. */
    isMissing: (part: PartDocument): boolean => !part.stock && policyOf(part).beyond === "up_to_stock",

    /** Frees all holds that ran out, so that the few of the parts that are asked for are found fast. */
    freeing: {
      isNeeded: async () => (await holds.findOne({ until: { $lt: lapsedBefore() } })) !== null,
      run: () => freeLapsed(),
    },

    /** Returns how many pieces of each of these parts are held, without those that nobody holds. */
    async heldOf(productIds: readonly string[]): Promise<Map<string, number>> {
      const counted = productIds.length === 0 ? [] : await levels.find({ _id: { $in: [...productIds] } });
      return new Map(counted.flatMap(({ _id, held }) => (held > 0 ? [[_id, held] as const] : [])));
    },

    /**
     * Holds pieces for a checkout, as many as the bounds of its holders leave. A repeat keeps what the key was
     * promised, and holds no fewer pieces. Of a paid one, all pieces are held.
     * @returns of each line the pieces beyond the stock, null while that is unknown, and the days until those come
     * @throws OUT_OF_STOCK naming what is left of each part that its vendor sells up to the stock alone
     */
    async hold(
      { key, lines, until, paid }: Params<HoldAction>,
      holders: readonly Holder[],
    ): Promise<Result<HoldAction>> {
      const parts = await stocked(lines);
      const wanted = byProduct(lines.filter(({ productId }) => parts.has(productId)));
      if (wanted.size === 0) return { whole: true, lines: lines.map(() => ({ backordered: null, days: null })) };
      await freeLapsed([...wanted.keys()]);
      const inStock = new Map<string, number>();
      let whole = true;
      const work = async (): Promise<void> => {
        const elsewhere = await findHeldElsewhere(key, holders);
        const most = limitHeld(wanted, holders, ({ id }) => elsewhere.get(id) ?? []);
        await rewrite([key], [...wanted.keys()], ([known = null], heldOf) => {
          const own = new Map(known?.lines.map((line) => [line.productId, line]));
          const left = new Map<string, number>();
          whole = true;
          for (const [productId, quantity] of wanted) {
            const { quantity: held = 0, inStock: promised = 0 } = own.get(productId) ?? {};
            const onHand = onHandOf(parts.get(productId)!);
            const others = heldOf(productId) - held;
            inStock.set(productId, inStockFor(quantity, onHand, others, promised));
            left.set(productId, inStockFor(onHand, onHand, others, promised));
            const reserved = Math.max(held, most.get(productId) ?? 0);
            if (reserved < quantity) whole = false;
            if (reserved === 0) continue;
            const promise = Math.min(reserved, Math.max(promised, inStock.get(productId)!));
            own.set(productId, { productId, quantity: reserved, inStock: promise });
          }
          const short = [...wanted].flatMap(([productId, quantity]) => {
            const part = parts.get(productId)!;
            const refused = policyOf(part).beyond === "up_to_stock" && inStock.get(productId)! < quantity;
            return refused ? [{ part, left: left.get(productId)! }] : [];
          });
          if (short.length > 0 && !paid) throw outOfStock(short);
          if (own.size === 0) return [known];
          const later = known?.until && known.until > until ? known.until : until;
          return [
            {
              _id: key,
              lines: [...own.values()],
              products: [...own.keys()],
              holders: [...new Set([...(known?.holders ?? []), ...holders.map(({ id }) => id)])],
              until: later,
              revision: (known?.revision ?? 0) + 1,
            },
          ];
        });
      };
      // Requests of a holder at the same moment do not count past each other; over several nodes by one a node.
      await holders.reduceRight(
        (inner, { id }) =>
          () =>
            queue.run(`holder:${id}`, inner),
        work,
      )();
      const beyond = beyondStock(lines, inStock);
      return {
        whole,
        lines: lines.map(({ productId }, index) => {
          const part = parts.get(productId);
          const backordered = beyond[index] ?? null;
          return { backordered, days: (backordered && part && policyOf(part).days) || null };
        }),
      };
    },

    release: (key: string): Promise<void> => rewrite([key], [], () => [null]),

    /**
     * Holds what is left to ship of an order, in place of its checkout's hold. Events may come twice and in any order.
     */
    async holdOfOrder({ orderId, version, lines, hold }: HeldOrder): Promise<void> {
      const parts = await stocked(lines);
      const counted = lines.filter(({ productId }) => parts.has(productId));
      const key = `order:${orderId}`;
      await rewrite(
        [key, ...(hold === undefined ? [] : [hold])],
        counted.map(({ productId }) => productId),
        ([known = null, ofCheckout = null]) => {
          // A repeat: what the cart holds now is of a later checkout.
          if (known && known.version === version) return [known, ofCheckout];
          const isKnown = known ? (known.version ?? 0) >= version : counted.length === 0 && version === 1;
          const next: StockHold = {
            _id: key,
            lines: [...byProduct(counted)].map(([productId, quantity]) => ({ productId, quantity })),
            version,
            revision: (known?.revision ?? 0) + 1,
            purgeAt: counted.length === 0 ? new Date(Date.now() + SETTLED_KEPT_MS) : undefined,
          };
          return [isKnown ? known : next, null];
        },
      );
    },
  };
}

function replaced(known: StockHold | null, next: StockHold | null): AtomicWrite {
  if (next || !known) return replacing(STOCK_HOLDS, known, "revision", next!);
  return {
    collection: STOCK_HOLDS,
    require: true,
    deleteOne: { filter: { _id: known._id, revision: known.revision } },
  };
}

function shareId(holder: string, hold: string): string {
  return `${holder}:${hold}`;
}

/** Returns the writes by which holders' shares follow a hold. */
function shareWrites(known: StockHold | null, next: StockHold | null): AtomicWrite[] {
  if (known === next) return [];
  const { holders: left = [] } = next ?? {};
  const gone = (known?.holders ?? []).filter((holder) => !left.includes(holder));
  const collection = HOLDER_SHARES;
  return [
    ...gone.map((holder) => ({ collection, deleteOne: { filter: { _id: shareId(holder, known!._id) } } })),
    ...left.map((holder) => {
      const _id = shareId(holder, next!._id);
      const replacement = { _id, lines: next!.lines };
      return { collection, replaceOne: { filter: { _id }, replacement, upsert: true } };
    }),
  ];
}

/** A part that the dealer does not sell now counts as none on hand. */
function onHandOf({ stock }: PartDocument): number {
  return stock?.available === false ? 0 : Math.max(0, stock?.quantityOnHand ?? 0);
}

function outOfStock(short: readonly { part: PartDocument; left: number }[]): PartlineError {
  const refusals = short.map(({ part: { _id: productId, partNumber, title }, left }) => {
    const message = `"${title}" (${partNumber}): ${left} left`;
    return { productId, partNumber, left, message };
  });
  const message = `Not enough in stock: ${refusals.map((refusal) => refusal.message).join("; ")}`;
  return new PartlineError("OUT_OF_STOCK", message, refusals);
}

/**
 * Returns how many pieces of a request are in stock: what others do not hold, and what it was promised before. Others'
 * pieces count whether they are in stock or backordered, so that who comes first is served first.
 * @param onHand pieces as the dealer last said
 * @param heldByOthers pieces of unpaid checkouts and unshipped orders
 */
export function inStockFor(quantity: number, onHand: number, heldByOthers: number, promised = 0): number {
  return Math.max(0, Math.min(quantity, Math.max(onHand - heldByOthers, Math.min(promised, onHand))));
}

function byProduct(lines: readonly HeldLine[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return sums;
}

/** Returns how many pieces of each line are beyond the stock, given those of each product that are in it. */
export function beyondStock(lines: readonly HeldLine[], inStock: ReadonlyMap<string, number>): (number | null)[] {
  const left = new Map(inStock);
  return lines.map(({ productId, quantity }) => {
    const there = left.get(productId);
    if (there === undefined) return null;
    left.set(productId, Math.max(0, there - quantity));
    return Math.max(0, quantity - there);
  });
}
