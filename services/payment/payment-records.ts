import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { PAYMENTS, type Payment } from "./collections.ts";

export type PaymentRecords = ReturnType<typeof paymentRecords>;

/** The payments that became orders, by payment key. */
export function paymentRecords(documents: DocumentStore) {
  const payments = documents.collection<Payment>(PAYMENTS);
  return {
    find: (paymentKey: string): Promise<Payment | null> => payments.findOne({ _id: paymentKey }),
    findByPaymentIntent: (paymentIntentId: string): Promise<Payment | null> => payments.findOne({ paymentIntentId }),
  };
}

/** The write that keeps a payment; a repeat changes nothing. */
export function recordPaymentOnce({ _id, ...fields }: Omit<Payment, "createdAt" | "publishedAt">): AtomicWrite {
  return {
    collection: PAYMENTS,
    updateOne: { filter: { _id }, update: { $setOnInsert: { ...fields, createdAt: new Date() } }, upsert: true },
  };
}

/** The write that marks a payment's order as published; a batch with it fails when it is marked already. */
export function markPublishedOnce(paymentKey: string): AtomicWrite {
  return {
    collection: PAYMENTS,
    require: true,
    updateOne: {
      filter: { _id: paymentKey, publishedAt: { $exists: false } },
      update: { $set: { publishedAt: new Date() } },
    },
  };
}
