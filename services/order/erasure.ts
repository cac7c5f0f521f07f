import { createHash } from "node:crypto";
import { ulid } from "@partline/toolkit";
import { pickPersonal, omitPersonal } from "@partline/api-contracts";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { diffValues } from "../../broker/audit/changes.ts";
import { auditSystemWork } from "../../broker/audit/entry.ts";
import { notFound } from "../../mixins/errors.ts";
import { findAssumedArrival } from "../../mixins/shop/return-terms.ts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import type { OrderRepository } from "./repository.ts";
import type { Change } from "./order-change.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import { orderContract } from "./contract.ts";
import { toContactKey } from "./derived.ts";
import { listShipped, toShip } from "./quantities.ts";
import { findQueues } from "./queues.ts";
import { type ErasureReason, type OrderQueue, orderShape } from "./shape.ts";

/** A deleted account's pseudonym, by a hash of its id: nothing leads back to the id. */
interface Pseudonym extends Document {
  pseudonym: string;
}

const PSEUDONYMS: CollectionDefinition = { name: "order_pseudonyms", fields: { pseudonym: "string" } };

interface Guest {
  email: string;
  orderNumber: string;
}

export type Erasure = ReturnType<typeof createErasure>;

export function createErasure(documents: DocumentStore, repository: OrderRepository, auditKeptMs?: number) {
  const pseudonyms = documents.collection<Pseudonym>(PSEUDONYMS);
  const orders = documents.collection<OrderDocument>(ORDERS);

  async function getPseudonym(userId: string): Promise<string> {
    const update = { $setOnInsert: { pseudonym: `deleted-${ulid()}` } };
    const stored = await pseudonyms.findOneAndUpdate({ _id: toKey(userId) }, update, { upsert: true });
    return stored!.pseudonym;
  }

  /** @throws NOT_FOUND unless number and e-mail address are of one guest's order */
  async function getGuestOrder({ email, orderNumber }: Guest, orWithout?: "contact"): Promise<OrderDocument> {
    const order = await orders.findOne({ orderNumber: orderNumber.toUpperCase(), userId: "guest" });
    const isFound =
      order && (toContactKey(order.contact?.email) === toContactKey(email) || (orWithout && !order.contact));
    if (!isFound) throw notFound("Order");
    return order;
  }

  return {
    getGuestOrder: (guest: Guest): Promise<OrderDocument> => getGuestOrder(guest),
    /** @throws NOT_FOUND */
    async eraseGuest(guest: Guest): Promise<{ orderId: string; erased: string[]; waitsFor?: Obstacle[] }> {
      // An erased order may have got an address again.
      const { _id: orderId } = await getGuestOrder(guest, "contact");
      let fields: string[] = [];
      const after = await repository.change(orderId, (order) => {
        fields = Object.keys(pickPersonal(orderShape, order));
        return fields.length === 0 ? undefined : eraseWhenDone(order, "guest", "guest_request");
      });
      return after.erasing ? { orderId, erased: [], waitsFor: findObstacles(after) } : { orderId, erased: fields };
    },
    isLeft: async (): Promise<boolean> => (await orders.findOne(ERASING)) !== null,
    /** Erases the orders that waited for their end. */
    async eraseDone(): Promise<void> {
      for await (const { _id: objectId } of orders.iterate(ERASING))
        await repository.change(objectId, (order) => {
          const change = order.erasing && eraseWhenDone(order, order.userId, order.erasing);
          if (change?.event?.channel !== "order.erased") return undefined;
          const changes = diffValues(orderContract.actions.guestErase.result, {}, change.event);
          const facts = { action: "order.guestErase", object: "order", objectId, changes };
          const entry = auditSystemWork({ ...facts, at: new Date(), requestId: `end-of-${objectId}` }, auditKeptMs);
          return { ...change, also: [entry] };
        });
    },
    /** Gives the user's orders a random pseudonym, and erases each once it is done. Harmless to repeat. */
    async erase(userId: string): Promise<void> {
      if (userId === "guest") return;
      const pseudonym = await getPseudonym(userId);
      for await (const { _id } of orders.iterate({ userId })) {
        await repository.change(_id, (order) =>
          order.userId === userId ? eraseWhenDone(order, pseudonym, "account_deleted") : undefined,
        );
      }
    },
    /** Returns the pseudonym of an erased account, else the id itself. */
    async resolveUserId(userId: string): Promise<string> {
      if (userId === "guest") return userId;
      return (await pseudonyms.findOne({ _id: toKey(userId) }))?.pseudonym ?? userId;
    },
  };
}

const ERASING = { erasing: { $gt: "" } };

type Obstacle = OrderQueue | "unshipped" | "undelivered";

/** Finds what an order waits for that cannot be done without its buyer's data. */
function findObstacles(order: OrderDocument): Obstacle[] {
  // Of a label, the shop alone has to get its money.
  const queues = findQueues(order).filter((queue) => queue !== "label_refused");
  const isOpen = order.cancelling !== undefined || order.labelling !== undefined || toShip(order).length > 0;
  const unshipped = queues.length === 0 && isOpen ? (["unshipped"] as const) : [];
  return [...queues, ...unshipped, ...(isUnderWay(order) ? (["undelivered"] as const) : [])];
}

/** Returns whether a parcel may still come back. One without news counts as delivered some days after it left. */
function isUnderWay(order: OrderDocument): boolean {
  const { status, fulfilment, shipments = [] } = order;
  const days = shopDays();
  const isOver = fulfilment === "pickup" || status === "delivered" || listShipped(order).length === 0;
  const awaited = shipments.filter(({ deliveredAt }) => !isOver && deliveredAt === undefined);
  const arrivals = awaited.map(({ createdAt, failedAt = createdAt }) => findAssumedArrival(failedAt, days));
  return arrivals.some((day) => day > days.findDay(new Date()));
}

/** Erases an order, or marks one that is not done: `eraseDone` erases it then. Its owner becomes the pseudonym at once. */
function eraseWhenDone(order: OrderDocument, pseudonym: string, reason: ErasureReason): Change | undefined {
  const renamed = renameOwner(order, pseudonym);
  if (findObstacles(order).length === 0) return eraseOrder(renamed, reason);
  const isMarked = order.erasing !== undefined && order.userId === pseudonym;
  return isMarked ? undefined : { order: { ...renamed, erasing: reason }, actor: "system" };
}

function renameOwner(order: OrderDocument, pseudonym: string): OrderDocument {
  const renameActor = <T extends { actor: string }>(record: T): T =>
    record.actor === `user:${order.userId}` ? { ...record, actor: `user:${pseudonym}` } : record;
  const { refunds, cancelling, cancellation, labelling, packed } = order;
  return {
    ...order,
    userId: pseudonym,
    refunds: refunds.map(renameActor),
    cancellation: cancellation && renameActor(cancellation),
    cancelling: cancelling && renameActor(cancelling),
    labelling: labelling && renameActor(labelling),
    packed: packed && renameActor(packed),
  };
}

/** Removes notes too, which may name the person, and links to labels. */
function eraseOrder(order: OrderDocument, reason: ErasureReason): Change {
  return {
    order: {
      ...omitPersonal(orderShape, order),
      erasing: undefined,
      erased: reason,
      // What is paid for is still refunded.
      labels: order.labels?.map(({ url: _, ...label }) => label),
      unlabelledReturns: undefined,
    },
    actor: "system",
    event: { channel: "order.erased", reason, erased: Object.keys(pickPersonal(orderShape, order)) },
  };
}

function toKey(userId: string): string {
  return createHash("sha256").update(userId).digest("base64url");
}
