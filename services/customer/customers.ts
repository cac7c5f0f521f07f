import { ulid } from "@partline/toolkit";
import { presentFields, type Infer, type InferRules } from "@partline/api-contracts";
import { type CollectionDefinition, type Document, type DocumentStore, isWritten } from "@partline/durable";
import { exportByCreation } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { customerRule } from "./contract.ts";

type PersonalData = Pick<CustomerRecord, "email" | "name" | "phone">;

/** A customer of a deleted user, with the personal data that is left. */
export type ErasedRecord = Omit<CustomerRecord, keyof PersonalData> & Partial<PersonalData>;

/** Filter of customers that are not being erased. */
export const ALIVE = { erasedAt: { $exists: false } };

export type Customers = ReturnType<typeof createCustomers>;

/** Stores customers, one for each user; only the eraser finds one that is being erased. */
export function createCustomers(documents: DocumentStore) {
  const records = documents.collection<CustomerRecord>(CUSTOMERS);
  return {
    records,

    exportPage: (params: InferRules<typeof exportParams>) =>
      exportByCreation(records, params, {
        name: "customers",
        columns: customerRule.props,
        limit: 1_000,
        view: presentCustomer,
        filter: ALIVE,
      }),

    find: (_id: string) => records.findOne({ _id, ...ALIVE }),

    findOfUser: (userId: string) => records.findOne({ userId, ...ALIVE }),

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
      return isNew ? record : records.findOne({ userId, ...ALIVE });
    },
  };
}

/** A user's customer, stored before the provider is asked for one, so that a later request can finish that. */
export interface CustomerRecord extends Document {
  userId: string;
  email: string;
  name: string | null;
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
  presentFields(customerRule.props, { ...record, customerId: record._id });
