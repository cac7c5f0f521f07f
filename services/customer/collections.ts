import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** A user's customer. It is written before the provider is asked for one, so that whoever comes later finishes that. */
export interface CustomerRecord extends Document {
  userId: string;
  email: string;
  name: string;
  phone: string | null;
  /** Absent until the provider's customer is known to exist. */
  providerCustomerId?: string;
  /** Part of the idempotency key: the provider answers a fault again and again to the same key. */
  attempt: number;
  defaultPaymentMethodId: string | null;
  createdAt: Date;
  /**
   * The user was deleted, and so is the provider's customer being: nobody else sees this record. No personal data is
   * left in here but, until the provider has told whether it has the customer, the e-mail address.
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
