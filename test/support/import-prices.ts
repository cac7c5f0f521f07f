import { Readable } from "node:stream";
import type { ServiceBroker } from "moleculer";
import type { Params, Result } from "@partline/api-contracts";
import { type Actions, call } from "../../services/contracts.ts";

type ImportOptions = Partial<Params<Actions["catalog.import"]>>;

/** Imports a price file, and resolves when search finds it, as the answer over HTTP does. */
export async function importPrices(
  broker: ServiceBroker,
  file: string | Readable,
  { vendor = "BNS", contentType = "text/csv", ...options }: ImportOptions = {},
): Promise<Result<Actions["catalog.import"]>> {
  const stream = typeof file === "string" ? Readable.from([Buffer.from(file)]) : file;
  const report = await call(broker, "catalog.import", { vendor, contentType, ...options }, { stream });
  await call(broker, "search.refresh", {});
  return report;
}
