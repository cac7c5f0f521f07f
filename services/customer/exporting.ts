import type { ExportPage } from "../../broker/contract/export-page.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { exportPage, placeAfter, rowsAfter } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { customerRule } from "./contract.ts";
import { CUSTOMERS, presentCustomer, type CustomerRecord } from "./customers.ts";

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
