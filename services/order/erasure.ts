import { createHash } from "node:crypto";
import { ulid } from "ulid";
import { DocumentStoreError, type CollectionDefinition, type Document, type DocumentStore } from "../../mixins/document-store/port.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import type { OrderRepository } from "./repository.ts";

/** The pseudonym of a deleted account, found by a hash of its id: neither order nor row leads back to the id. */
interface Pseudonym extends Document {
  pseudonym: string;
}

const PSEUDONYMS: CollectionDefinition = { name: "order_pseudonyms", fields: { pseudonym: "string" } };

export interface Erasure {
  /** The user's orders go by a random pseudonym from now on, without address, phone and notes. Harmless to repeat. */
  erase(userId: string): Promise<void>;
  /** The pseudonym of an account that was erased, else the id itself. */
  currentUserId(userId: string): Promise<string>;
}

export function createErasure(documents: DocumentStore, repository: OrderRepository): Erasure {
  const pseudonyms = documents.collection<Pseudonym>(PSEUDONYMS);
  const orders = documents.collection<OrderDocument>(ORDERS);

  async function pseudonymOf(userId: string): Promise<string> {
    const _id = keyOf(userId);
    const known = await pseudonyms.findOne({ _id });
    if (known) return known.pseudonym;
    const pseudonym = `deleted-${ulid()}`;
    try {
      await pseudonyms.insertOne({ _id, pseudonym });
      return pseudonym;
    } catch (error) {
      if (!(error instanceof DocumentStoreError && error.code === "DUPLICATE_KEY")) throw error;
      return pseudonymOf(userId);
    }
  }

  return {
    async erase(userId) {
      if (userId === "guest") return;
      const pseudonym = await pseudonymOf(userId);
      for await (const { _id } of orders.iterate({ userId })) {
        await repository.change(_id, (order) => (order.userId === userId ? { ...erased(order, pseudonym) } : undefined));
      }
    },
    async currentUserId(userId) {
      if (userId === "guest") return userId;
      return (await pseudonyms.findOne({ _id: keyOf(userId) }))?.pseudonym ?? userId;
    },
  };
}

/** Notes are free text and may name the person. */
function erased(order: OrderDocument, pseudonym: string) {
  const { shippingAddress: _address, adminNote: _note, cancelling, ...kept } = order;
  return {
    order: { ...kept, userId: pseudonym, ...(cancelling ? { cancelling: { ...cancelling, adminNote: undefined } } : {}) },
    actor: "system",
    event: { channel: "order.updated" as const, changed: ["userId", "shippingAddress", "adminNote"] },
  };
}

function keyOf(userId: string): string {
  return createHash("sha256").update(userId).digest("base64url");
}
