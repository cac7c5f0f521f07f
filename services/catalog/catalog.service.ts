import type { Readable } from "node:stream";
import { presentFields } from "@partline/api-contracts";
import { getAt } from "@partline/toolkit";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { limitToMessage } from "../../broker/contract/message.ts";
import { createId, getCaller, toActor } from "../../broker/contract/context.ts";
import { auditSoFar } from "../../broker/audit/audited.ts";
import { getMetrics, watchProvider, createThrottledWarning } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { getStockPolicy } from "../../mixins/shop/shop-facts.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { invalidField, notFound } from "../../mixins/errors.ts";
import { FitmentReader } from "@partline/parts-search";
import { normalizePartNumber } from "@partline/parts-language";
import { call, type Events, implement, type OrderChannel, outbox } from "../contracts.ts";
import { createPartFitment } from "../shared/part-fitment.ts";
import { createManualLinks } from "../shared/manual-links.ts";
import { catalogContract, MOST_PRICE_FILE_BYTES, SITEMAP_PAGE } from "./contract.ts";
import { type FileContent, type FileReport, importBody, type OnProgress } from "./import-file.ts";
import { createPriceFile } from "./part-row.ts";
import { createImports } from "./imports.ts";
import { createMappings, readMapping } from "./file-mappings.ts";
import { findInterchange, findKit, findStandIns } from "./interchange/answers.ts";
import { createCrossReferences } from "./interchange/cross-references.ts";
import { createInterchangeFile } from "./interchange/file.ts";
import { toPartId } from "./part-number.ts";
import { findParts, findPartsById, getPartById, presentPrices } from "./part-prices.ts";
import { createEditing } from "./editing.ts";
import { exportParts } from "./exporting.ts";
import { createPartReader } from "./part-reader.ts";
import { type Bookkeeping, createPartWriter, followHolds, learn, type PartWriter } from "./part-writer.ts";
import { countOnHand, isUncounted, type PartDocument, toCatalogPart, toIndexedPart } from "./part.ts";
import { createConfirm, type InquiryLimits } from "./price-age.ts";
import { type Asking, createRefresh, REFRESH_PAGE, createSeenRefresh } from "./refresh.ts";
import { createPurchases } from "./purchases.ts";
import { stockedPartRule } from "./resources.ts";
import { createBrandVendors } from "./brand-vendors.ts";
import { createLeadTimes } from "./lead-times.ts";
import { createSeenParts } from "./seen-parts.ts";
import { findCyclesAfterImport, findSupersession } from "./supersession.ts";
import { findHolders } from "./holders.ts";
import { OWN_VENDOR } from "../../mixins/shop/shelves.ts";
import { findCountedAt, sumShelves } from "./shelf.ts";
import { createShelves, type OrderCause, recordFileCounts } from "./shelves.ts";
import { createStock } from "./stock.ts";
import { SUPPLIERS } from "./suppliers/list.ts";
import { openSupplier, type OpenSupplier, requestTurns } from "./suppliers/open.ts";
import { createListingSync } from "./syncs/listing-sync.ts";
import { syncPage } from "./syncs/read-page.ts";
import { createSyncReader } from "./syncs/records.ts";
import { createSyncRunner } from "./syncs/sync-runner.ts";
import { createTimetable, watchTimetable } from "./timetable.ts";
import { createVendorNames } from "./vendor-names.ts";
import { assertPricedByDis, type Vendor, Vendors } from "./vendors.ts";

/** Deadline for the parts of one call to the dealer inventory router, milliseconds. */
const INQUIRY_DEADLINE_MS = 20_000;
/** Between sweeps of holds that ran out. */
const FREE_HOLDS_EVERY_MS = 3_000;

/** Of events that move pieces from a shelf, or to one. */
type MovingPayload = Events["order.shipped" | "order.shipment_cancelled" | "order.returned"];

export default function createCatalogService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels, tasks, settings } = getServiceRuntime(broker);
  const logger = broker.getLogger("catalog");
  const hasDealer = settings.dis !== undefined;
  const vendors = new Vendors(({ code, pricing }) =>
    pricing === "listing" ? settings.suppliers[code] !== undefined : hasDealer,
  );
  const reader = createPartReader(documents, vendors);
  const publicReader = createPartReader(documents, vendors, { isPublic: true });
  const writer = createPartWriter(documents);
  const references = createCrossReferences(documents);
  const { findFitment: fitmentOf } = createPartFitment(
    new FitmentReader(documents),
    createManualLinks(linkBase(settings, "gateway")),
    (what, error) => logger.debug(what, error),
  );
  const syncs = createSyncReader(documents);
  const endedSyncs = getMetrics(broker).getCounter(
    "partline_catalog_syncs_total",
    "Syncs and refreshes that ended in this process",
    ["kind", "vendor", "outcome"],
  );
  const suppliers = SUPPLIERS.flatMap((supplier) => {
    const { id, code, requestsPerSecond } = supplier;
    const supplierSettings = settings.suppliers[code];
    if (!supplierSettings) return [];
    const turn = requestTurns(documents, id, requestsPerSecond);
    return [openSupplier(supplier, supplierSettings, { turn, ...watchProvider(broker, id) })];
  });

  /** Announces a vendor's changes. Followers (search) also poll, so a crash before it loses nothing. */
  const announce = async (vendor: Vendor): Promise<void> => {
    try {
      await documents.atomically([outbox("catalog.changed", { vendor: vendor.code })]);
      channels.wake();
    } catch (error) {
      broker.logger.warn("A change of the catalog could not be announced; its followers look by themselves", error);
    }
  };

  const names = createVendorNames({
    documents,
    vendors,
    reader,
    writer,
    wake: () => tasks.wake(),
    announce,
    getPolicy: (code) => getStockPolicy(settings.shop.stockPolicy, code),
    onError: createThrottledWarning(logger, "The vendors' names cannot be read; those that are known stay in effect"),
  });

  const onUnseen = createThrottledWarning(logger, "It could not be recorded which parts are asked for");
  const seenParts = createSeenParts(documents, onUnseen);
  const inquire = async (parts: { vendor: string; partNumber: string }[], limits: InquiryLimits) =>
    (await call(broker, "dis-router.inquire", { parts, announce: false, ...limits })).parts;
  const asking: Asking = {
    inquire: (parts) => inquire(parts, { maxAgeSeconds: 0, deadlineMs: INQUIRY_DEADLINE_MS }),
    onError: (error) => broker.logger.warn("The dealer inventory router could not be asked", error),
  };
  const confirm = createConfirm({
    maxAgeMs: settings.priceMaxAgeMs,
    reader,
    writer,
    seen: seenParts,
    inquire,
    onUnconfirmed: createThrottledWarning(logger, "Old prices of a checkout count, as the dealer did not confirm them"),
  });

  const { syncTimeoutSeconds: timeoutSeconds } = settings;
  const timetable = createTimetable({
    documents,
    tasks,
    jobs: [
      ...suppliers.map((supplier) => ({
        name: supplier.vendor.code,
        everyMs: settings.tireSyncEveryMs,
        run: async () => {
          await beginListing(supplier, catalogContract.actions.batchSync.params.pageSize.default);
          return false;
        },
      })),
      ...(hasDealer
        ? [
            {
              name: "dealer",
              everyMs: settings.disRefreshEveryMs,
              run: createSeenRefresh({ documents, reader, writer, seen: seenParts, timeoutSeconds, ...asking }),
            },
          ]
        : []),
    ],
  });
  watchTimetable(broker, timetable);

  const syncing = { documents, writer, readRecord: syncs.record };
  const syncRunner = createSyncRunner({
    documents,
    tasks,
    works: {
      listing: createListingSync({
        ...syncing,
        suppliers,
        createSyncedEvent: ({ _id, vendor, rows: { written, unchanged, refused }, discontinued }) =>
          outbox(
            "catalog.synced",
            { vendor, syncId: _id, written, unchanged, discontinued, refused },
            `catalog.synced:${_id}`,
          ),
      }),
      refresh: createRefresh({ ...syncing, ...asking }),
    },
    timeoutSeconds,
    recordSuccess: ({ kind, vendor }) => (kind === "refresh" ? [] : [timetable.succeeded(vendor)]),
    onEnded: ({ _id, kind, vendor, status: outcome, notes }) => {
      endedSyncs.inc({ kind, vendor, outcome });
      if (outcome !== "completed") {
        const facts = { sync: _id, kind, vendor, outcome, notes };
        broker.logger.warn(facts, "A sync did not complete: GET /catalog/syncs/{syncId} says why");
      }
      channels.wake();
    },
  });

  const beginListing = async ({ supplier, vendor }: OpenSupplier, pageSize: number): Promise<string> => {
    const activeBefore = await reader.count(vendor, "active");
    return syncRunner.begin(supplier.kind, vendor.code, { pageSize, activeBefore });
  };
  /** The dealer can be asked about its own vendors' parts alone. */
  const noteSeen = (parts: readonly PartDocument[]): void =>
    seenParts.markSeen(
      parts.flatMap(({ _id, manufacturer }) => (vendors.find(manufacturer.code)?.pricing === "dis" ? [_id] : [])),
    );
  const getPart = async (reference: { vendor: string; partNumber: string }) => {
    const vendor = await names.getByCode(reference.vendor);
    const id = toPartId(vendor.code, normalizePartNumber(reference.partNumber));
    const [part] = await publicReader.findByIds(vendor, [id]);
    if (!part) throw notFound("Part", `${vendor.code} ${reference.partNumber}`);
    return { vendor, part };
  };
  const getSupplier = (slug: string): OpenSupplier => {
    const supplier = suppliers.find((supplier) => supplier.slug === slug.toLowerCase());
    if (!supplier) throw notFound("Supplier", slug);
    return supplier;
  };

  const imports = createImports(documents);
  const mappings = createMappings(documents);
  /** The audit stream has what an import did also when it breaks off. */
  const takeFile = <T extends object>(
    ctx: Context,
    content: FileContent<T>,
    contentType: string,
    onProgress?: OnProgress,
  ): Promise<FileReport> =>
    importBody(content, contentType, ctx.stream as Readable | undefined, MOST_PRICE_FILE_BYTES, async (soFar) => {
      auditSoFar(ctx, soFar);
      await onProgress?.(soFar);
    });
  const leadTimes = createLeadTimes(documents);
  const stock = createStock({
    documents,
    reader,
    shop: settings.shop,
    async findLeadDays(code) {
      const days = await leadTimes.findDays(code);
      return days === undefined ? undefined : days + settings.shop.handlingDays;
    },
    followers: {
      async notify(parts) {
        await followHolds(writer, reader.names, parts);
        channels.wake();
      },
      onError: createThrottledWarning(logger, "Search shows an old availability of parts whose pieces are held"),
    },
  });
  const shelves = createShelves({ documents, reader, writer, countHeld: stock.countHeld, shop: settings.shop });
  const editing = createEditing({
    reader,
    writer,
    countHeld: stock.countHeld,
    toImageUrl: (id) => `${linkBase(settings, "media")}/api/media/${id}`,
    findImages: async (ids) => (await call(broker, "media.has", { ids })).ids,
  });
  /** The shop's own parts have a vendor that goes by the shop's name. */
  const getVendorOfNew = async (code: string | undefined): Promise<Vendor> => {
    if (code !== undefined) return names.getByCode(code);
    await names.refresh();
    const { shopName } = settings.shop;
    if (!vendors.find(OWN_VENDOR)) await names.set(OWN_VENDOR, vendors.isFree(shopName) ? shopName : undefined, []);
    return names.getByCode(OWN_VENDOR);
  };
  const purchases = createPurchases({ documents, reader, shelves, countHeld: stock.countHeld });
  /** Wakes those who hear of a change once it is made. */
  const wakeAfter = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change;
    channels.wake();
    return result;
  };
  const orderHandler = {
    group: "catalog",
    handler: async ({ payload }: { payload: Pick<Events["order.updated"], "orderId" | "version" | "toShip"> }) => {
      const { orderId, version, toShip } = payload;
      if (toShip) await stock.holdOfOrder({ orderId, version, lines: toShip });
    },
  };
  /** What came back damaged or incomplete stays off the shelf. */
  const listShelvable = (payload: MovingPayload): MovingPayload["items"] =>
    "returnId" in payload
      ? payload.items.filter(({ condition = payload.condition ?? "resalable" }) => condition === "resalable")
      : payload.items;
  /** Pieces leave the shelf before they are no longer held: for a moment there are too few rather than too many. */
  const createMovingHandler = (cause: OrderCause) => ({
    group: "catalog",
    handler: async (event: { payload: MovingPayload }) => {
      await shelves.move(cause, { ...event.payload, items: listShelvable(event.payload) });
      await orderHandler.handler(event);
      channels.wake();
    },
  });
  /** These change nothing of what is left to ship: a delay, an allocation, an erasure, the request of a return. */
  const orderHandlers = {
    "order.updated": orderHandler,
    "order.shipped": createMovingHandler("shipment"),
    "order.shipment_cancelled": createMovingHandler("shipment_cancelled"),
    "order.delivered": orderHandler,
    "order.cancelled": orderHandler,
    "order.lines_cancelled": orderHandler,
    "order.returned": createMovingHandler("return"),
    "order.refunded": orderHandler,
  } satisfies Record<
    Exclude<
      OrderChannel,
      "order.created" | "order.delayed" | "order.allocated" | "order.erased" | "order.return_updated"
    >,
    object
  >;

  return implement(catalogContract, {
    actions: {
      import: async (ctx) => {
        const { contentType, dryRun, currency, rate, sheet, fileName: reason, overwriteCounts, place } = ctx.params;
        const { createVendors: isAdding } = ctx.params;
        const isByBrand = ctx.params.byBrand || isAdding;
        const mapping = readMapping(ctx.params.mapping);
        const vendor = await names.getByCode(ctx.params.vendor);
        const keptMapping = await mappings.find(vendor.code);
        const choice = { mapping, keptMapping, currency: currency?.toUpperCase(), rate, sheet };
        const actor = toActor(getCaller(ctx));
        if (isByBrand) await names.refresh();
        const brands = createBrandVendors(vendors, { isAdding });
        const counting = { place, overwrites: overwriteCounts };
        const revisionsBefore = new Map<Vendor, number>();
        /** Notes a vendor before the first write of its parts, and adds it if it is not there. */
        const beginVendor = async (fileVendor: Vendor): Promise<Vendor> => {
          const { code, name } = fileVendor;
          if (brands.isAdded(fileVendor) && !vendors.find(code)) await names.set(code, name, [], true);
          const knownVendor = [...revisionsBefore.keys()].find((candidate) => candidate.code === code);
          if (knownVendor) return knownVendor;
          const addedVendor = vendors.getByCode(code);
          revisionsBefore.set(addedVendor, await reader.getRevision(addedVendor));
          return addedVendor;
        };
        const readFile = () =>
          imports.trackImport({ vendor: vendor.code, dryRun }, (onProgress, importId) => {
            const recordCounts: Bookkeeping = (_outcome, changes) =>
              recordFileCounts(changes, { importId, reason, actor, place });
            const write: PartWriter["compare"] = async (fileVendor, news, source) => {
              if (!dryRun) return writer.write(await beginVendor(fileVendor), news, source, recordCounts, counting);
              if (brands.isAdded(fileVendor)) return { written: news.length, unchanged: 0 };
              return writer.compare(fileVendor, news, source, counting);
            };
            const priceFile = createPriceFile({ write }, vendor, { vendors, choice, brands, isByBrand });
            return takeFile(ctx, priceFile, contentType, onProgress);
          });
        if (dryRun) return readFile();
        try {
          const report = await readFile();
          if (mapping) await mappings.keep(vendor.code, mapping);
          return { ...report, ...(report.written > 0 && (await findCyclesAfterImport(reader, revisionsBefore))) };
        } finally {
          for (const fileVendor of revisionsBefore.keys()) await announce(fileVendor);
        }
      },
      imports: async () => ({ imports: await imports.list() }),
      importReport: (ctx) => imports.get(ctx.params.importId),
      importInterchange: async (ctx) => {
        await names.refresh();
        return takeFile(ctx, createInterchangeFile(vendors, references), ctx.params.contentType);
      },
      interchange: async ({ params: { vendor, partNumber, source, ...paging } }) => {
        const code = vendor && (await names.getByCode(vendor)).code;
        const pnNorm = partNumber && normalizePartNumber(partNumber);
        const { found: page, pagination } = await references.page({ vendor: code, pnNorm, source }, paging);
        return { references: page.map(({ _id: id, ...reference }) => ({ id, ...reference })), pagination };
      },
      removeInterchange: async ({ params }) => ({ deleted: await references.removeSource(params.source) }),
      removeCrossReference: async ({ params: { id } }) => {
        const deleted = await references.remove(id);
        if (deleted === 0) throw notFound("Cross reference", id);
        return { deleted };
      },
      standIns: async ({ params }) => ({ parts: await findStandIns(params.numbers, references, vendors) }),
      syncPage: async (ctx) => {
        const supplier = getSupplier(ctx.params.supplier);
        const report = await syncPage(writer, supplier, ctx.params);
        await announce(supplier.vendor);
        return report;
      },
      batchSync: async (ctx) => ({
        syncId: await beginListing(getSupplier(ctx.params.supplier), ctx.params.pageSize),
      }),
      refresh: async (ctx) => {
        const vendor = assertPricedByDis(await names.getByCode(ctx.params.vendor));
        const [parts, activeBefore] = await Promise.all([reader.count(vendor), reader.count(vendor, "active")]);
        const facts = { pageSize: REFRESH_PAGE, activeBefore, total: Math.ceil(parts / REFRESH_PAGE) };
        return { syncId: await syncRunner.begin("refresh", vendor.code, facts) };
      },
      sync: (ctx) => syncs.report(ctx.params.syncId),
      syncs: async (ctx) => {
        const { vendor } = ctx.params;
        return syncs.list({ ...ctx.params, vendor: vendor && (await names.getByCode(vendor)).code });
      },
      parts: async (ctx) => {
        const vendor = await names.getByCode(ctx.params.vendor);
        const { parts, pagination } = await publicReader.page([vendor], ctx.params);
        const heldByPart = await stock.countHeld(parts.map(({ _id }) => _id));
        return { parts: parts.map((part) => toIndexedPart(part, vendor, heldByPart.get(part._id))), pagination };
      },
      sitemap: async () => {
        const listPages = async (vendor: Vendor) => {
          const starts = await reader.pageStarts(vendor, SITEMAP_PAGE);
          return starts.map((after) => ({ vendor: vendor.code, after: after || undefined }));
        };
        return { pages: (await Promise.all((await reader.listVendors()).map(listPages))).flat() };
      },
      sitemapPage: async ({ params: { vendor: code, after = "" } }) => {
        const parts = await reader.listAfter(await names.getByCode(code), after, SITEMAP_PAGE);
        if (parts.length === 0) throw notFound("Page of the sitemap", `${code} ${after}`.trim());
        const active = parts.filter(({ status, hidden }) => status === "active" && !hidden);
        return { parts: active.map(({ slug, updatedAt }) => ({ slug, updatedAt })) };
      },
      export: (ctx) => exportParts(reader, ctx.params),
      part: async ({ params }) => {
        const { vendor, part } = await getPart(params);
        noteSeen([part]);
        const [heldByPart, { fitment, isWhole }, supersession, interchange, kit] = await Promise.all([
          stock.countHeld([part._id]),
          fitmentOf(part),
          findSupersession(publicReader, vendor, part),
          findInterchange(part, references, publicReader),
          findKit(part, publicReader),
        ]);
        const missing = isWhole ? undefined : (["fitment"] as "fitment"[]);
        const indexedPart = toIndexedPart(part, vendor, heldByPart.get(part._id));
        return { ...indexedPart, fitment, supersession, interchange, kit, missing };
      },
      supersession: async ({ params }) => {
        const { vendor, part } = await getPart(params);
        return { id: part._id, partNumber: part.partNumber, ...(await findSupersession(publicReader, vendor, part)) };
      },
      get: async (ctx) => {
        const { vendor, part } = await getPartById(publicReader, ctx.params.id);
        noteSeen([part]);
        return toCatalogPart(part, vendor, (await stock.countHeld([part._id])).get(part._id));
      },
      stocked: async ({ params: { ids, hold } }) => {
        const foundParts = await findPartsById(publicReader, ids);
        const parts = foundParts.filter((part) => part !== undefined);
        const heldByPart = await stock.countHeldByOthers(parts, hold);
        const present = async (part: PartDocument) => {
          const vendor = vendors.getByCode(part.manufacturer.code);
          const { beyond: beyondStock } = getStockPolicy(settings.shop.stockPolicy, vendor.code);
          const backorderDays = await stock.findBackorderDays(part);
          const shelves = part.shelves?.map(({ place, onHand }) => ({ place, onHand }));
          const imageUrl = part.media?.images?.[0]?.url;
          const more = { imageUrl, uncounted: isUncounted(part), beyondStock, backorderDays, shelves };
          const facts = { ...toCatalogPart(part, vendor, heldByPart.get(part._id)), ...more };
          return presentFields(stockedPartRule.props, facts);
        };
        return { parts: await Promise.all(parts.map(present)) };
      },
      price: async (ctx) => {
        const { items, confirmed, successors } = ctx.params;
        const foundParts = await findParts(publicReader, items);
        const parts = foundParts.filter((part) => part !== undefined);
        noteSeen(parts);
        // The dealer's answer that a shopper saw may not have reached the catalog yet.
        const isDoubtful = (part: PartDocument): boolean =>
          foundParts.some(
            (candidate, index) =>
              candidate?._id === part._id && (getAt(items, index).shown ?? part.price) !== part.price,
          ) || stock.isMissing(part);
        const current = confirmed ? await confirm(parts, isDoubtful) : undefined;
        if (current?.size) channels.wake();
        const priced = foundParts.map((part) => (part && current?.get(part._id)) ?? part);
        return { items: await presentPrices(publicReader, priced, { successors, heldOf: stock.countHeld }) };
      },
      adminParts: async ({ params: { vendor, ids, ...query } }) =>
        ids === undefined
          ? editing.list(vendor === undefined ? await reader.listVendors() : [await names.getByCode(vendor)], query)
          : editing.listByIds([...new Set(ids.split(","))], query),
      adminPart: ({ params: { id } }) => editing.read(id),
      editPart: (ctx) => wakeAfter(editing.changePart(ctx.params)),
      addPart: async (ctx) => {
        const { stock: firstStock, ...fields } = ctx.params;
        const part = await editing.addPart(createId(ctx), await getVendorOfNew(fields.vendor), fields);
        if (firstStock) await shelves.countFirst({ id: part.id, ...firstStock }, toActor(getCaller(ctx)));
        channels.wake();
        return firstStock ? editing.read(part.id) : part;
      },
      ownStock: ({ params: { id } }) => shelves.read(id),
      countStock: (ctx) => wakeAfter(shelves.count(ctx.params, toActor(getCaller(ctx)))),
      createPurchase: async (ctx) => {
        const vendor = await names.getByCode(ctx.params.vendor);
        if (vendor.code === OWN_VENDOR) throw invalidField("vendor", "is the shop itself, which sells itself nothing");
        const actor = toActor(getCaller(ctx));
        return wakeAfter(purchases.create(`pur_${createId(ctx)}`, vendor, ctx.params, actor));
      },
      purchases: (ctx) => purchases.list(ctx.params),
      purchase: (ctx) => purchases.get(ctx.params.purchaseId),
      updatePurchase: (ctx) => wakeAfter(purchases.update(ctx.params)),
      receivePurchase: (ctx) => wakeAfter(purchases.receive(createId(ctx), ctx.params, toActor(getCaller(ctx)))),
      cancelPurchase: (ctx) => wakeAfter(purchases.cancel(createId(ctx), ctx.params)),
      shortages: ({ params }) => purchases.listShortages(params),
      arrivals: async ({ params: { ids } }) => ({ arrivals: await purchases.listArrivals(ids) }),
      supply: async ({ params: { ids } }) => {
        // Shipped pieces leave the shelf before they are no longer held: in this order there are never too many.
        const heldByPart = await stock.countHeld(ids);
        const parts = (await findPartsById(reader, ids)).filter((part) => part !== undefined);
        return {
          parts: parts.map((part) => ({
            id: part._id,
            own: sumShelves(part.shelves) ?? 0,
            countedAt: findCountedAt(part.shelves),
            dealer: countOnHand({ stock: part.stock }) ?? 0,
            held: heldByPart.get(part._id) ?? 0,
            shelves: (part.shelves ?? []).map(({ place, bin, onHand }) => ({ place, bin, onHand })),
          })),
        };
      },
      lowStock: async () => ({ parts: await shelves.listLow() }),
      hold: (ctx) => stock.hold(ctx.params, ctx.params.paid ? [] : findHolders(ctx)),
      release: async ({ params: { key } }) => {
        await stock.release(key);
        return { key };
      },
      changes: async (ctx) => {
        // A renamed vendor's parts may have been touched by another process, and are read once.
        await names.refresh();
        const vendor = vendors.getByCode(ctx.params.vendor);
        const parts = await reader.listChanges(vendor, ctx.params);
        const heldByPart = await stock.countHeld(parts.map(({ _id }) => _id));
        return { parts: limitToMessage(parts.map((part) => toCatalogPart(part, vendor, heldByPart.get(part._id)))) };
      },
      vendors: async () => ({ vendors: await names.list() }),
      setVendor: async ({ params: { code, name, aliases, isNew } }) => {
        await names.set(code, name, aliases, isNew);
        return (await names.list()).find((vendor) => vendor.code === code.toUpperCase())!;
      },
      resetVendor: async ({ params }) => {
        await names.reset(params.code);
        return { vendors: await names.list() };
      },
      timetable: async () => ({ jobs: await timetable.list() }),
      pauseJob: (ctx) => timetable.pause(ctx.params.job),
      resumeJob: (ctx) => timetable.resume(ctx.params.job),
      revisions: async () => ({ vendors: await reader.listRevisions() }),
      stats: async () => {
        const [vendors, counted] = await Promise.all([reader.countByVendor(), shelves.hasMovements()]);
        return { total: vendors.reduce((sum, { parts }) => sum + parts, 0), vendors, counted };
      },
    },
    channels: {
      "dealer.answered": {
        group: "catalog",
        handler: async ({ payload }) => {
          const ids = await learn(writer, payload.parts);
          seenParts.markSeen(ids);
          seenParts.markTold(ids);
          channels.wake();
        },
      },
      "order.created": {
        group: "catalog",
        handler: async ({ v, payload: { orderId, items, hold } }) => {
          // What followed an event of 0.2.0 does not say what is left to ship, and would free nothing.
          if (v >= 2) await stock.holdOfOrder({ orderId, version: 1, lines: items, hold });
        },
      },
      ...orderHandlers,
    },
    periodic: [{ name: "catalog.free-holds", everyMs: FREE_HOLDS_EVERY_MS, ...stock.freeing }],
    tasks: { "catalog.renamed": names.renamed, "catalog.sync": syncRunner.handler, "catalog.timed": timetable.handler },
    started: async () => {
      await names.refresh();
      names.follow();
      await timetable.start();
    },
    stopped: async () => {
      names.stop();
      await seenParts.stop();
      for (const supplier of suppliers) supplier.close();
    },
  });
}
