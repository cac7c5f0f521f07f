import { ulid } from "../../mixins/ulid.ts";
import { shown } from "../../broker/contract/answers.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  isWritten,
} from "../../mixins/document-store/port.ts";
import { customerRule } from "./contract.ts";

export type PersonalData = Pick<CustomerRecord, "email" | "name" | "phone">;

/** A customer of a deleted user, with the remaining personal data. */
type ErasedRecord = Omit<CustomerRecord, keyof PersonalData> & Partial<PersonalData>;

export type Customers = ReturnType<typeof createCustomers>;

/** Stores customers, one for each user; only the eraser finds one that is being erased. */
export function createCustomers(documents: DocumentStore) {
  const records = documents.collection<CustomerRecord>(CUSTOMERS);
  const alive = { erasedAt: { $exists: false } };
  return {
    find: (customerId: string): Promise<CustomerRecord | null> => records.findOne({ _id: customerId, ...alive }),

    findOfUser: (userId: string): Promise<CustomerRecord | null> => records.findOne({ userId, ...alive }),

    /** @returns the user's customer; null if the user is being erased */
    async findOrInsert(userId: string, person: PersonalData): Promise<CustomerRecord | null> {
      const existing = await records.findOne({ userId });
      if (existing) return existing.erasedAt ? null : existing;
      const record: CustomerRecord = {
        _id: `cust_${ulid()}`,
        userId,
        ...person,
        attempt: 0,
        defaultPaymentMethodId: null,
        createdAt: new Date(),
      };
      const isNew = await isWritten(records.insertOne(record), "DUPLICATE_KEY");
      return isNew ? record : records.findOne({ userId, ...alive });
    },

    /** Replaces an id that is gone with its cards. @returns whether the record was still as given */
    async setProviderId(
      { _id, providerCustomerId: gone }: CustomerRecord,
      providerCustomerId: string,
    ): Promise<boolean> {
      const waiting = { _id, providerCustomerId: gone ?? { $exists: false }, ...alive };
      return (
        (await records.updateOne(waiting, { $set: { providerCustomerId, defaultPaymentMethodId: null } })).matched > 0
      );
    },

    async nextAttempt({ _id, attempt }: CustomerRecord): Promise<void> {
      await records.updateOne({ _id, attempt }, { $set: { attempt: attempt + 1 } });
    },

    /** Removes a customer that the provider has refused, so that the user can correct it. */
    async withdraw({ _id, attempt }: CustomerRecord): Promise<void> {
      await records.deleteOne({ _id, attempt, providerCustomerId: { $exists: false } });
    },

    async setDefaultPaymentMethod(customerId: string, defaultPaymentMethodId: string): Promise<void> {
      await records.updateOne({ _id: customerId }, { $set: { defaultPaymentMethodId } });
    },

    async clearDefaultPaymentMethod(customerId: string, defaultPaymentMethodId: string): Promise<void> {
      await records.updateOne({ _id: customerId, defaultPaymentMethodId }, { $set: { defaultPaymentMethodId: null } });
    },

    findForErasure: (userId: string): Promise<ErasedRecord | null> => records.findOne({ userId }),

    /** Hides the customer and removes its personal data, except an address that alone finds the provider's customer. */
    async beginErasure({ _id, providerCustomerId }: ErasedRecord): Promise<void> {
      await records.updateOne(
        { _id },
        {
          $set: { erasedAt: new Date(), defaultPaymentMethodId: null },
          $unset: { name: true, phone: true, ...(providerCustomerId === undefined ? {} : { email: true as const }) },
        },
      );
    },

    /** Call it once the provider has said whether it has the customer. */
    async eraseAddress(customerId: string, providerCustomerId: string | undefined): Promise<void> {
      await records.updateOne(
        { _id: customerId },
        { $unset: { email: true }, ...(providerCustomerId === undefined ? {} : { $set: { providerCustomerId } }) },
      );
    },

    async endErasure(customerId: string): Promise<void> {
      await records.deleteOne({ _id: customerId });
    },
  };
}

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
  /** The user was deleted: only the eraser sees what is left, without personal data but an e-mail address at first. */
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
  indexes: [{ keys: { userId: 1 }, unique: true }, { keys: { createdAt: 1 } }],
};

export const presentCustomer = (record: CustomerRecord): Infer<typeof customerRule> =>
  shown(customerRule.props, { ...record, customerId: record._id });
