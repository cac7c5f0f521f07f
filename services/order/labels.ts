import { getAt } from "@partline/toolkit";
import { findHttpErrorDetails } from "@partline/http-client";
import { invalidField, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { nameMethod, resolveKnownPlace } from "@partline/toolkit/pure";
import type { BoughtLabel, LabelRate, Labels, Parcel } from "../../mixins/shipping-rates/labels.ts";
import { enqueue } from "../contracts.ts";
import { assertDeliverable, findReturn, noteFault, ship } from "./changes.ts";
import type { MovedItem, OrderDocument, OrderLabel, OrderReturn, ShipmentRequest } from "./collections.ts";
import { type Change, recordFields } from "./order-change.ts";
import type { OrderRepository } from "./repository.ts";
import { nameNoteOfRefusal } from "../../mixins/shop/refused-labels.ts";
import { listReceipts, listUnshipped, pickMovedItems } from "./quantities.ts";
import { isRefusal } from "./transitions.ts";

/** A label as a request names it. */
export interface LabelRequest {
  /** `USPS Priority`; by default the method that the buyer chose, or the cheapest if the order has none. */
  rate?: string;
  weightGrams?: number;
}

/** What carriers ask of parts. */
export interface Goods {
  hazmat?: boolean | undefined;
  oversize?: boolean | undefined;
}

/** A request has this long before the task takes over. */
const LEASE_MS = 15_000;

/** @throws VALIDATION_FAILED naming what the label lacks */
export function describeParcel(
  order: OrderDocument,
  { weightGrams }: LabelRequest,
  { shipmentId, pieces, country, goods }: { shipmentId: string; pieces: number; country: string; goods: Goods },
): Parcel {
  const { fulfilment, shippingAddress, shippingPaidFor, contact, items } = order;
  if (fulfilment === "pickup" || !shippingAddress) throw invalidField("label", "is for an order that ships");
  const place = resolveKnownPlace(shippingAddress);
  if (place?.country !== country)
    throw refuseLabel("label_abroad", `Parcels beyond ${country} need customs forms, which only the carrier has.`);
  const orderedPieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const weight = weightGrams ?? Math.ceil(((shippingPaidFor?.weightGrams ?? 0) * pieces) / orderedPieces);
  if (weight <= 0)
    throw refuseLabel("label_weight_unknown", "The weight of the order is unknown.", "label.weightGrams");
  const to = { ...shippingAddress, ...place, phone: shippingAddress.phone ?? contact?.phone };
  const { hazmat = false, oversize = false } = goods;
  return { to, weightGrams: weight, hazmat, oversize, reference: shipmentId };
}

/** @throws VALIDATION_FAILED for a part that the catalog does not have */
export function combineGoods(parts: readonly ({ found: boolean } & Goods)[]): Goods {
  if (parts.some(({ found: isFound }) => !isFound))
    throw refuseLabel("label_part_unknown", "A part has left the catalog, and may be dangerous goods.");
  return { hazmat: parts.some(({ hazmat }) => hazmat), oversize: parts.some(({ oversize }) => oversize) };
}

const nameRate = ({ provider, serviceType }: Pick<LabelRate, "provider" | "serviceType">): string =>
  `${provider} ${serviceType}`;

const findRate = (rates: readonly LabelRate[], wantedName: string | undefined): LabelRate | undefined =>
  rates.find((offer) =>
    [nameMethod(offer), nameRate(offer)].some((name) => name.toLowerCase() === wantedName?.toLowerCase()),
  );

/** @param rates the cheapest first @throws VALIDATION_FAILED naming the rates that are offered */
export function chooseRate(
  rates: readonly LabelRate[],
  { rate }: LabelRequest,
  method: OrderDocument["shippingMethod"],
): LabelRate {
  const wantedName = rate?.trim() ?? (method && nameMethod(method));
  const match = findRate(rates, wantedName);
  if (match) return match;
  if (rates.length === 0) throw refuseLabel("label_not_offered", "EasyPost offers no label for this parcel.");
  const offers = rates.map((candidate) => `${nameMethod(candidate)} (${candidate.cost} USD)`).join(", ");
  if (wantedName !== undefined) throw invalidField("label.rate", `is none of those offered for this parcel: ${offers}`);
  return getAt(rates, 0);
}

/** 400 VALIDATION_FAILED in words that also stand in a note, which answers no request. */
const refuseLabel = (code: string, message: string, field = "label"): PartlineError =>
  validationFailed({ field, message, code });

interface Deps {
  repository: OrderRepository;
  /** Undefined without a provider of labels. */
  labels: Labels | undefined;
  /** Country from which parcels are sent. */
  country: string;
  /** Reads what the catalog says of parts. */
  findGoods(parts: readonly Omit<MovedItem, "quantity">[]): Promise<Goods>;
  /** Reports what failed for good while nobody waits for an answer. */
  onFault(orderId: string, error: unknown): void;
  wake(): void;
}

/**
 * Buys labels with shipments. Each step can be repeated: register the parcel, write that its label is being bought, buy
 * it, write the shipment. A task goes on after a crash in between, and has voided labels refunded.
 */
export function createLabelling({ repository, labels, country, findGoods, onFault, wake }: Deps) {
  const getLabels = (): Labels => {
    if (!labels) throw invalidField("label", "needs EasyPost (EASYPOST_API_KEY)");
    return labels;
  };

  const enqueueSettling = (orderId: string, waitMs = 0) =>
    enqueue("order.label", orderId, { orderId }, { dueAt: new Date(Date.now() + waitMs) });

  async function prepare(
    order: OrderDocument,
    label: LabelRequest,
    { shipmentId, items, isReturn }: { shipmentId: string; items: readonly MovedItem[]; isReturn?: true | undefined },
  ) {
    const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
    const goods = order.shippingPaidFor ?? (await findGoods(items.map(({ quantity: _quantity, ...part }) => part)));
    return getLabels().prepare({ ...describeParcel(order, label, { shipmentId, pieces, country, goods }), isReturn });
  }

  /**
   * Buys the label that is written down, and ships. What is refused for good is no longer being bought.
   * @param isNoted whether a note says so: nobody waits for the answer
   * @throws PROVIDER_ERROR, TIMEOUT, and what `ship` throws
   */
  async function finish(initialOrder: OrderDocument, isNoted = false): Promise<OrderDocument> {
    const { _id: orderId, labelling } = initialOrder;
    if (!labelling) return initialOrder;
    const provider = getLabels();
    const { shipmentId, parcelId, rateId, request, actor } = labelling;
    const apply = (order: OrderDocument, sentBy: Pick<ShipmentRequest, "carrier" | "trackingNumber"> = {}): Change =>
      request
        ? ship(order, { ...request, ...sentBy, version: undefined }, { actor, now: new Date(), shipmentId })
        : labelReturn(order, shipmentId);
    const giveUp = (order: OrderDocument, error: unknown): Change => {
      if (!isNoted) return { order, actor };
      const text = describeFailure((error as Error).message, request !== undefined);
      return noteFault(order, text, { noteId: `note_${shipmentId}`, now: new Date() });
    };
    async function acquireLabel(): Promise<BoughtLabel> {
      const existing = await provider.find(parcelId);
      if (existing) return existing;
      const order = await repository.get(orderId);
      const refusal = findRefusal(() => {
        if (request) assertDeliverable(order);
        apply(order);
      });
      const failure: unknown = refusal ?? (await provider.buy(parcelId, rateId).catch((error: unknown) => error));
      // An answer may be lost, and another process may have bought it: only the parcel knows.
      const label = await provider.find(parcelId);
      if (label) return label;
      throw failure instanceof Error ? failure : new PartlineError("PROVIDER_ERROR", "EasyPost sold no label");
    }

    const { carrier, trackingNumber, url, cost } = await acquireLabel().catch(async (error: unknown) => {
      if (isRefusal(error) || isRefusedForGood(error))
        await repository.change(orderId, (order) =>
          order.labelling?.parcelId === parcelId
            ? giveUp({ ...dropWish(order, shipmentId), labelling: undefined }, error)
            : undefined,
        );
      throw error;
    });
    let refusal: Error | undefined;
    const shippedOrder = await repository.change(orderId, (order) => {
      refusal = undefined;
      if (order.labels?.some((label) => label.parcelId === parcelId)) return undefined;
      // The link leads to the address, which may be erased.
      const link = order.shippingAddress && { url };
      const label: OrderLabel = { shipmentId, parcelId, carrier, trackingNumber, cost, ...link, state: "bought" };
      // Another process may have given up before this one had the label: it is paid for nevertheless.
      const labellingNow = order.labelling?.parcelId === parcelId ? undefined : order.labelling;
      const labels = [...(order.labels ?? []), label];
      const labelled = { ...dropWish(order, shipmentId), labelling: labellingNow, labels };
      let change: Change | undefined;
      refusal = findRefusal(() => {
        change = apply(labelled, { carrier, trackingNumber });
      });
      if (!refusal) return change;
      return { ...giveUp(markVoiding(labelled, shipmentId), refusal), also: [enqueueSettling(orderId)] };
    });
    wake();
    if (refusal) throw refusal;
    return shippedOrder;
  }

  /** Finishes what another request began, so that no label that it left locks the order. @returns the order after it */
  async function resume(order: OrderDocument): Promise<OrderDocument> {
    try {
      return await finish(order, true);
    } catch (error) {
      const after = await repository.get(order._id);
      if (after.labelling) throw error;
      onFault(order._id, error);
      return after;
    }
  }

  /** Buys the label of an approved return, by the cheapest rate. Refused for good, it is no longer wanted. */
  async function acquireReturnLabel(orderId: string, returnId: string): Promise<void> {
    const order = await repository.get(orderId);
    try {
      const { items } = getAwaitedReturn(order, returnId);
      const { parcelId, rates } = await prepare(order, {}, { shipmentId: returnId, items, isReturn: true });
      const { rateId } = chooseRate(rates, {}, undefined);
      const labelling = { shipmentId: returnId, parcelId, rateId, actor: "system" };
      const reserved = await repository.change(orderId, (current) => {
        if (current.labelling) throw new Error("Another label of the order is being bought");
        getAwaitedReturn(current, returnId);
        return { order: { ...current, labelling }, actor: "system" };
      });
      await finish(reserved, true);
    } catch (error) {
      if (!isRefusal(error) && !isRefusedForGood(error)) throw error;
      const text = describeFailure((error as Error).message, false);
      await repository.change(orderId, (current) =>
        current.unlabelledReturns?.includes(returnId)
          ? noteFault(dropWish(current, returnId), text, { noteId: `note_${returnId}`, now: new Date() })
          : undefined,
      );
    }
  }

  /** Asks for the money of a label back, and records the answer. */
  async function refund(orderId: string, { parcelId, shipmentId, cost }: OrderLabel): Promise<void> {
    const isTaken = await getLabels()
      .refund(parcelId)
      .catch((error: unknown) => {
        if (!isRefusedForGood(error)) throw error;
        onFault(orderId, error);
        return false;
      });
    await repository.change(orderId, (order) => {
      const state = isTaken ? "voided" : "void_refused";
      const labels = order.labels?.map((label) =>
        label.parcelId === parcelId ? ({ ...label, state } as const) : label,
      );
      const text = `EasyPost does not give the ${cost} USD of the label of ${shipmentId} back: ask its support`;
      const noteId = nameNoteOfRefusal(parcelId);
      return isTaken
        ? { order: { ...order, labels }, actor: "system" }
        : noteFault({ ...order, labels }, text, { noteId, now: new Date() });
    });
  }

  const isOffered = ({ fulfilment, shippingAddress }: OrderDocument): boolean =>
    labels !== undefined &&
    fulfilment !== "pickup" &&
    shippingAddress !== undefined &&
    resolveKnownPlace(shippingAddress)?.country === country;

  return {
    /** Returns whether a label can be bought for an order's parcels. */
    isOffered,

    /** Lists what a label costs, the cheapest first. @throws VALIDATION_FAILED, what `ship` and the provider throw */
    async listRates(
      orderId: string,
      { lines, returnId, ...label }: LabelRequest & Pick<ShipmentRequest, "lines"> & { returnId?: string },
    ) {
      const order = await repository.get(orderId);
      assertDeliverable(order);
      const isReturn = returnId === undefined ? undefined : true;
      const items =
        returnId === undefined
          ? pickMovedItems(order, lines, listUnshipped(order), "ship")
          : findReturn(order, returnId).items;
      const { rates } = await prepare(order, label, { shipmentId: orderId, items, isReturn });
      const chosen = order.shippingMethod && findRate(rates, nameMethod(order.shippingMethod));
      return rates
        .filter((rate) => findRate(rates, nameRate(rate)) === rate)
        .map(({ rateId, ...rate }) => ({ ...rate, rate: nameRate(rate), isBuyersChoice: rateId === chosen?.rateId }));
    },

    /** Adds to a change that a return becomes approved that its label is bought; to any other, nothing. */
    withReturnLabel(change: Change | undefined): Change | undefined {
      const { order, event } = change ?? {};
      if (!change || event?.channel !== "order.return_updated" || event.state !== "approved") return change;
      if (!order || !isOffered(order)) return change;
      const unlabelledReturns = [...(order.unlabelledReturns ?? []), event.returnId];
      const also = [...(change.also ?? []), enqueueSettling(order._id)];
      return { ...change, order: { ...order, unlabelledReturns }, event: { ...event, labelled: true }, also };
    },

    /** Ships pieces with a label. @throws VALIDATION_FAILED, INVALID_TRANSITION, what `ship` and the provider throw */
    async ship(
      orderId: string,
      { label, ...request }: ShipmentRequest & { label: LabelRequest },
      { actor, shipmentId }: { actor: string; shipmentId: string },
    ): Promise<OrderDocument> {
      const previous = await repository.get(orderId);
      if (previous.labelling?.shipmentId === shipmentId) return finish(previous);
      const order = await resume(previous);
      if (order.shipments?.some((shipment) => shipment.shipmentId === shipmentId)) return order;
      assertDeliverable(order);
      const shipped = ship(order, request, { actor, now: new Date(), shipmentId });
      const items = shipped.order.shipments?.at(-1)?.items ?? [];
      const { parcelId, rates } = await prepare(order, label, { shipmentId, items });
      const { rateId } = chooseRate(rates, label, order.shippingMethod);
      const reserved = await repository.change(orderId, (current) => {
        if (current.labelling) throw new PartlineError("INVALID_TRANSITION", "A label is being bought: try again");
        // Refused now rather than after the label is paid for.
        ship(current, request, { actor, now: new Date(), shipmentId });
        const labelling = { shipmentId, parcelId, rateId, request, actor };
        return { order: { ...current, labelling }, actor, also: [enqueueSettling(orderId, LEASE_MS)] };
      });
      return finish(reserved);
    },

    /** Adds that its label is voided to the cancellation of a shipment or return, unless pieces came back by it. */
    withVoid(change: Change, shipmentId: string): Change {
      if (listReceipts(change.order, shipmentId).length > 0) return change;
      const order = markVoiding(dropWish(change.order, shipmentId), shipmentId);
      return { ...change, order, also: [...(change.also ?? []), enqueueSettling(order._id)] };
    },

    /** Goes on with what a request left: buys labels that are wanted, and has voided ones refunded. */
    async settle(orderId: string): Promise<void> {
      const failures: unknown[] = [];
      await resume(await repository.get(orderId)).catch((error: unknown) => failures.push(error));
      for (const returnId of (await repository.get(orderId)).unlabelledReturns ?? [])
        await acquireReturnLabel(orderId, returnId).catch((error: unknown) => failures.push(error));
      const { labels: boughtLabels = [] } = await repository.get(orderId);
      for (const label of boughtLabels.filter(({ state }) => state === "voiding"))
        await refund(orderId, label).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Returns why an order refuses a step. */
function findRefusal(step: () => void): PartlineError | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error;
  }
}

/** A key that is not valid says nothing of the label. */
function isRefusedForGood(error: unknown): boolean {
  const { reason, status } = findHttpErrorDetails(error) ?? {};
  return reason === "refused" && status !== 401 && status !== 403;
}

/** @throws INVALID_TRANSITION for a return that is not approved, or called off */
function getAwaitedReturn(order: OrderDocument, returnId: string): OrderReturn {
  const existing = findReturn(order, returnId);
  if (existing.state !== "approved" || existing.cancelledAt !== undefined)
    throw new PartlineError("INVALID_TRANSITION", "The return is not expected any more", { returnId });
  return existing;
}

/** Returns the change by which a return gets its label. @throws INVALID_TRANSITION if it is not awaited */
function labelReturn(order: OrderDocument, returnId: string): Change {
  getAwaitedReturn(order, returnId);
  return recordFields(order, "system", "labels");
}

/** Says in a note why a shipment did not leave with its label, or an approved return has none. */
const describeFailure = (why: string, isShipment: boolean): string =>
  isShipment
    ? `The shipment with a label from EasyPost failed: ${why}`
    : `No return label was bought. ${why.replace(/\.?$/, ".")} The email asks the buyer to send the items without one.`;

const dropWish = (order: OrderDocument, returnId: string): OrderDocument => ({
  ...order,
  unlabelledReturns: order.unlabelledReturns?.filter((id) => id !== returnId),
});

function markVoiding(order: OrderDocument, shipmentId: string): OrderDocument {
  const labels = order.labels?.map((label) =>
    label.shipmentId === shipmentId && label.state === "bought" ? { ...label, state: "voiding" as const } : label,
  );
  return { ...order, labels };
}
