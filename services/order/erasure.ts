import { createHash } from "node:crypto";
import { ulid } from "@partline/toolkit";
import { pickPersonal, omitPersonal } from "@partline/api-contracts";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { notFound } from "../../mixins/errors.ts";
import type { Events } from "../contracts.ts";
import type { OrderRepository } from "./repository.ts";
import type { Change } from "./order-change.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import { toContactKey } from "./derived.ts";
import { orderShape } from "./shape.ts";

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

export function createErasure(documents: DocumentStore, repository: OrderRepository) {
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
    async eraseGuest(guest: Guest): Promise<{ orderId: string; erased: string[] }> {
      // An erased order may have got an address again.
      const { _id: orderId } = await getGuestOrder(guest, "contact");
      let fields: string[] = [];
      await repository.change(orderId, (order) => {
        fields = Object.keys(pickPersonal(orderShape, order));
        return fields.length === 0 ? undefined : eraseOrder(order, "guest", "guest_request");
      });
      return { orderId, erased: fields };
    },
    /** Gives the user's orders a random pseudonym and removes their personal fields. Harmless to repeat. */
    async erase(userId: string): Promise<void> {
      if (userId === "guest") return;
      const pseudonym = await getPseudonym(userId);
      for await (const { _id } of orders.iterate({ userId })) {
        await repository.change(_id, (order) =>
          order.userId === userId ? eraseOrder(order, pseudonym, "account_deleted") : undefined,
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

/** Removes notes too, which may name the person, and links to labels; the actor becomes the pseudonym. */
function eraseOrder(order: OrderDocument, pseudonym: string, reason: Events["order.erased"]["reason"]): Change {
  const renameActor = <T extends { actor: string }>(record: T): T =>
    record.actor === `user:${order.userId}` ? { ...record, actor: `user:${pseudonym}` } : record;
  const { cancelling, cancellation, labels, labelling, packed } = order;
  return {
    order: {
      ...omitPersonal(orderShape, order),
      userId: pseudonym,
      refunds: order.refunds.map(renameActor),
      cancellation: cancellation && renameActor(cancellation),
      cancelling: cancelling && { ...renameActor(cancelling), adminNote: undefined },
      // What is paid for is still bought, or refunded.
      labels: labels?.map(({ url: _, ...label }) => label),
      labelling: labelling && {
        ...renameActor(labelling),
        request: labelling.request && {
          ...labelling.request,
          adminNote: undefined,
          override: labelling.request.override && { reason: "" },
        },
      },
      unlabelledReturns: undefined,
      packed: packed && renameActor(packed),
    },
    actor: "system",
    event: { channel: "order.erased", reason, erased: Object.keys(pickPersonal(orderShape, order)) },
  };
}

function toKey(userId: string): string {
  return createHash("sha256").update(userId).digest("base64url");
}
