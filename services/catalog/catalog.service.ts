import type { Readable } from "node:stream";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { PartlineError, notFound } from "../../mixins/errors.ts";
import { implement } from "../../broker/contract/implement.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { call } from "../contracts.ts";
import { catalogContract } from "./contract.ts";
import { importPriceFile, priceFileFormat } from "./import-price-file.ts";
import { toCatalogPart, toIndexedPart } from "./part.ts";
import { parsePartId } from "./part-number.ts";
import { priceParts } from "./part-prices.ts";
import { partReader } from "./part-reader.ts";
import { partWriter } from "./part-writer.ts";
import { findVendor, vendorByCode } from "./vendors.ts";

export default function catalogService(broker: ServiceBroker): ServiceSchema {
  const { documents } = serviceRuntimeOf(broker);
  const reader = partReader(documents);
  const writer = partWriter(documents);

  /** The index catches up by itself in a while; asking for it now makes an import findable when it is answered. */
  const refreshSearch = async (ctx: Pick<Context<unknown, object>, "call">): Promise<void> => {
    try {
      await call(ctx, "search.refresh", {});
    } catch (error) {
      broker.logger.warn("The search index was not refreshed after an import; it catches up by itself", error);
    }
  };

  return implement(catalogContract, {
    actions: {
      import: async (ctx) => {
        const vendor = vendorByCode(ctx.params.vendor);
        const format = priceFileFormat(ctx.params.contentType);
        if (!format) throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", "Send the file as text/csv or application/x-ndjson");
        if (!ctx.stream) throw new PartlineError("VALIDATION_FAILED", "The body must be the file");
        try {
          return await importPriceFile(writer, vendor, format, ctx.stream as Readable);
        } finally {
          await refreshSearch(ctx);
        }
      },
      parts: async (ctx) => {
        const { vendor, ...query } = ctx.params;
        const { parts, pagination } = await reader.page(vendorByCode(vendor), query);
        return { parts: parts.map(toIndexedPart), pagination };
      },
      get: async (ctx) => {
        const id = parsePartId(ctx.params.id);
        const vendor = id && findVendor(id.vendorCode);
        const [part] = vendor ? await reader.byIds(vendor, [ctx.params.id.toLowerCase()]) : [];
        if (!part) throw notFound("Part", ctx.params.id);
        return toCatalogPart(part);
      },
      price: async (ctx) => ({ items: await priceParts(reader, ctx.params.items) }),
      changes: async (ctx) => {
        const { vendor, after, limit } = ctx.params;
        return { parts: (await reader.changes(vendorByCode(vendor), after, limit)).map(toCatalogPart) };
      },
      revisions: async () => ({ vendors: await reader.revisions() }),
      stats: async () => {
        const vendors = await reader.stats();
        return { total: vendors.reduce((sum, { parts }) => sum + parts, 0), vendors };
      },
    },
  });
}
