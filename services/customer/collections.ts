import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** A user's customer, stored before the provider is asked for one, so that a later request can finish that. */
export interface CustomerRecord extends Document {
  userId: string;
  email: string;
  name: string;
  phone: string | null;
  /** Absent until the provider's customer is known to exist. */
  providerCustomerId?: string;
  /** Part of the idempotency key: the provider repeats a fault to the same key. */
  attempt: number;
  defaultPaymentMethodId: string | null;
  createdAt: Date;
  /**
   * The user was deleted, and the provider's customer is being deleted: only the eraser sees this record. It holds no
   * personal data, except the e-mail address until the provider's customer is found.
   */
  erasedAt?: Date;
}

export const CUSTOMERS: CollectionDefinition = {
  name: "customers",
  fields: {
    userId: "string",
    providerCustomerId: "string",
    attempt: "number",
    defaultPaymentMethodId: "string",
    createdAt: "date",
    erasedAt: "date",
  },
  indexes: [{ keys: { userId: 1 }, unique: true }],
};
