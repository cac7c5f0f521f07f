import type { Readable } from "node:stream";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { notFound } from "../../mixins/errors.ts";
import { implement } from "../../broker/contract/implement.ts";
import { fittingAMessage } from "../../broker/contract/message.ts";
import { LabelledCounter } from "../../broker/metrics/labelled-counter.ts";
import { metricsOf } from "../../broker/metrics/metrics.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { call, outbox } from "../contracts.ts";
import { catalogContract } from "./contract.ts";
import { importStream } from "./import-price-file.ts";
import { learn } from "./learn.ts";
import { toCatalogPart, toIndexedPart } from "./part.ts";
import { parsePartId } from "./part-number.ts";
import { priceParts } from "./part-prices.ts";
import { cyclesAfterImport, supersessionOf } from "./part-supersession.ts";
import { partReader } from "./part-reader.ts";
import { partWriter } from "./part-writer.ts";
import { refresh, REFRESH_PAGE } from "./refresh.ts";
import { listSyncs } from "./syncs/sync-list.ts";
import { syncReader } from "./syncs/sync-report.ts";
import { createSyncRunner } from "./syncs/sync-runner.ts";
import { syncTirePage } from "./tires/page-sync.ts";
import { requestTurns } from "./tires/request-turns.ts";
import { REQUESTS_PER_SECOND, tireSupplier } from "./tires/tire-supplier.ts";
import { tireSync } from "./tires/tire-sync.ts";
import { disVendorByCode, findVendor, TIRES, vendorByCode } from "./vendors.ts";

/** Parts of one call to the dealer inventory router are answered within this, in milliseconds, or not at all. */
const INQUIRY_DEADLINE_MS = 20_000;

export default function catalogService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels, settings } = serviceRuntimeOf(broker);
  const reader = partReader(documents);
  const writer = partWriter(documents);
  const syncs = syncReader(documents);
  const endedSyncs = new LabelledCounter(
    "partline_catalog_syncs_total",
    "Syncs and refreshes that this process has ended",
  );
  const supplier = tireSupplier({
    ...settings.tireSupplier,
    turn: requestTurns(documents, "tire_supplier", REQUESTS_PER_SECOND),
    ...watchProvider(broker, "tire_supplier"),
  });

  type Caller = Pick<Context<unknown, object>, "call">;
  /** Answers why the index could not be asked, where it could not: it catches up by itself in a while. */
  const reasonOfFailure = async (asked: Promise<unknown>): Promise<string | undefined> => {
    try {
      await asked;
      return undefined;
    } catch (error) {
      broker.logger.warn(
        "The search index could not be asked to take in the catalog's changes; it catches up by itself",
        error,
      );
      return error instanceof Error ? error.message : String(error);
    }
  };
  const refreshSearch = (from: Caller): Promise<string | undefined> =>
    reasonOfFailure(call(from, "search.refresh", {}));
  /** The tires' own index is built anew; the one of all parts takes in what changed. */
  const rebuildTires = async (): Promise<string | undefined> => {
    const notBuilt = await reasonOfFailure(call(broker, "search.rebuild", { index: "tires" }));
    return (await refreshSearch(broker)) ?? notBuilt;
  };

  const runner = createSyncRunner({
    documents,
    works: {
      tires: tireSync({
        documents,
        writer,
        supplier,
        vendor: TIRES,
        rebuildSearch: rebuildTires,
        syncedEvent: ({ _id, vendor, rows: { written, unchanged, refused }, discontinued }) =>
          outbox("catalog.synced", { vendor, syncId: _id, written, unchanged, discontinued, refused }, _id),
        readRecord: syncs.record,
      }),
      refresh: refresh({
        documents,
        writer,
        inquire: async (parts) =>
          (await call(broker, "dis-router.inquire", { parts, maxAgeSeconds: 0, deadlineMs: INQUIRY_DEADLINE_MS }))
            .parts,
        onError: (error) => broker.logger.warn("The dealer inventory router could not be asked", error),
        refreshSearch: () => refreshSearch(broker),
        readRecord: syncs.record,
      }),
    },
    timeoutSeconds: settings.syncTimeoutSeconds,
    onEnded: ({ kind, vendor, status }) => {
      endedSyncs.add({ kind, vendor, outcome: status });
      channels.wake();
    },
    onError: (message, error) => broker.logger.error(message, error),
  });

  const assertSupplier = (slug: string): void => {
    if (slug.toLowerCase() !== settings.tireSupplier.slug) throw notFound("Tire supplier", slug);
  };

  return implement(catalogContract, {
    actions: {
      import: async (ctx) => {
        const vendor = vendorByCode(ctx.params.vendor);
        const before = await reader.revision(vendor);
        try {
          const report = await importStream(writer, vendor, ctx.params.contentType, ctx.stream as Readable | undefined);
          return { ...report, ...(report.written > 0 ? await cyclesAfterImport(reader, vendor, before) : {}) };
        } finally {
          // An import can be found when it is answered.
          await refreshSearch(ctx);
        }
      },
      syncPage: async (ctx) => {
        assertSupplier(ctx.params.supplier);
        const report = await syncTirePage({ supplier, writer, vendor: TIRES }, ctx.params);
        await refreshSearch(ctx);
        return report;
      },
      batchSync: async (ctx) => {
        assertSupplier(ctx.params.supplier);
        const activeBefore = await reader.countActive(TIRES);
        return { syncId: await runner.begin("tires", TIRES.code, { pageSize: ctx.params.pageSize, activeBefore }) };
      },
      refresh: async (ctx) => {
        const vendor = disVendorByCode(ctx.params.vendor);
        const [parts, activeBefore] = await Promise.all([reader.count(vendor), reader.countActive(vendor)]);
        return {
          syncId: await runner.begin("refresh", vendor.code, {
            pageSize: REFRESH_PAGE,
            activeBefore,
            total: Math.ceil(parts / REFRESH_PAGE),
          }),
        };
      },
      learn: async (ctx) => {
        const outcome = await learn(writer, ctx.params.parts);
        // Whoever asks has a shopper waiting, and the index may be busy with an import or a build.
        if (outcome.written > 0) void refreshSearch(broker);
        return outcome;
      },
      sync: (ctx) => syncs.report(ctx.params.syncId),
      syncs: async (ctx) => {
        const { vendor, ...query } = ctx.params;
        return listSyncs(documents, {
          ...query,
          ...(vendor === undefined ? {} : { vendor: vendorByCode(vendor).code }),
        });
      },
      parts: async (ctx) => {
        const { vendor, ...query } = ctx.params;
        const { parts, pagination } = await reader.page(vendorByCode(vendor), query);
        return { parts: parts.map(toIndexedPart), pagination };
      },
      supersession: (ctx) => supersessionOf(reader, vendorByCode(ctx.params.vendor), ctx.params.partNumber),
      get: async (ctx) => {
        const id = parsePartId(ctx.params.id);
        const vendor = id && findVendor(id.vendorCode);
        const [part] = vendor ? await reader.byIds(vendor, [ctx.params.id.toLowerCase()]) : [];
        if (!part) throw notFound("Part", ctx.params.id);
        return toCatalogPart(part);
      },
      price: async (ctx) => ({ items: await priceParts(reader, ctx.params.items) }),
      changes: async (ctx) => {
        const { vendor, ...query } = ctx.params;
        return { parts: fittingAMessage((await reader.changes(vendorByCode(vendor), query)).map(toCatalogPart)) };
      },
      revisions: async () => ({ vendors: await reader.revisions() }),
      stats: async () => {
        const vendors = await reader.stats();
        return { total: vendors.reduce((sum, { parts }) => sum + parts, 0), vendors };
      },
    },
    started: () => {
      metricsOf(broker).contribute("catalog", () => [endedSyncs.family()]);
      runner.start();
    },
    stopped: async () => {
      supplier.close();
      await runner.stop();
    },
  });
}
