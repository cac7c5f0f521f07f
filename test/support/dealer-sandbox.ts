import { priceRows } from "../../packages/sandbox/src/catalog/price-files.ts";
import { type FaultKind, type InquiryFact, startDealerSandbox } from "../../packages/sandbox/src/dealer/server.ts";
import { controlFaults } from "./sandbox-faults.ts";

export const DEALER = { apiKey: "dis_test_key", dealerId: "dealer-7" };

export interface TestDealer {
  url: string;
  port: number;
  /** Switches a fault on. */
  fault(kind: FaultKind, value?: number, times?: number): Promise<void>;
  allWell(): Promise<void>;
  /** What it was asked, the latest first. */
  inquiries(): Promise<InquiryFact[]>;
  close(): Promise<void>;
}

/** The dealer inventory sandbox on any free port, with its switches. */
export async function startTestDealer(): Promise<TestDealer> {
  const { url, port, close } = await startDealerSandbox({ host: "127.0.0.1", port: 0, dealer: DEALER });
  return {
    url,
    port,
    close,
    ...controlFaults(url),
    inquiries: async () =>
      ((await (await fetch(`${url}/sandbox/inquiries`)).json()) as { inquiries: InquiryFact[] }).inquiries,
  };
}

/** Parts of a vendor's price file, as the catalog has them. */
export function catalogParts(
  vendor: string,
): { vendor: string; partNumber: string; listPrice: string; status: string }[] {
  return priceRows(vendor).map(({ part_number, list_price, status }) => ({
    vendor,
    partNumber: part_number,
    listPrice: list_price,
    status,
  }));
}
