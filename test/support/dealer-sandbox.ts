import { priceRows } from "../../packages/sandbox/src/catalog/price-files.ts";
import { type FaultKind, type InquiryFact, startDealerSandbox } from "../../packages/sandbox/src/dealer/server.ts";

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
  const faults = (init: RequestInit) =>
    fetch(`${url}/sandbox/faults`, { headers: { "content-type": "application/json" }, ...init });
  return {
    url,
    port,
    close,
    async fault(kind, value, times) {
      const response = await faults({ method: "POST", body: JSON.stringify({ kind, value, times }) });
      if (!response.ok) throw new Error(await response.text());
    },
    allWell: async () => void (await faults({ method: "DELETE" })),
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
