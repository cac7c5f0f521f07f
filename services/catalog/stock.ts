import { assignStock, sumByKey } from "@partline/toolkit/pure";
import type { Params, Result } from "@partline/api-contracts";
import { getStockPolicy, type ShopFacts, type StockPolicy } from "../../mixins/shop/shop-facts.ts";
import {
  type AtomicWrite,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  compareAndSet,
  createReplacement,
} from "@partline/durable";
import { PartlineError } from "../../mixins/errors.ts";
import { countAtPlace } from "../../mixins/shop/shelves.ts";
import { getFrom, KeyedQueue } from "@partline/toolkit";
import type { catalogContract } from "./contract.ts";
import { type Holder, limitHeld } from "./holders.ts";
import { countOnHand, isUncounted, resolveAvailability, type PartDocument } from "./part.ts";
import { findPartsById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import { sumShelves } from "./shelf.ts";

/** Pieces of a product that one checkout or order holds. */
interface HeldLine {
  productId: string;
  quantity: number;
  /** Pieces among them that were in stock when an unpaid checkout asked for them. */
  inStock?: number;
}

/** Pieces that an unpaid checkout (`cart:…`, `checkout:…`) or an unshipped order (`order:…`) holds. */
export interface StockHold extends Document {
  lines: HeldLine[];
  /** Product ids of a checkout's lines, by which ended holds are found. */
  products?: string[];
  /** Holders whose limits a checkout counts toward. */
  holders?: string[];
  until?: Date;
  /** Version of the order that held these pieces. */
  version?: number;
  /** Counts writes, for compare-and-set. */
  revision: number;
  /** Time at which the hold of an order with nothing left to ship is deleted. */
  purgeAt?: Date;
}

export const STOCK_HOLDS: CollectionDefinition = {
  name: "stock_holds",
  fields: { until: "date", revision: "number", purgeAt: "date" },
  indexes: [{ keys: { until: 1 } }],
  expires: "purgeAt",
};

/** Share of a hold in a holder's limit; `_id` is `<holder>:<hold>`, so that a holder's shares are a range. */
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

/** Learns which parts have another availability, or too few pieces, because of what is held. No checkout waits for it. */
interface Followers {
  notify(parts: readonly PartDocument[]): Promise<void>;
  /** Gets the error if the parts could not be read, or `notify` failed. */
  onError(error: unknown): void;
}

interface Deps {
  documents: DocumentStore;
  reader: PartReader;
  shop: Pick<ShopFacts, "stockPolicy" | "pickupPlaces">;
  /** Finds how many days a vendor's pieces take that nobody has; unless the policy says. */
  findLeadDays?: (vendorCode: string) => Promise<number | undefined>;
  followers?: Followers;
}

/**
 * Pieces that unpaid checkouts and unshipped orders hold. The sum of each product is written with the holds that it is
 * made of, if it is still the one that was read: so no two checkouts are promised the same piece. Of pieces that nobody
 * has counted, orders alone hold any: a later count finds those promised.
 */
export function createStock({ documents, reader, shop, followers, findLeadDays }: Deps) {
  const holds = documents.collection<StockHold>(STOCK_HOLDS);
  const levels = documents.collection<StockLevel>(STOCK_LEVELS);
  const shares = documents.collection<HolderShare>(HOLDER_SHARES);
  /** Requests for the same product do not collide within a process. */
  const queue = new KeyedQueue();

  async function findParts(lines: readonly { productId: string }[]): Promise<Map<string, PartDocument>> {
    const parts = await findPartsById(reader, [...new Set(lines.map(({ productId }) => productId))]);
    return new Map(parts.flatMap((part) => (part ? [[part._id, part] as const] : [])));
  }

  /** Replaces the holds of keys by what `decide` makes of them, in their order; null is none. */
  async function rewrite(
    keys: readonly string[],
    products: readonly string[],
    decide: (currentHolds: (StockHold | null)[], getHeld: (productId: string) => number) => (StockHold | null)[],
  ): Promise<void> {
    const turned = await queue.run([...products].sort()[0] ?? keys[0] ?? "", () =>
      compareAndSet(documents, "The stock", async () => {
        const storedHolds = await holds.find({ _id: { $in: keys } });
        const currentHolds = keys.map((key) => storedHolds.find(({ _id }) => _id === key) ?? null);
        const touched = new Set([...products, ...sumByProduct(storedHolds.flatMap(({ lines }) => lines)).keys()]);
        const counted = touched.size === 0 ? [] : await levels.find({ _id: { $in: [...touched] } });
        const level = new Map(counted.map((level) => [level._id, level]));
        const next = decide(currentHolds, (productId) => level.get(productId)?.held ?? 0);
        const conditions = currentHolds.flatMap((currentHold, index) =>
          currentHold === next[index] ? [] : [replaceHold(currentHold, next[index] ?? null)],
        );
        const changes = new Map<string, { from: number; to: number }>();
        if (conditions.length === 0) return { conditions, result: changes };
        const quantitiesBefore = sumByProduct(currentHolds.flatMap((hold) => hold?.lines ?? []));
        const quantitiesAfter = sumByProduct(next.flatMap((hold) => hold?.lines ?? []));
        for (const productId of touched) {
          const change = (quantitiesAfter.get(productId) ?? 0) - (quantitiesBefore.get(productId) ?? 0);
          const storedLevel = level.get(productId) ?? null;
          // Also one that stays as it is: what was decided depends on it.
          const from = storedLevel?.held ?? 0;
          conditions.push(
            createReplacement(STOCK_LEVELS, storedLevel, "held", { _id: productId, held: from + change }),
          );
          if (change !== 0) changes.set(productId, { from, to: from + change });
        }
        const also = currentHolds.flatMap((currentHold, index) => buildShareWrites(currentHold, next[index] ?? null));
        return { conditions, also, result: changes };
      }),
    );
    // Nobody waits for the search index.
    if (followers && turned.size > 0) notifyOfTurned(turned, followers).catch(followers.onError);
  }

  async function notifyOfTurned(
    changes: ReadonlyMap<string, { from: number; to: number }>,
    { notify }: Followers,
  ): Promise<void> {
    const parts = await findParts([...changes.keys()].map((productId) => ({ productId })));
    const turned = [...changes].flatMap(([productId, { from, to }]) => {
      const part = parts.get(productId);
      if (!part) return [];
      // Orders whose pieces a count did not find learn of it here, if they were placed meanwhile.
      const isShort = (heldQuantity: number): boolean => heldQuantity > (countOnHand(part) ?? Infinity);
      const isTurned = resolveAvailability(part, from) !== resolveAvailability(part, to);
      return isTurned || (isShort(to) && !isShort(from)) ? [part] : [];
    });
    if (turned.length > 0) await notify(turned);
  }

  /** Returns what each holder's other checkouts hold. */
  async function findHeldElsewhere(key: string, holders: readonly Holder[]): Promise<Map<string, HeldLine[]>> {
    const sharesByHolder = holders.map(async ({ id }): Promise<[string, HeldLine[]]> => {
      const theirs = await shares.find({ _id: { $gt: `${id}:`, $lt: `${id};` } });
      return [id, theirs.filter(({ _id }) => _id !== toShareId(id, key)).flatMap(({ lines }) => lines)];
    });
    return new Map(await Promise.all(sharesByHolder));
  }

  const getLapseTime = (): Date => new Date(Date.now() - FREED_AFTER_MS);

  /** Frees checkouts' holds that ran out; if products are given, of those alone. */
  async function releaseLapsed(products?: readonly string[]): Promise<void> {
    const lapseTime = getLapseTime();
    const lapsed = {
      until: { $lt: lapseTime },
      ...(products ? { $or: products.map((id) => ({ products: id })) } : {}),
    };
    for (;;) {
      const lapsedHolds = await holds.find(lapsed, { sort: { until: 1 }, limit: FREED_AT_ONCE });
      if (lapsedHolds.length > 0) {
        const keys = lapsedHolds.map(({ _id }) => _id);
        const touched = sumByProduct(lapsedHolds.flatMap(({ lines }) => lines));
        await rewrite(keys, [...touched.keys()], (currentHolds) =>
          currentHolds.map((hold) => (hold?.until && hold.until < lapseTime ? null : hold)),
        );
      }
      if (lapsedHolds.length < FREED_AT_ONCE) return;
    }
  }

  const getPolicy = ({ manufacturer }: PartDocument): StockPolicy =>
    getStockPolicy(shop.stockPolicy, manufacturer.code);

  const findBackorderDays = async (part: PartDocument): Promise<number | undefined> =>
    getPolicy(part).days ?? findLeadDays?.(part.manufacturer.code);

  /** Returns how many pieces of each of these parts are held, without those that nobody holds. */
  async function countHeld(productIds: readonly string[]): Promise<Map<string, number>> {
    if (productIds.length === 0) return new Map();
    const heldLevels = await levels.find({ _id: { $in: [...productIds] }, held: { $gt: 0 } });
    return new Map(heldLevels.map((level) => [level._id, level.held]));
  }

  return {
    findBackorderDays,
    countHeld,

    /** Counts what is held besides a checkout, whose promised pieces nobody else has. */
    async countHeldByOthers(parts: readonly PartDocument[], key: string | undefined): Promise<Map<string, number>> {
      const heldByPart = await countHeld(parts.map(({ _id }) => _id));
      const { lines = [] } = (key !== undefined && (await holds.findOne({ _id: key }))) || {};
      for (const { productId, quantity, inStock = 0 } of lines) {
        const part = parts.find(({ _id }) => _id === productId);
        const left = (part && countOnHand(part)) ?? 0;
        if (part) heldByPart.set(productId, Math.min((heldByPart.get(productId) ?? 0) - quantity, left - inStock));
      }
      return heldByPart;
    },

    /** Returns whether a part is sold up to its stock alone, and its stock is unknown. */
    isMissing: (part: PartDocument): boolean => isUncounted(part) && getPolicy(part).beyond === "up_to_stock",

    /** Frees all holds that ran out, so that the few of the parts that are asked for are found fast. */
    freeing: {
      isNeeded: async () => (await holds.findOne({ until: { $lt: getLapseTime() } })) !== null,
      run: () => releaseLapsed(),
    },

    /**
     * Holds pieces for a checkout, as many as the bounds of its holders leave. A repeat keeps what the key was
     * promised, and holds no fewer pieces. Of a paid one, all pieces are held.
     * @returns of each line the pieces beyond the stock, null while that is unknown, and the days until those come
     * @throws OUT_OF_STOCK naming what is left of each part that its vendor sells up to the stock alone
     */
    async hold(
      { key, lines, until, paid, pickupPlace }: Params<HoldAction>,
      holders: readonly Holder[],
    ): Promise<Result<HoldAction>> {
      const soldParts = await findParts(lines);
      const parts = new Map([...soldParts].filter(([, part]) => countOnHand(part) !== null));
      const requested = sumByProduct(lines.filter(({ productId }) => parts.has(productId)));
      if (requested.size > 0) await releaseLapsed([...requested.keys()]);
      const inStock = new Map<string, number>();
      const remote = new Map<string, number>();
      let isWhole = true;
      const work = async (): Promise<void> => {
        const elsewhere = await findHeldElsewhere(key, holders);
        const most = limitHeld(requested, holders, ({ id }) => elsewhere.get(id) ?? []);
        await rewrite([key], [...requested.keys()], ([currentHold = null], getHeld) => {
          const linesByProduct = new Map(currentHold?.lines.map((line) => [line.productId, line]));
          const left = new Map<string, number>();
          isWhole = true;
          for (const [productId, quantity] of requested) {
            const { quantity: heldQuantity = 0, inStock: promised = 0 } = linesByProduct.get(productId) ?? {};
            const part = getFrom(parts, productId);
            const onHand = countOnHand(part) ?? 0;
            const heldByOthers = getHeld(productId) - heldQuantity;
            inStock.set(productId, computeInStock(quantity, onHand, heldByOthers, promised));
            left.set(productId, computeInStock(onHand, onHand, heldByOthers, promised));
            if (pickupPlace !== undefined && shop.pickupPlaces.length > 1) {
              const freePieces = Math.max(0, (sumShelves(part.shelves) ?? 0) - heldByOthers);
              const here = countAtPlace(part.shelves ?? [], heldByOthers, pickupPlace, shop.pickupPlaces);
              remote.set(productId, Math.max(0, Math.min(getFrom(inStock, productId), freePieces) - here));
            }
            const countable = isUncounted(part) ? getFrom(inStock, productId) : quantity;
            const reserved = Math.max(heldQuantity, Math.min(countable, most.get(productId) ?? 0));
            if (reserved < countable) isWhole = false;
            if (reserved === 0) continue;
            const promise = Math.min(reserved, Math.max(promised, getFrom(inStock, productId)));
            linesByProduct.set(productId, { productId, quantity: reserved, inStock: promise });
          }
          const short = [...requested].flatMap(([productId, quantity]) => {
            const part = getFrom(parts, productId);
            const isLimited = getPolicy(part).beyond === "up_to_stock" && !isUncounted(part);
            const isShort = isLimited && getFrom(inStock, productId) < quantity;
            return isShort ? [{ part, left: getFrom(left, productId) }] : [];
          });
          if (short.length > 0 && !paid) throw createOutOfStockError(short);
          if (linesByProduct.size === 0) return [currentHold];
          const later = currentHold?.until && currentHold.until > until ? currentHold.until : until;
          return [
            {
              _id: key,
              lines: [...linesByProduct.values()],
              products: [...linesByProduct.keys()],
              holders: [...new Set([...(currentHold?.holders ?? []), ...holders.map(({ id }) => id)])],
              until: later,
              revision: (currentHold?.revision ?? 0) + 1,
            },
          ];
        });
      };
      // Requests of a holder at the same moment do not count past each other; over several nodes by one a node.
      const inTurn = holders.reduceRight(
        (inner, { id }) =>
          () =>
            queue.run(`holder:${id}`, inner),
        work,
      );
      if (requested.size > 0) await inTurn();
      const claims = lines.map(({ productId, quantity }) => [productId, quantity] as const);
      const [knownPieces, elsewhere] = [assignStock(claims, inStock), assignStock(claims, remote)];
      return {
        whole: isWhole,
        lines: await Promise.all(
          lines.map(async ({ productId, quantity }, index) => {
            const part = soldParts.get(productId);
            const missing = knownPieces[index] === undefined ? null : quantity - knownPieces[index];
            // Others may lie there.
            const isOpen = missing !== 0 && part !== undefined && isUncounted(part);
            const isByHand = part && reader.names.find(part.manufacturer.code)?.pricing === "manual";
            const backordered = missing && isOpen ? 0 : missing;
            const days = (backordered && part && (await findBackorderDays(part))) || null;
            const uncounted = isOpen && isByHand ? (missing ?? quantity) : 0;
            return { backordered, days, uncounted, elsewhere: elsewhere[index] ?? 0 };
          }),
        ),
      };
    },

    release: (key: string): Promise<void> => rewrite([key], [], () => [null]),

    /**
     * Holds what is left to ship of an order, in place of its checkout's hold. Events may come twice and in any order.
     */
    async holdOfOrder({ orderId, version, lines, hold }: HeldOrder): Promise<void> {
      const key = `order:${orderId}`;
      await rewrite(
        [key, ...(hold === undefined ? [] : [hold])],
        lines.map(({ productId }) => productId),
        ([currentHold = null, checkoutHold = null]) => {
          // A repeat: what the cart holds now is of a later checkout.
          if (currentHold && currentHold.version === version) return [currentHold, checkoutHold];
          const isKnown = currentHold ? (currentHold.version ?? 0) >= version : lines.length === 0 && version === 1;
          const next: StockHold = {
            _id: key,
            lines: [...sumByProduct(lines)].map(([productId, quantity]) => ({ productId, quantity })),
            version,
            revision: (currentHold?.revision ?? 0) + 1,
            purgeAt: lines.length === 0 ? new Date(Date.now() + SETTLED_KEPT_MS) : undefined,
          };
          return [isKnown ? currentHold : next, null];
        },
      );
    },
  };
}

function replaceHold(currentHold: StockHold | null, next: StockHold | null): AtomicWrite {
  if (next || !currentHold) return createReplacement(STOCK_HOLDS, currentHold, "revision", next!);
  return {
    collection: STOCK_HOLDS,
    require: true,
    deleteOne: { filter: { _id: currentHold._id, revision: currentHold.revision } },
  };
}

function toShareId(holder: string, hold: string): string {
  return `${holder}:${hold}`;
}

/** Returns the writes by which holders' shares follow a hold. */
function buildShareWrites(currentHold: StockHold | null, next: StockHold | null): AtomicWrite[] {
  if (currentHold === next) return [];
  const { holders: left = [] } = next ?? {};
  const gone = (currentHold?.holders ?? []).filter((holder) => !left.includes(holder));
  const collection = HOLDER_SHARES;
  return [
    ...gone.map((holder) => ({ collection, deleteOne: { filter: { _id: toShareId(holder, currentHold!._id) } } })),
    ...left.map((holder) => {
      const _id = toShareId(holder, next!._id);
      const replacement = { _id, lines: next!.lines };
      return { collection, replaceOne: { filter: { _id }, replacement, upsert: true } };
    }),
  ];
}

function createOutOfStockError(short: readonly { part: PartDocument; left: number }[]): PartlineError {
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
 * @param onHand pieces as the shop counted them, and as the dealer last said
 * @param heldByOthers pieces of unpaid checkouts and unshipped orders
 */
export function computeInStock(quantity: number, onHand: number, heldByOthers: number, promised = 0): number {
  return Math.max(0, Math.min(quantity, Math.max(onHand - heldByOthers, Math.min(promised, onHand))));
}

const sumByProduct = (lines: readonly HeldLine[]): Map<string, number> =>
  sumByKey(lines.map(({ productId, quantity }) => [productId, quantity]));
