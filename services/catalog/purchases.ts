import { sumByKey } from "@partline/toolkit/pure";
import type { Infer, Params, Result } from "@partline/api-contracts";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  compareAndSet,
  createReplacement,
  hasStoreCode,
} from "@partline/durable";
import { assertVersion, invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { assertUpcoming } from "../shared/upcoming-day.ts";
import { outbox } from "../contracts.ts";
import { readPage, toFilter } from "../shared/paging.ts";
import type { catalogContract } from "./contract.ts";
import { countOnHand, isUncounted } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import { parsePartId } from "./part-number.ts";
import { findPartsById } from "./part-prices.ts";
import type { purchaseRule } from "./resources.ts";
import type { Shelves } from "./shelves.ts";
import type { Vendor } from "./vendors.ts";

type Purchase = Infer<typeof purchaseRule>;
type Actions = (typeof catalogContract)["actions"];
type Line = Purchase["lines"][number];
type Pieces = Pick<Line, "id" | "quantity">;

export interface PurchaseDocument extends Document, Omit<Purchase, "purchaseId" | "vendorName"> {
  /** Ids of the requests that received pieces or cancelled it: each counts once. */
  runIds: string[];
}

export const PURCHASES: CollectionDefinition = {
  name: "purchases",
  fields: { vendor: "string", status: "string", version: "number", createdAt: "date", updatedAt: "date" },
  indexes: [
    { keys: { createdAt: -1 } },
    { keys: { status: 1, createdAt: -1 } },
    { keys: { vendor: 1, status: 1, updatedAt: -1 } },
  ],
};

/** Returns the pieces of a purchase that have not come. */
export function listOutstanding({ status, lines }: Pick<PurchaseDocument, "status" | "lines">): Pieces[] {
  if (status === "cancelled") return [];
  return lines
    .map(({ id, quantity, received }) => ({ id, quantity: quantity - received }))
    .filter(({ quantity }) => quantity > 0);
}

/**
 * Returns the purchase after pieces of it have come.
 * @throws INVALID_TRANSITION for more than are outstanding, VALIDATION_FAILED for a part that it does not have
 */
export function takeReceipt<P extends Pick<PurchaseDocument, "status" | "lines">>(
  purchase: P,
  pieces: readonly Pieces[],
): P {
  const outstanding = countPieces(listOutstanding(purchase));
  const arrived = countPieces(pieces);
  for (const [id, quantity] of arrived) {
    if (!purchase.lines.some((line) => line.id === id))
      throw invalidField("lines", `name ${id}, which is no part of the purchase`);
    const left = outstanding.get(id) ?? 0;
    if (quantity > left)
      throw new PartlineError("INVALID_TRANSITION", `Only ${left} of ${id} are outstanding`, { id, left });
  }
  const lines = purchase.lines.map((line) => ({ ...line, received: line.received + (arrived.get(line.id) ?? 0) }));
  const isWhole = lines.every(({ quantity, received }) => received >= quantity);
  return { ...purchase, lines, status: isWhole ? "received" : purchase.status };
}

/** Adds up pieces by part. */
const countPieces = (pieces: readonly Pieces[]): Map<string, number> =>
  sumByKey(pieces.map(({ id, quantity }) => [id, quantity]));

/** Returns what must be ordered of each part that waits or is low, less what is on order: by id of the part. */
export function computeShortages(
  waiting: readonly Pieces[],
  lowPlaces: readonly { id: string; onHand: number; reorderPoint: number }[],
  onOrder: ReadonlyMap<string, number>,
) {
  const backordered = countPieces(waiting);
  const low = countPieces(
    lowPlaces.map(({ id, onHand, reorderPoint }) => ({ id, quantity: reorderPoint + 1 - onHand })),
  );
  return [...new Set([...backordered.keys(), ...low.keys()])]
    .sort()
    .map((id) => {
      const counts = { backordered: backordered.get(id) ?? 0, low: low.get(id) ?? 0, onOrder: onOrder.get(id) ?? 0 };
      return { id, ...counts, missing: Math.max(0, counts.backordered + counts.low - counts.onOrder) };
    })
    .filter(({ missing }) => missing > 0);
}

interface Deps {
  documents: DocumentStore;
  reader: PartReader;
  shelves: Pick<Shelves, "receive" | "listLow">;
  countHeld(productIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Purchases at vendors: the parts that are ordered there, and the pieces that have come. */
export function createPurchases({ documents, reader, shelves, countHeld }: Deps) {
  const purchases = documents.collection<PurchaseDocument>(PURCHASES);

  const present = ({ _id: purchaseId, runIds: _, ...purchase }: PurchaseDocument): Purchase => {
    const vendorName = reader.names.find(purchase.vendor)?.name ?? purchase.vendor;
    return { purchaseId, vendorName, ...purchase };
  };

  /** @throws NOT_FOUND */
  async function getDocument(purchaseId: string): Promise<PurchaseDocument> {
    const purchase = await purchases.findOne({ _id: purchaseId });
    if (!purchase) throw notFound("Purchase", purchaseId);
    return purchase;
  }

  /** @throws NOT_FOUND; VERSION_CONFLICT; INVALID_TRANSITION unless pieces are outstanding */
  async function getOpen({ purchaseId, version }: { purchaseId: string; version?: number }): Promise<PurchaseDocument> {
    const purchase = await getDocument(purchaseId);
    assertVersion("The purchase", version, purchase.version);
    if (purchase.status !== "open")
      throw new PartlineError("INVALID_TRANSITION", `The purchase is ${purchase.status}`, { status: purchase.status });
    return purchase;
  }

  /** Returns the event of a purchase whose day changed. */
  const announce = ({ _id: purchaseId, lines, expectedAt: day, status }: PurchaseDocument) => {
    const outstanding = listOutstanding({ status: "open", lines });
    const items = outstanding.map(({ id: productId, quantity }) => ({ productId, quantity }));
    return day === undefined || status === "cancelled"
      ? outbox("purchase.day_removed", { purchaseId, items })
      : outbox("purchase.expected", { purchaseId, day, items });
  };

  const changeOpen = (
    params: { purchaseId: string; version?: number },
    decide: (purchase: PurchaseDocument) => PurchaseDocument,
  ): Promise<Purchase> =>
    compareAndSet(documents, "The purchase", async () => {
      const current = await getOpen(params);
      const next = { ...decide(current), version: current.version + 1, updatedAt: new Date() };
      const isNews =
        next.expectedAt !== current.expectedAt || (next.status === "cancelled" && next.expectedAt !== undefined);
      return {
        conditions: [createReplacement(PURCHASES, current, "version", next)],
        also: isNews ? [announce(next)] : [],
        result: present(next),
      };
    });

  /** Puts what has come on the shelves, in one write with the purchase: once for a request's id. */
  async function receive(runId: string, params: Params<Actions["receivePurchase"]>, actor: string): Promise<Purchase> {
    const { purchaseId, lines, place } = params;
    const previous = await getDocument(purchaseId);
    if (previous.runIds.includes(runId)) return present(previous);
    const purchase = await getOpen(params);
    const pieces = lines?.map(({ id, quantity }) => ({ id: id.toLowerCase(), quantity })) ?? listOutstanding(purchase);
    const changes = { runIds: [...purchase.runIds, runId], version: purchase.version + 1, updatedAt: new Date() };
    const next = { ...takeReceipt(purchase, pieces), ...changes };
    try {
      await shelves.receive({ purchaseId, actor, place, pieces: countPieces(pieces) }, [
        createReplacement(PURCHASES, purchase, "version", next),
      ]);
    } catch (error) {
      // It was changed meanwhile, which only a request that names the version minds.
      if (hasStoreCode(error, "CONDITION_FAILED")) return receive(runId, params, actor);
      throw error;
    }
    return present(next);
  }

  /** Adds pieces to be packed that no shelf has, of parts that nobody counts. Without a shelf, all may lie there. */
  async function addUnsupplied(waiting: Params<Actions["shortages"]>["waiting"]): Promise<Pieces[]> {
    const ids = waiting.map(({ id }) => id);
    const [parts, heldByPart] = [await findPartsById(reader, ids), await countHeld(ids)];
    return waiting.map(({ id, quantity, uncounted: openCount }, index) => {
      const part = parts[index];
      if (!part?.shelves || !isUncounted(part)) return { id, quantity };
      const missing = (heldByPart.get(id) ?? 0) - (countOnHand(part) ?? 0) - quantity;
      return { id, quantity: quantity + Math.max(0, Math.min(openCount, missing)) };
    });
  }

  return {
    get: async (purchaseId: string): Promise<Purchase> => present(await getDocument(purchaseId)),

    async list({ status, ...paging }: Params<Actions["purchases"]>): Promise<Result<Actions["purchases"]>> {
      const page = await readPage(purchases, toFilter({ status }), { createdAt: -1 }, paging);
      return { purchases: page.found.map(present), pagination: page.pagination };
    },

    /** Makes a purchase, once for an id. @throws NOT_FOUND, VALIDATION_FAILED */
    async create(
      purchaseId: string,
      vendor: Vendor,
      params: Params<Actions["createPurchase"]>,
      actor: string,
    ): Promise<Purchase> {
      const existing = await purchases.findOne({ _id: purchaseId });
      if (existing) return present(existing);
      assertUpcoming(params.expectedAt, "expectedAt");
      const ids = params.lines.map(({ id }) => id.toLowerCase());
      const parts = await findPartsById(reader, ids);
      const lines = params.lines.map(({ quantity }, index): Line => {
        const part = parts[index];
        const field = `lines[${index}].id`;
        if (!part?._id.startsWith(`${vendor.code.toLowerCase()}-`))
          throw invalidField(field, `names no part of ${vendor.name}`);
        if (ids.indexOf(part._id) !== index) throw invalidField(field, "names a part that another line has");
        return { id: part._id, partNumber: part.partNumber, title: part.title, quantity, received: 0 };
      });
      const now = new Date();
      const { expectedAt, note } = params;
      const facts = { expectedAt, note, actor, runIds: [], version: 1, createdAt: now, updatedAt: now };
      const purchase: PurchaseDocument = { _id: purchaseId, vendor: vendor.code, status: "open", lines, ...facts };
      const news = expectedAt === undefined ? [] : [announce(purchase)];
      await documents.atomically([{ collection: PURCHASES, insertOne: { ...purchase } }, ...news]);
      return present(purchase);
    },

    /** Undefined fields stay, null deletes. */
    update: ({ purchaseId, version, expectedAt, note }: Params<Actions["updatePurchase"]>): Promise<Purchase> =>
      changeOpen({ purchaseId, version }, (purchase) => {
        if (expectedAt !== purchase.expectedAt) assertUpcoming(expectedAt, "expectedAt");
        return {
          ...purchase,
          expectedAt: expectedAt === undefined ? purchase.expectedAt : (expectedAt ?? undefined),
          note: note === undefined ? purchase.note : note || undefined,
        };
      }),

    /** Cancels what has not come: once for a request's id. */
    async cancel(runId: string, params: Params<Actions["cancelPurchase"]>): Promise<Purchase> {
      const previous = await getDocument(params.purchaseId);
      if (previous.runIds.includes(runId)) return present(previous);
      return changeOpen(params, (purchase) => ({
        ...purchase,
        status: "cancelled",
        runIds: [...purchase.runIds, runId],
      }));
    },

    receive,

    /** Lists the pieces of parts that open purchases expect on a day. */
    async listArrivals(ids: readonly string[]): Promise<Result<Actions["arrivals"]>["arrivals"]> {
      const open = await purchases.find({ status: "open" });
      return open.flatMap((purchase) => {
        const pieces = listOutstanding(purchase).filter(({ id }) => ids.includes(id));
        const { expectedAt: day } = purchase;
        return day === undefined ? [] : pieces.map((piece) => ({ ...piece, day }));
      });
    },

    /**
     * Lists a page of what must be ordered, by vendor and part number.
     * @param params `waiting`: pieces of the first parts behind `after` that wait for stock, `pageSize` or all of them
     */
    async listShortages(params: Params<Actions["shortages"]>): Promise<Result<Actions["shortages"]>> {
      const { after, pageSize } = params;
      const [lowPlaces, open] = await Promise.all([
        shelves.listLow({ after, limit: pageSize }),
        purchases.find({ status: "open" }),
      ]);
      const sortedIds = [...new Set([...params.waiting, ...lowPlaces].map(({ id }) => id))].sort();
      const last = sortedIds[pageSize - 1];
      const isOnPage = ({ id }: { id: string }): boolean => last === undefined || id <= last;
      const waiting = await addUnsupplied(params.waiting.filter(isOnPage));
      const onOrder = countPieces(open.flatMap(listOutstanding));
      const shortages = computeShortages(waiting, lowPlaces.filter(isOnPage), onOrder);
      const ids = shortages.map(({ id }) => id);
      const parts = await findPartsById(reader, ids);
      const shownShortages = shortages.flatMap((shortage, index) => {
        const part = parts[index];
        const vendor = reader.names.find(parsePartId(shortage.id)?.vendorCode ?? "");
        if (!part || !vendor) return [];
        const { partNumber, title } = part;
        const facts = { partNumber, title, uncounted: isUncounted(part) };
        return [{ ...shortage, ...facts, vendor: vendor.code, vendorName: vendor.name }];
      });
      return { parts: shownShortages, last };
    },
  };
}
