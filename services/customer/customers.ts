import { ulid } from "../../mixins/ulid.ts";
import { shown } from "../../broker/contract/answers.ts";
import type { Infer, InferRules } from "../../broker/contract/rules.ts";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  isWritten,
} from "../../mixins/document-store/port.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { exportPage, placeAfter, rowsAfter } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { customerRule } from "./contract.ts";

export type PersonalData = Pick<CustomerRecord, "email" | "name" | "phone">;

/** A customer of a deleted user, with the remaining personal data. */
type ErasedRecord = Omit<CustomerRecord, keyof PersonalData> & Partial<PersonalData>;

export type Customers = ReturnType<typeof createCustomers>;

/** One for each user; only the eraser finds one that is being erased. */
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
    async setProviderId({ _id, providerCustomerId: gone }: CustomerRecord, providerCustomerId: string) {
      const waiting = { _id, providerCustomerId: gone ?? { $exists: false }, ...alive };
      const changed = { $set: { providerCustomerId, defaultPaymentMethodId: null } };
      return (await records.updateOne(waiting, changed)).matched > 0;
    },

    async nextAttempt({ _id, attempt }: CustomerRecord): Promise<void> {
      await records.updateOne({ _id, attempt }, { $set: { attempt: attempt + 1 } });
    },

    /** So that the user can correct what the provider has refused. */
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

    /** Hides the customer and its data, except an address that alone finds the provider's customer. */
    async beginErasure({ _id, providerCustomerId }: ErasedRecord): Promise<void> {
      const $set = { erasedAt: new Date(), defaultPaymentMethodId: null };
      const data = ["name", "phone", ...(providerCustomerId === undefined ? [] : ["email"])];
      await records.updateOne({ _id }, { $set, $unset: Object.fromEntries(data.map((field) => [field, true])) });
    },

    /** Call it once the provider has said whether it has the customer. */
    async eraseAddress(_id: string, providerCustomerId: string | undefined): Promise<void> {
      const found = providerCustomerId === undefined ? {} : { $set: { providerCustomerId } };
      await records.updateOne({ _id }, { $unset: { email: true }, ...found });
    },

    async endErasure(customerId: string): Promise<void> {
      await records.deleteOne({ _id: customerId });
    },
  };
}

/** Stored before the provider is asked for one, so that a later request can finish that. */
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
  /** The user was deleted: only the eraser sees what is left. */
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

const ROWS_READ = 1_000;

/** Exports customers in the order in which they were made, without those that are being erased. */
export function createCustomerExport(documents: DocumentStore) {
  const records = documents.collection<CustomerRecord>(CUSTOMERS);
  return async (asked: InferRules<typeof exportParams>): Promise<ExportPage> => {
    const filter = rowsAfter("createdAt", asked, placeAfter(asked, "time"));
    const options = { sort: { createdAt: 1 }, limit: ROWS_READ } as const;
    const found = await records.find({ ...filter, erasedAt: { $exists: false } }, options);
    return exportPage("customers", customerRule.props, asked, {
      rows: found.map((record) => ({
        place: [record.createdAt.getTime(), record._id],
        values: presentCustomer(record),
      })),
      // A page may be short of customers that were changed while it was read.
      ends: found.length === 0,
    });
  };
}
