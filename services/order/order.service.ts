import type { Readable } from "node:stream";
import { createSequences } from "@partline/durable";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { ulid } from "@partline/toolkit";
import { type ShippingAddress, STORE_CURRENCY } from "../shared/commerce.ts";
import { toActor, type CallContext, type Caller, getCaller, createId } from "../../broker/contract/context.ts";
import { decodeCursor, encodeCursor } from "../../broker/contract/cursor.ts";
import type { FileRequest } from "../../broker/contract/file.ts";
import { limitToMessage } from "../../broker/contract/message.ts";
import { omitPersonal, type Result } from "@partline/api-contracts";
import { placedOrderRule } from "../shared/placed-order.ts";
import { buildCreatedFilter } from "../../broker/contract/period.ts";
import { assertVersion, invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { watchProvider, getMaxListedBytes } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { toMinorUnits } from "@partline/parts-language";
import { createAttempts } from "../../mixins/payment-provider/attempts.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { auditWrites } from "../../broker/audit/audited.ts";
import { readParcelNews } from "../../mixins/shipping-rates/tracking.ts";
import { createEasyPostLabels } from "../../mixins/shipping-rates/easypost.ts";
import { getBrandColour } from "../../mixins/shop/brand-colour.ts";
import { createSignedTokens, ORDER_LINK } from "../../mixins/http/signed-token.ts";
import { type Actions, call, implement } from "../contracts.ts";
import { createShippingRates, compareShipping, isShippingEnforced } from "../shared/shipping-costs.ts";
import { createAllocation } from "./allocation.ts";
import { assertKnown, assertMayRefund, assertMaySetAdminFields, assertMayUse } from "./access.ts";
import { setAddress, type BuyerTerms } from "./addressing.ts";
import { createAdoption } from "./adoption.ts";
import {
  addNote,
  assertDeliverable,
  assertNoTracking,
  cancelReturn,
  cancelShipment,
  correctShipment,
  delay,
  expectReturn,
  findShipment,
  isCancellation,
  removeNote,
  setContact,
  setTaxes,
  ship,
  update,
} from "./changes.ts";
import type { CancelRequest, OrderDocument } from "./collections.ts";
import { orderContract } from "./contract.ts";
import { createOrderMaker } from "./creation.ts";
import { createDeriving } from "./derived.ts";
import { drawPapers, type Paper } from "@partline/papers";
import { findDisputePages } from "./disputes.ts";
import { createErasure } from "./erasure.ts";
import { createOrderExport } from "./exporting.ts";
import { combineGoods, createLabelling } from "./labels.ts";
import { createOrderListing, readHistory } from "./listing.ts";
import { createLookUps } from "./look-up.ts";
import { withdrawMissing } from "./missing.ts";
import { tellNews } from "./news.ts";
import { markPacked } from "./packing.ts";
import {
  createInvoice,
  createPackingSlip,
  createShipmentSlip,
  createSkippedOrdersPage,
  type Shelves,
  createPdfAnswer,
} from "./papers.ts";
import { findElsewhere, setElsewhere } from "./places.ts";
import { isPackable } from "./queues.ts";
import { applyPaymentChange } from "./payment-change.ts";
import { cancelUnpaid, settleElsewhere, type RefundRequest } from "./refunds/decisions.ts";
import { findRefund } from "./refunds/ledger.ts";
import { createRefundProcess } from "./refunds/process.ts";
import { createOrderRepository } from "./repository.ts";
import { addPhoto, decideReturn, requestReturn, type ReturnRequest } from "./return-requests.ts";
import type { Change } from "./order-change.ts";
import { computeStats } from "./stats.ts";
import { PARCELS, type ParcelDocument, recordParcelNews } from "./tracking.ts";
import { isRefusal } from "./transitions.ts";
import {
  adminView,
  cancellationRefund,
  exportView,
  lookupView,
  mailedView,
  hideBuyer,
  ownerView,
  placedView,
  refundView,
} from "./views.ts";
import { isOfParts, readWaitingParts, WAITING_LINES, type WaitingLineDocument, type WaitingParts } from "./waiting.ts";

/** Whose order a request is about, and as whom. */
type Buyer = { orderId: string; actor: string };
type Decide = (order: OrderDocument) => Change | undefined;

const getActor = (ctx: CallContext<unknown>): string => toActor(getCaller(ctx));
const getFacts = (ctx: CallContext<unknown>) => ({ actor: getActor(ctx), now: new Date() });

/** Request by the link of a mail: anyone who has it acts as the buyer. */
const guestRequest = { actor: "link", force: false } as const;

/** Parts that the catalog is asked for at once. */
const MOST_SUPPLIES = 1_000;
const SWEEP_MS = 3_000;
/** Period of looking for orders to derive, which only an upgrade leaves. */
const DERIVE_MS = 60_000;
const ALLOCATE_MS = 30_000;
const MOST_ORDERS_SHOWN = 10;
/** Filters orders that must be made ready for pickup. */
const TO_PREPARE = { "queues.pickup": true };
/** Marks the cursors of shortages. */
const SHORTAGES = "shortages";

/** @throws VALIDATION_FAILED */
function readShortageCursor(cursor: string): string {
  const [kind, after] = decodeCursor(cursor);
  if (kind === SHORTAGES && typeof after === "string") return after;
  throw invalidField("cursor", "must be the nextCursor of an answer");
}

export default function orderService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels, tasks } = getServiceRuntime(broker);
  const getBuyerTerms = () => ({
    shipTo: isShippingEnforced(settings) ? settings.shipping.shipTo : undefined,
    isTaxed: settings.payment.automaticTax,
  });
  const rates = createShippingRates(broker, settings);
  const { easyPost } = settings.shipping;
  const disputePageOf = findDisputePages(settings.payment);
  const logger = broker.getLogger("order");
  const repository = createOrderRepository(documents, channels);
  const tokens = createSignedTokens(documents);
  const lookUps = createLookUps({
    ...{ documents, tasks, tokens, secret: settings.adminToken, hasMail: settings.mail !== undefined },
    findOrder: (orderNumber) => repository.orders.findOne({ orderNumber }),
  });
  const erasure = createErasure(documents, repository, settings.auditKeptMs);
  const adopt = createAdoption(repository, erasure);
  const make = createOrderMaker(repository, createSequences(documents), erasure, channels);
  const list = createOrderListing(documents);
  const exported = createOrderExport(documents);
  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const refunds = createRefundProcess({
    repository,
    provider,
    attempts: createAttempts(documents),
    onError: (orderId, error) =>
      logger.error({ orderId, err: error }, "A refund did not go through; where its money is due, it is tried again"),
  });
  const parcels = documents.collection<ParcelDocument>(PARCELS);
  const waitingLines = documents.collection<WaitingLineDocument>(WAITING_LINES);
  async function findSupplies(ids: readonly string[]) {
    const supplies: Result<Actions["catalog.supply"]>["parts"] = [];
    for (let from = 0; from < ids.length; from += MOST_SUPPLIES)
      supplies.push(...(await call(broker, "catalog.supply", { ids: ids.slice(from, from + MOST_SUPPLIES) })).parts);
    return supplies;
  }
  const allocation = createAllocation({
    repository,
    lines: waitingLines,
    findSupplies,
    findArrivals: async (ids) => (await call(broker, "catalog.arrivals", { ids })).arrivals,
  });
  const expectPieces = ({ payload }: { payload: { items: readonly { productId: string }[] } }): Promise<void> =>
    allocation.expect(payload.items.map(({ productId }) => productId));
  /** Notes which pieces of pickup orders must come from another place. @param parts whose pieces moved, all unless given */
  async function locatePieces(parts?: WaitingParts): Promise<void> {
    const orders = await repository.orders.find(TO_PREPARE);
    const ids = new Set(orders.flatMap(({ items }) => items.map(({ productId }) => productId)));
    const supplies = await findSupplies([...ids].filter((id) => !parts || isOfParts(parts, id)));
    const lines = findElsewhere(orders, supplies, settings.shop.pickupPlaces);
    for (const [orderId, orderLines] of Map.groupBy(lines, (line) => line.orderId))
      await repository.change(orderId, (order) => setElsewhere(order, orderLines));
  }
  const labelling = createLabelling({
    repository,
    labels: easyPost && createEasyPostLabels({ ...easyPost, ...watchProvider(broker, "easypost") }),
    country: easyPost?.from.country ?? "",
    findGoods: async (items) => combineGoods((await call(broker, "catalog.price", { items: [...items] })).items),
    onFault: (orderId, error) => logger.error({ orderId, err: error }, "A label failed, as a note of the order says"),
    wake: () => tasks.wake(),
  });
  // The embedded store has one process: what is unfinished at its start was left by one that died.
  const leftBefore = documents.backend === "embedded" ? new Date() : undefined;

  async function lookup({ params }: CallContext<{ sessionId?: string; paymentIntentId?: string }>) {
    const order = await repository.findByPayment(params);
    if (!order) throw notFound("Order");
    return lookupView(order);
  }

  /** Presents an order without personal data, which the requesting service has. */
  const presentPlaced = (order: OrderDocument) => omitPersonal(placedOrderRule.props, placedView(order));

  const changeOrder = async ({ params }: CallContext<{ orderId: string }>, decide: Decide) =>
    adminView(await repository.change(params.orderId, decide));

  /** @throws VALIDATION_FAILED for a page that a message does not hold */
  function assertFitsMessage<T>(page: T[]): T[] {
    const most = getMaxListedBytes(broker);
    // In one process nothing needs to be counted.
    const { length } = most === Infinity ? page : limitToMessage(page, most);
    if (length === page.length) return page;
    throw invalidField("pageSize", `must be at most ${length} here: an answer holds no more of these orders`);
  }

  type Query = Parameters<typeof list.findPage>[0];
  async function findPage<T>(query: Query, view: (order: OrderDocument) => T, userId?: string) {
    const { found: page, pagination } = await list.findPage(query, userId);
    return { orders: assertFitsMessage(page.map(view)), pagination };
  }

  /** @throws UNAUTHORIZED, FORBIDDEN */
  async function findOwnPage<T>(caller: Caller, query: Query & { userId: string }, view: (order: OrderDocument) => T) {
    assertMayUse(caller, query.userId);
    await adopt(caller, query.userId);
    return findPage(query, view, query.userId);
  }

  /** @throws NOT_FOUND, UNAUTHORIZED, FORBIDDEN */
  async function orderFor({ orderId }: { orderId: string }, caller: Caller): Promise<OrderDocument> {
    const order = await repository.get(orderId);
    assertMayUse(caller, order.userId);
    return order;
  }

  /** @throws NOT_FOUND for a link that is forged or too old */
  async function readLink({ token }: { token: string }): Promise<{ orderId: string; isReadOnly: boolean }> {
    const claims = await tokens.verify(ORDER_LINK, token);
    if (typeof claims === "string" || typeof claims.orderId !== "string") throw notFound("Order");
    return { orderId: claims.orderId, isReadOnly: claims.readOnly === true };
  }

  /** @throws NOT_FOUND for a link that is forged or too old, FORBIDDEN for one of a look-up */
  async function verifyLink(params: { token: string }): Promise<string> {
    const { orderId, isReadOnly } = await readLink(params);
    if (isReadOnly) throw new PartlineError("FORBIDDEN", "This token only shows the order: use the link in an email");
    return orderId;
  }

  async function identifyOwner(ctx: CallContext<{ orderId: string }>): Promise<Buyer> {
    const caller = getCaller(ctx);
    await orderFor(ctx.params, caller);
    return { orderId: ctx.params.orderId, actor: toActor(caller) };
  }

  const identifyLink = async ({ params }: CallContext<{ token: string }>): Promise<Buyer> => ({
    orderId: await verifyLink(params),
    actor: guestRequest.actor,
  });

  async function cancelOrder(orderId: string, request: CancelRequest) {
    const order = await refunds.cancel(orderId, request);
    return { ...ownerView(order), refund: cancellationRefund(order) };
  }

  async function refundOrder(ctx: CallContext<{ orderId: string }>, request: Omit<RefundRequest, "actor">) {
    const { orderId } = ctx.params;
    const { order, refundId } = await refunds.refund(orderId, { ...request, actor: getActor(ctx) }, ctx.meta.runId);
    return { ...adminView(order), refund: refundView(order, findRefund(order, refundId)!) };
  }

  /** Returns the shop's logo as a PNG; undefined if there is none, or if it cannot be read now: the paper comes first. */
  async function readLogo(): Promise<Buffer | undefined> {
    const { logo: id } = settings.shop;
    if (id === null) return undefined;
    try {
      const picture = await call(broker, "media.get", { id, w: 640, h: 160, format: "png", file: {} });
      return Buffer.from(picture.body as Uint8Array);
    } catch (error) {
      logger.warn("A paper has no logo, because it cannot be read", error);
      return undefined;
    }
  }

  async function addReturnPhoto(ctx: CallContext<{ returnId: string }>, { orderId, actor }: Buyer) {
    const { returnId } = ctx.params;
    // What is refused anyway is not worked on.
    const awaiting = await repository.get(orderId);
    addPhoto(awaiting, returnId, "", actor);
    const stream = (ctx.stream ?? undefined) as Readable | undefined;
    const { id } = await call(ctx, "media.putPhoto", { orderId }, { stream });
    try {
      const order = await repository.change(orderId, (current) => {
        if (awaiting.contact && !current.contact) throw notFound("Return", returnId);
        return addPhoto(current, returnId, id, actor);
      });
      return ownerView(order);
    } catch (error) {
      // Erased, closed or full meanwhile. Another return of the order may have the same photo.
      const { returnDetails = [] } = await repository.get(orderId);
      if (!returnDetails.some(({ photos }) => photos?.includes(id)))
        await call(ctx, "media.removePhoto", { orderId, photoId: id });
      throw error;
    }
  }

  async function askForReturn(ctx: CallContext<ReturnRequest>, { orderId, actor }: Buyer) {
    const returnId = `ret_${createId(ctx)}`;
    const order = await repository.change(orderId, (current) =>
      current.returns?.some((candidate) => candidate.returnId === returnId)
        ? undefined
        : labelling.withReturnLabel(
            requestReturn(current, ctx.params, settings.shop.returns, { actor, now: new Date(), returnId }),
          ),
    );
    tasks.wake();
    return ownerView(order);
  }

  async function endReturn({ returnId, orderId, actor }: Buyer & { returnId: string }, isBuyer = true) {
    const order = await repository.change(orderId, (current) => {
      const change = cancelReturn(current, returnId, { actor, now: new Date(), isBuyer });
      return change && labelling.withVoid(change, returnId);
    });
    tasks.wake();
    return order;
  }

  async function renderPapers({ file }: { file: FileRequest }, papers: readonly [Paper, ...Paper[]]) {
    const face = { logo: await readLogo(), colour: getBrandColour(settings.shop.colours) };
    return createPdfAnswer(file, await drawPapers(papers, face));
  }
  const renderPaper = (order: OrderDocument, request: { file: FileRequest }, make: typeof createInvoice) =>
    renderPapers(request, [make(order, settings.shop)]);

  /** Finds where the pieces of orders lie. A slip is also printed while the catalog is away, and says so. */
  async function findShelves(orders: readonly OrderDocument[]): Promise<Shelves> {
    const ids = [...new Set(orders.flatMap(({ items }) => items.map(({ productId }) => productId)))];
    try {
      return new Map((await findSupplies(ids)).map(({ id, shelves }) => [id, shelves]));
    } catch (error) {
      logger.warn("The shelves of parts cannot be read for a packing slip", error);
      return undefined;
    }
  }

  async function changeAddress(orderId: string, address: ShippingAddress, actor: string, terms?: BuyerTerms) {
    const paid = await repository.get(orderId);
    // What is no address, or comes too late, is refused before the carriers are asked.
    setAddress(paid, address, actor, terms);
    // What was paid for never changes.
    const underpaid = await compareShipping(rates, paid, address);
    return ownerView(await repository.change(orderId, (order) => setAddress(order, address, actor, terms, underpaid)));
  }

  return implement(orderContract, {
    actions: {
      bySession: lookup,
      byPayment: lookup,
      get: async (ctx) => ownerView(await orderFor(ctx.params, getCaller(ctx))),
      listForUser: (ctx) => findOwnPage(getCaller(ctx), ctx.params, ownerView),
      exportForUser: (ctx) => findOwnPage(getCaller(ctx), { ...ctx.params, sort: "newest" }, exportView),
      async cancel(ctx) {
        const { orderId, reason, adminNote, forceCancel } = ctx.params;
        const caller = getCaller(ctx);
        assertKnown(caller);
        await orderFor(ctx.params, caller);
        assertMaySetAdminFields(caller, ctx.params);
        const request = { reason, adminNote: adminNote || undefined, force: forceCancel, actor: toActor(caller) };
        return cancelOrder(orderId, { ...request, runId: ctx.meta.runId });
      },

      adminList: (ctx) => findPage(ctx.params, adminView),
      adminSearch: (ctx) => list.from(ctx.params, adminView),
      adminQueues: async () => ({ queues: await list.countQueues() }),
      async adminStats(ctx) {
        const createdAt = buildCreatedFilter(ctx.params);
        return computeStats(repository.orders.iterate(createdAt ? { createdAt } : {}));
      },
      adminGet: async (ctx) => {
        const document = await repository.get(ctx.params.orderId);
        const order = adminView(document);
        return {
          ...order,
          labelOffered: labelling.isOffered(document) || undefined,
          disputes: order.disputes.map((dispute) => ({ ...dispute, url: disputePageOf?.(dispute.disputeId) })),
        };
      },
      async adminUpdate(ctx) {
        const { orderId, ...patch } = ctx.params;
        const actor = getActor(ctx);
        if (isCancellation(await repository.get(orderId), patch)) {
          assertMayRefund(getCaller(ctx));
          assertNoTracking(patch, "cannot be set by a cancellation");
          const { adminNote, version } = patch;
          const request = { reason: "requested_by_customer", adminNote, version, force: false, actor } as const;
          const order = await refunds.cancel(orderId, request);
          return { ...adminView(order), refund: cancellationRefund(order) };
        }
        return changeOrder(ctx, (order) =>
          update(order, patch, actor, { now: new Date(), shipmentId: `shp_${ulid()}` }),
        );
      },
      // What is there by the id of a request was made before its process died.
      async adminShip(ctx) {
        const { orderId, tracking: trackingNumber, label, ...shipment } = ctx.params;
        const shipmentId = `shp_${createId(ctx)}`;
        if (label) {
          assertNoTracking({ trackingNumber, ...shipment }, "is that of the label: leave it out");
          const facts = { actor: getActor(ctx), shipmentId };
          return adminView(await labelling.ship(orderId, { ...shipment, label }, facts));
        }
        return changeOrder(ctx, (order) => {
          if (order.shipments?.some((candidate) => candidate.shipmentId === shipmentId)) return undefined;
          assertDeliverable(order);
          return ship(order, { trackingNumber, ...shipment }, { ...getFacts(ctx), shipmentId });
        });
      },
      adminLabelRates: async ({ params: { orderId, ...parcel } }) => ({
        rates: await labelling.listRates(orderId, parcel),
      }),
      adminSetContact: (ctx) => {
        const { orderId: _, ...contact } = ctx.params;
        return changeOrder(ctx, (order) => setContact(order, contact, getActor(ctx)));
      },
      adminCorrectShipment: (ctx) => changeOrder(ctx, (order) => correctShipment(order, ctx.params, getActor(ctx))),
      async adminCancelShipment(ctx) {
        const { shipmentId } = ctx.params;
        const facts = { ...getFacts(ctx), newRefundId: `ref_${ulid()}` };
        await changeOrder(ctx, (current) => labelling.withVoid(cancelShipment(current, ctx.params, facts), shipmentId));
        tasks.wake();
        // What was ready for pickup when all was refunded.
        return changeOrder(ctx, (order) => cancelUnpaid(order, facts));
      },
      adminDelay: (ctx) => changeOrder(ctx, (order) => delay(order, ctx.params, getFacts(ctx))),
      async adminShortages(ctx) {
        const { cursor, pageSize } = ctx.params;
        const after = cursor === undefined ? undefined : readShortageCursor(cursor);
        const linesByPart = await readWaitingParts(waitingLines, repository.orders, { after, limit: pageSize });
        const waiting = linesByPart.map(([id, lines]) => {
          const counts = { quantity: 0, uncounted: 0 };
          for (const { quantity, isUncounted } of lines) counts[isUncounted ? "uncounted" : "quantity"] += quantity;
          return { id, ...counts };
        });
        const { parts, last } = await call(ctx, "catalog.shortages", { waiting, after, pageSize });
        const orders = new Map(linesByPart);
        return {
          nextCursor: last && encodeCursor([SHORTAGES, last]),
          parts: parts.map((part) => ({
            ...part,
            orders: (orders.get(part.id) ?? [])
              .slice(0, MOST_ORDERS_SHOWN)
              .map(({ orderId, orderNumber }) => ({ orderId, orderNumber })),
          })),
        };
      },
      async adminMarkPacked(ctx) {
        const { orderIds, packed } = ctx.params;
        const marked: string[] = [];
        const refused: { orderId: string; code: string; message: string }[] = [];
        for (const orderId of new Set(orderIds))
          try {
            await repository.change(orderId, (order) => markPacked(order, packed, getActor(ctx), new Date()));
            marked.push(orderId);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            refused.push({ orderId, code: error.code, message: error.message });
          }
        return { marked, refused };
      },
      async adminNote(ctx) {
        const noteId = `note_${createId(ctx)}`;
        return changeOrder(ctx, (order) => {
          if (order.notes?.some((note) => note.noteId === noteId)) return undefined;
          return addNote(order, ctx.params.text, { ...getFacts(ctx), noteId });
        });
      },
      adminRemoveNote: (ctx) => changeOrder(ctx, (order) => removeNote(order, ctx.params.noteId, getActor(ctx))),
      async adminReturn(ctx) {
        const returnId = `ret_${createId(ctx)}`;
        return changeOrder(ctx, (order) => {
          if (order.returns?.some((orderReturn) => orderReturn.returnId === returnId)) return undefined;
          const restockingFee = toMinorUnits(ctx.params.restockingFee, order.currency);
          return expectReturn(order, { ...ctx.params, restockingFee }, { ...getFacts(ctx), returnId });
        });
      },
      requestReturn: async (ctx) => askForReturn(ctx, await identifyOwner(ctx)),
      requestReturnByLink: async (ctx) => askForReturn(ctx, await identifyLink(ctx)),
      addReturnPhoto: async (ctx) => addReturnPhoto(ctx, await identifyOwner(ctx)),
      addReturnPhotoByLink: async (ctx) => addReturnPhoto(ctx, await identifyLink(ctx)),
      cancelReturn: async (ctx) => ownerView(await endReturn({ ...ctx.params, ...(await identifyOwner(ctx)) })),
      cancelReturnByLink: async (ctx) => ownerView(await endReturn({ ...ctx.params, ...(await identifyLink(ctx)) })),
      async adminDecideReturn(ctx) {
        const { orderId, returnId, decision, refusal, restockingFee: fee, label } = ctx.params;
        const { currency } = await repository.get(orderId);
        if (decision === "refused" && refusal === undefined)
          throw invalidField("refusal", "is required for a refused return");
        const restockingFee = fee === undefined ? undefined : toMinorUnits(fee, currency);
        const answer = decision === "refused" ? { refusal: refusal ?? "" } : { restockingFee };
        const decided = await changeOrder(ctx, (order) => {
          const change = decideReturn(order, returnId, answer, getActor(ctx));
          return label ? labelling.withReturnLabel(change) : change;
        });
        tasks.wake();
        return decided;
      },
      async adminReceiveReturn(ctx) {
        const { orderId, returnId, lines, restockingFee: fee, condition } = ctx.params;
        const { currency } = await repository.get(orderId);
        const toFee = (amount: number | undefined) =>
          amount === undefined ? undefined : toMinorUnits(amount, currency);
        const restockingFee = toFee(fee);
        const items = lines?.map((line) => ({ ...line, restockingFee: toFee(line.restockingFee) }));
        return refundOrder(ctx, { returnId, items, restockingFee, condition, reason: "requested_by_customer" });
      },
      adminCancelReturn: async (ctx) => adminView(await endReturn({ ...ctx.params, actor: getActor(ctx) }, false)),
      adminCancelLines: (ctx) =>
        refundOrder(ctx, { items: ctx.params.lines, cancels: true, reason: ctx.params.reason }),
      async setShippingAddress(ctx) {
        const { orderId, shippingAddress } = ctx.params;
        const caller = getCaller(ctx);
        assertKnown(caller);
        await orderFor(ctx.params, caller);
        return changeAddress(orderId, shippingAddress, toActor(caller), caller.admin ? undefined : getBuyerTerms());
      },
      guestExport: async (ctx) => exportView(await erasure.getGuestOrder(ctx.params)),
      guestErase: (ctx) => erasure.eraseGuest(ctx.params),
      async adminRefund(ctx) {
        const { orderId, amount, items, reason } = ctx.params;
        const { currency } = await repository.get(orderId);
        const cents = amount === undefined ? undefined : toMinorUnits(amount, currency);
        return refundOrder(ctx, { amount: cents, items, reason });
      },
      async adminSettleRefund(ctx) {
        const { paidBy, note, version } = ctx.params;
        const id = createId(ctx);
        return changeOrder(ctx, (order) => {
          const settled = settleElsewhere(order, { ...getFacts(ctx), refundId: `ref_${id}`, paidBy });
          if (!settled) return undefined;
          assertVersion("The order", version, order.version);
          const noted = addNote(settled.order, note, { ...getFacts(ctx), noteId: `note_${id}` });
          return { ...settled, order: noted.order };
        });
      },
      async adminHistory(ctx) {
        const { orderId } = ctx.params;
        await repository.get(orderId);
        return { events: await readHistory(orderId, (params) => call(ctx, "eventstore.readStream", params)) };
      },
      async byLink(ctx) {
        const { orderId, isReadOnly } = await readLink(ctx.params);
        const order = await repository.get(orderId);
        return isReadOnly ? hideBuyer(order) : ownerView(order);
      },
      lookUp: async ({ params, meta }) => ({ token: await lookUps.find(params, meta.client) }),
      sendLink: ({ params }) => lookUps.sendLink(() => readLink(params)),
      async cancelByLink(ctx) {
        const { reason } = ctx.params;
        return cancelOrder(await verifyLink(ctx.params), { ...guestRequest, reason, runId: ctx.meta.runId });
      },
      setAddressByLink: async (ctx) =>
        changeAddress(await verifyLink(ctx.params), ctx.params.shippingAddress, guestRequest.actor, getBuyerTerms()),
      invoiceByLink: async (ctx) =>
        renderPaper(await repository.get(await verifyLink(ctx.params)), ctx.params, createInvoice),
      invoiceForOwner: async (ctx) =>
        renderPaper(await orderFor(ctx.params, getCaller(ctx)), ctx.params, createInvoice),
      async packingSlip(ctx) {
        const order = await repository.get(ctx.params.orderId);
        return renderPapers(ctx.params, [createPackingSlip(order, settings.shop, await findShelves([order]))]);
      },
      async packingSlips(ctx) {
        const orders = await repository.getAll(ctx.params.orderIds.split(","));
        const { printed = [], left = [] } = Object.groupBy(orders, (order) => (isPackable(order) ? "printed" : "left"));
        const shelves = await findShelves(printed);
        const slips = printed.map((order) => createPackingSlip(order, settings.shop, shelves));
        const skippedOrders = createSkippedOrdersPage(left, settings.shop, new Date());
        const [first = skippedOrders, ...rest] = slips;
        const isMixed = left.length > 0 && slips.length > 0;
        return renderPapers(ctx.params, [first, ...rest, ...(isMixed ? [skippedOrders] : [])]);
      },
      shipmentSlip: async (ctx) =>
        renderPaper(await repository.get(ctx.params.orderId), ctx.params, (order, shop) =>
          createShipmentSlip(order, shop, findShipment(order, ctx.params.shipmentId)),
        ),
      invoice: async (ctx) => renderPaper(await repository.get(ctx.params.orderId), ctx.params, createInvoice),

      export: (ctx) => exported.exportOrders(ctx.params),
      exportLines: (ctx) => exported.exportLines(ctx.params),

      async createFromPayment(ctx) {
        const { order, created } = await make(ctx.params);
        const { _id: orderId, orderNumber, currency } = order;
        const foreign = "An order was paid in a currency that the store does not sell in; statistics count it apart";
        if (created && currency !== STORE_CURRENCY) logger.error({ orderId, currency }, foreign);
        return { orderId, orderNumber, created, order: presentPlaced(order) };
      },
      async setTaxes(ctx) {
        const { paymentKey, taxes } = ctx.params;
        const existing = await repository.findByPayment({ paymentKey });
        if (existing) await repository.change(existing._id, (order) => setTaxes(order, taxes, new Date()));
        return {};
      },
      async applyPayment(ctx) {
        const { change, actor, ...refs } = ctx.params;
        const stored = await repository.findByPayment(refs);
        if (!stored) return { orderId: null, changed: false };
        const facts = { actor, paymentIntentId: refs.paymentIntentId, now: new Date(), newRefundId: `ref_${ulid()}` };
        // Of concurrent messages about the same only one changes anything.
        let previous = stored;
        const order = await repository.change(stored._id, (current) => {
          previous = current;
          return applyPaymentChange(current, change, facts);
        });
        const { _id: orderId, refundDue = 0 } = order;
        if (change.kind === "refund" && refundDue > (previous.refundDue ?? 0))
          logger.error({ orderId, refundDue }, "A refund failed at the payment provider; its money is due again");
        return { orderId, changed: order.version > previous.version };
      },
      async receiveParcelNews(ctx) {
        const { body, headers } = ctx.params;
        const secret = easyPost?.webhookSecret;
        if (secret === undefined) throw notFound("Webhook of EasyPost (EASYPOST_WEBHOOK_SECRET)");
        const news = readParcelNews(body, headers["x-hmac-signature"], secret);
        const parcel = news && (await parcels.findOne({ _id: news.parcelId }));
        if (!parcel) return { received: true };
        const { orderId, shipmentId } = parcel;
        await repository.change(orderId, (order) => {
          const change = recordParcelNews(order, shipmentId, news, new Date());
          return change && { ...change, also: auditWrites(ctx, { id: orderId }) };
        });
        return { received: true };
      },
      forMail: async (ctx) => mailedView(await repository.get(ctx.params.orderId)),
      async findByPayment(ctx) {
        const order = await repository.findByPayment(ctx.params);
        if (!order) return { order: null };
        const { _id, orderNumber, userId, status, paymentStatus } = order;
        return { order: { orderId: _id, orderNumber, userId, status, paymentStatus, placed: presentPlaced(order) } };
      },
    },
    channels: {
      "user.deleted": { group: "order", handler: ({ payload }) => erasure.erase(payload.userId) },
      "purchase.expected": { group: "order", handler: expectPieces },
      "purchase.day_removed": { group: "order", handler: expectPieces },
      "catalog.changed": {
        group: "order",
        async handler({ payload: { vendor, productIds, cause } }) {
          const parts = productIds ? { productIds } : { vendor };
          await allocation.run(parts, { isReceived: cause === "receipt" });
          const missing = await withdrawMissing({ repository, findSupplies }, parts);
          if (missing.length > 0) await allocation.expect(missing, { isByCount: true });
          await locatePieces(parts);
        },
      },
    },
    tasks: {
      "order.label": { run: ({ orderId }) => labelling.settle(orderId) },
      "order.news": {
        async run({ orderId }) {
          const tell = () => repository.change(orderId, (order) => tellNews(order, new Date()));
          while ((await tell()).knownItems);
        },
      },
    },
    periodic: [
      {
        name: "order.settle",
        everyMs: SWEEP_MS,
        isNeeded: () => refunds.isLeft(leftBefore),
        run: () => refunds.resume(leftBefore),
      },
      { name: "order.erase", everyMs: DERIVE_MS, isNeeded: erasure.isLeft, run: erasure.eraseDone },
      { name: "order.derive", everyMs: DERIVE_MS, ...createDeriving(repository) },
      // Pieces of an order that is cancelled are free once the catalog knows, which no event says.
      { name: "order.allocate", everyMs: ALLOCATE_MS, isNeeded: allocation.isNeeded, run: () => allocation.run() },
      {
        name: "order.locate",
        everyMs: ALLOCATE_MS,
        isNeeded: async () => (await repository.orders.findOne(TO_PREPARE)) !== null,
        run: () => locatePieces(),
      },
    ],
  });
}
