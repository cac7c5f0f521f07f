import { sumByKey } from "@partline/toolkit/pure";
import type { Params, Result } from "@partline/api-contracts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { getFrom, ulid } from "@partline/toolkit";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { outbox } from "../contracts.ts";
import type { catalogContract } from "./contract.ts";
import { LOW_STOCK } from "./collections.ts";
import { parsePartId } from "./part-number.ts";
import { findPartsById, getPartById, learnVendors } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import { announceParts, type PartChange, type PartWriter } from "./part-writer.ts";
import { type PartDocument, setShelves } from "./part.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { findPickupPlace, MAIN_PLACE, MOST_ON_HAND } from "../../mixins/shop/shelves.ts";
import {
  addPieces,
  countShelf,
  findCountedAt,
  isLow,
  MOST_PLACES,
  type Move,
  putBackPieces,
  type Shelf,
  takePieces,
} from "./shelf.ts";

export type OrderCause = "shipment" | "shipment_cancelled" | "return";

/** Without a place, pieces went or came back of a part that nobody counts. */
interface Movement extends Document, Partial<Move> {
  change: number;
  productId: string;
  cause: "count" | "price_file" | "purchase" | OrderCause;
  importId?: string;
  reason?: string | undefined;
  orderId?: string;
  purchaseId?: string;
  actor: string;
  at: Date;
  purgeAt: Date;
}

const STOCK_MOVEMENTS: CollectionDefinition = {
  name: "stock_movements",
  fields: { at: "date", productId: "string", purgeAt: "date" },
  indexes: [{ keys: { productId: 1, at: -1 } }],
  expires: "purgeAt",
};
const KEPT_MS = 400 * 24 * 60 * 60_000;
const MOST_SHOWN = 50;
const MOST_LOW = 500;

type CountAction = (typeof catalogContract)["actions"]["countStock"];
type ReadAction = (typeof catalogContract)["actions"]["ownStock"];

interface OrderMove {
  orderId: string;
  pickupPlace?: string | undefined;
  version: number;
  actor: string;
  items: readonly { productId: string; quantity: number }[];
}

interface Receipt {
  purchaseId: string;
  actor: string;
  place: string | undefined;
  /** By part. */
  pieces: ReadonlyMap<string, number>;
}

interface Deps {
  documents: DocumentStore;
  reader: PartReader;
  writer: PartWriter;
  countHeld: (productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  shop: Pick<ShopFacts, "pickupPlaces">;
}

export type Shelves = ReturnType<typeof createShelves>;

/** The shop's own stock, by place, with the movements that made it. */
export function createShelves({ documents, reader, writer, countHeld, shop }: Deps) {
  const movements = documents.collection<Movement>(STOCK_MOVEMENTS);

  const findVendor = (id: string) => reader.names.find(parsePartId(id)?.vendorCode ?? "");
  async function read(id: string): Promise<Result<ReadAction>> {
    const { part } = await getPartById(reader, id);
    const { _id: productId, shelves = [] } = part;
    const [heldByPart, latestMovements] = await Promise.all([
      countHeld([productId]),
      movements.find({ productId }, { sort: { at: -1 }, limit: MOST_SHOWN }),
    ]);
    return {
      id: productId,
      partNumber: part.partNumber,
      title: part.title,
      places: shelves.map(({ isEmptied: _emptied, ...shelf }) => {
        return { ...shelf, countedAt: findCountedAt([shelf]), isLow: isLow(shelf) };
      }),
      dealer: part.stock ?? null,
      held: heldByPart.get(productId) ?? 0,
      movements: latestMovements.map(({ _id: movementId, productId: _product, purgeAt: _purge, ...movement }) => ({
        id: movementId,
        ...movement,
      })),
    };
  }

  /** Sets what a person counted. @throws NOT_FOUND; VERSION_CONFLICT if the place changed since it was seen */
  async function count(
    { id, version, reason, ...counted }: Params<CountAction>,
    actor: string,
  ): Promise<Result<ReadAction>> {
    const { vendor, part } = await getPartById(reader, id);
    let newMovement: Movement | undefined;
    await writer.rewriteKnown(
      vendor,
      [part._id],
      (current, { now, revision }) => {
        const { shelves = [] } = current;
        const shelf = shelves.find(({ place }) => place === counted.place);
        if (version !== undefined && version !== (shelf?.version ?? 0)) throw createStaleCountError(shelf);
        const next = countShelf(shelves, counted, now, { isByHand: true });
        assertPlaces(next.shelves);
        const facts = { productId: current._id, cause: "count", reason, actor, ...stamp(now) } as const;
        newMovement = { _id: ulid(), ...facts, ...next.move };
        return { ...setShelves(current, vendor, next.shelves), revision, updatedAt: now };
      },
      () => [...record(newMovement ? [newMovement] : []), announceParts(vendor, [part._id])],
    );
    return read(id);
  }

  return {
    read,
    count,
    hasMovements: async (): Promise<boolean> => (await movements.findOne({ place: { $exists: true } })) !== null,

    /** Counts a part that is new, unless a repeated request finds it counted. */
    async countFirst(firstCount: Omit<Params<CountAction>, "version">, actor: string): Promise<void> {
      if ((await read(firstCount.id)).places.length === 0) await count(firstCount, actor);
    },

    /**
     * Puts the pieces of a purchase at one vendor on the shelves, in one batch with other writes.
     * @throws NOT_FOUND; VALIDATION_FAILED beyond what a part may have; CONDITION_FAILED of the other writes
     */
    async receive({ purchaseId, actor, place, pieces }: Receipt, also: readonly AtomicWrite[]): Promise<void> {
      const [id = ""] = pieces.keys();
      await learnVendors(reader, [id]);
      const vendor = findVendor(id);
      if (!vendor) throw notFound("Part", id);
      const newMovements = new Map<string, Movement>();
      const productIds = [...pieces.keys()];
      const news = outbox("catalog.changed", { vendor: vendor.code, productIds, cause: "receipt" });
      await writer.rewriteKnown(
        vendor,
        productIds,
        (current, { now, revision }) => {
          const productId = current._id;
          const next = addPieces(current.shelves ?? [], getFrom(pieces, productId), place);
          assertPlaces(next.shelves);
          if (next.move.onHand > MOST_ON_HAND)
            throw invalidField("lines", `would make more than ${MOST_ON_HAND} pieces of ${productId} at one place`);
          const facts = { productId, cause: "purchase", purchaseId, actor, ...stamp(now) } as const;
          newMovements.set(productId, { _id: ulid(), ...facts, ...next.move });
          return { ...setShelves(current, vendor, next.shelves), revision, updatedAt: now };
        },
        () => [...also, ...record([...newMovements.values()]), news],
      );
    },

    /** Takes an order's shipped pieces from the shelves, or puts returned ones back: once, however often it is heard. */
    async move(cause: OrderCause, { orderId, version, actor, items, pickupPlace }: OrderMove): Promise<void> {
      const isCollectedAt = ({ place }: Shelf): boolean =>
        pickupPlace !== undefined && findPickupPlace(place, shop.pickupPlaces) === pickupPlace;
      const prefix = `${orderId}:${version}`;
      const orderMovements = await movements.find({ _id: { $gt: `${orderId}:`, $lt: `${orderId};` } });
      const movedIds = new Set(
        orderMovements.flatMap(({ _id, productId }) => (_id.startsWith(`${prefix}:`) ? [productId] : [])),
      );
      const productIds = items.map(({ productId }) => productId);
      await learnVendors(reader, productIds);
      const openItems = items.filter(({ productId }) => !movedIds.has(productId) && findVendor(productId));
      for (const [vendor, vendorItems] of Map.groupBy(openItems, ({ productId }) => findVendor(productId))) {
        if (!vendor) continue;
        const pieces = sumByKey(vendorItems.map(({ productId, quantity }) => [productId, quantity]));
        const newMovements = new Map<string, Movement[]>();
        await writer.rewriteKnown(
          vendor,
          [...pieces.keys()],
          (current, { now, revision }) => {
            const productId = current._id;
            const moved = pieces.get(productId) ?? 0;
            const facts = { productId, cause, orderId, actor, ...stamp(now) };
            const toMovement = (move: Move | { change: number; place?: never }): Movement => {
              return { _id: `${prefix}:${productId}:${move.place ?? ""}`, ...facts, ...move };
            };
            if (!current.shelves?.length) {
              // Pieces that went or came back are no count of those that lie there. The dealer's go from no shelf.
              const change = cause === "shipment" ? -moved : moved;
              if (cause === "return" || current.stock?.quantityOnHand === undefined)
                newMovements.set(productId, [toMovement({ change })]);
              return undefined;
            }
            // The dealer's pieces of a cancelled shipment were never on a shelf.
            const givenByPlace = cause === "shipment_cancelled" ? countGiven(orderMovements, current) : undefined;
            const next =
              cause === "shipment"
                ? takePieces(current.shelves, moved, isCollectedAt)
                : putBackPieces(current.shelves, moved, givenByPlace);
            newMovements.set(productId, next.moves.map(toMovement));
            return { ...current, shelves: next.shelves, revision, updatedAt: now };
          },
          () =>
            newMovements.size === 0
              ? []
              : [...record([...newMovements.values()].flat()), announceParts(vendor, [...newMovements.keys()])],
        );
      }
    },

    /** Lists the places where no more than the reorder point is on hand, by part. @param after id of a part */
    async listLow({ after = "", limit = MOST_LOW }: { after?: string; limit?: number } = {}) {
      const low = await documents.collection(LOW_STOCK).find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      const ids = low.map(({ _id }) => _id);
      const parts = (await findPartsById(reader, ids)).filter((part) => part !== undefined);
      return parts.flatMap(({ _id: id, partNumber, title, manufacturer, shelves = [] }) => {
        const part = { id, partNumber, title, manufacturer };
        const toLow = ({ place, onHand, bin, reorderPoint = 0 }: Shelf) => ({ place, onHand, bin, reorderPoint });
        return shelves.filter(isLow).map((shelf) => ({ ...part, ...toLow(shelf) }));
      });
    },
  };
}

/** Returns the writes of the movements that a price file makes by its counts. */
export function recordFileCounts(
  changes: ReadonlyMap<string, PartChange>,
  { place = MAIN_PLACE, ...facts }: Pick<Movement, "importId" | "reason" | "actor"> & { place: string | undefined },
): AtomicWrite[] {
  const getOnHand = (part: PartChange["previousPart"]): number =>
    part?.shelves?.find((shelf) => shelf.place === place)?.onHand ?? 0;
  const newMovements = [...changes].flatMap(([productId, { previousPart, nextPart }]): Movement[] => {
    const onHand = getOnHand(nextPart);
    const change = onHand - getOnHand(previousPart);
    if (change === 0) return [];
    const move = { place, change, onHand };
    return [{ _id: ulid(), productId, ...move, cause: "price_file", ...facts, ...stamp(nextPart.updatedAt) }];
  });
  return record(newMovements);
}

/** Returns how many pieces each place gave for an order's shipments that stand: the first one, those that none had. */
function countGiven(orderMovements: readonly Movement[], { _id, shelves }: PartDocument): Map<string, number> {
  return sumByKey(
    orderMovements.flatMap(({ productId, cause, place = shelves?.[0]?.place, change }): [string, number][] =>
      productId === _id && cause !== "return" && place !== undefined ? [[place, -change]] : [],
    ),
  );
}

function stamp(now: Date): Pick<Movement, "at" | "purgeAt"> {
  return { at: now, purgeAt: new Date(now.getTime() + KEPT_MS) };
}

function record(newMovements: readonly Movement[]): AtomicWrite[] {
  return newMovements.map((movement) => ({ collection: STOCK_MOVEMENTS, insertOne: { ...movement } }));
}

/** @throws VALIDATION_FAILED */
function assertPlaces({ length }: readonly Shelf[]): void {
  if (length > MOST_PLACES)
    throw invalidField("place", `would be one more than the ${MOST_PLACES} places that a part may have`);
}

function createStaleCountError(shelf: { onHand: number; version: number } | undefined): PartlineError {
  const { onHand = 0, version = 0 } = shelf ?? {};
  const message = `The stock was changed meanwhile: ${onHand} are on hand now. Count again, and send version ${version}`;
  return new PartlineError("VERSION_CONFLICT", message, { onHand, version });
}
