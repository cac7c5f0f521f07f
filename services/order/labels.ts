import { getAt } from "@partline/toolkit";
import { findHttpErrorDetails } from "@partline/http-client";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { resolveKnownPlace } from "../../mixins/shop/postal-address.ts";
import type { LabelRate, Labels, Parcel } from "../../mixins/shipping-rates/labels.ts";
import { enqueue } from "../contracts.ts";
import { assertDeliverable, ship } from "./changes.ts";
import type { OrderDocument, OrderLabel, ShipmentRequest } from "./collections.ts";
import type { Change } from "./order-change.ts";
import type { OrderRepository } from "./repository.ts";

/** A label as a request names it. */
export interface LabelRequest {
  /** `USPS Priority`; by default the method that the buyer chose, or the cheapest. */
  rate?: string;
  weightGrams?: number;
}

/** A request has this long before the task takes over. */
const LEASE_MS = 15_000;

/** @throws VALIDATION_FAILED naming what the label lacks */
export function describeParcel(
  order: OrderDocument,
  { weightGrams }: LabelRequest,
  { shipmentId, pieces, country }: { shipmentId: string; pieces: number; country: string },
): Parcel {
  const { fulfilment, shippingAddress, shippingPaidFor, contact, items } = order;
  if (fulfilment === "pickup" || !shippingAddress) throw invalidField("label", "is for an order that ships");
  const place = resolveKnownPlace(shippingAddress);
  if (place?.country !== country)
    throw invalidField(
      "label",
      `is for parcels within ${country}: others need customs forms, which only the carrier has`,
    );
  const orderedPieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const weight = weightGrams ?? Math.ceil(((shippingPaidFor?.weightGrams ?? 0) * pieces) / orderedPieces);
  if (weight <= 0) throw invalidField("label.weightGrams", "is required: the weight of the order is unknown");
  const to = { ...shippingAddress, ...place, phone: shippingAddress.phone ?? contact?.phone };
  return { to, weightGrams: weight, hazmat: shippingPaidFor?.hazmat ?? false, reference: shipmentId };
}

/** @param rates the cheapest first @throws VALIDATION_FAILED naming the rates that are offered */
export function chooseRate(
  rates: readonly LabelRate[],
  { rate }: LabelRequest,
  method: OrderDocument["shippingMethod"],
): LabelRate {
  const nameRate = ({ provider, serviceType }: Pick<LabelRate, "provider" | "serviceType">): string =>
    `${provider} ${serviceType}`;
  const wantedName = rate?.trim().toLowerCase() ?? (method && nameRate(method).toLowerCase());
  const match = rates.find((candidate) => nameRate(candidate).toLowerCase() === wantedName);
  if (match) return match;
  const offers = rates.map((candidate) => `${nameRate(candidate)} (${candidate.cost} USD)`).join(", ");
  if (rate !== undefined || rates.length === 0)
    throw invalidField("label.rate", `is none of those offered for this parcel: ${offers || "there are none"}`);
  return getAt(rates, 0);
}

interface Deps {
  repository: OrderRepository;
  /** Undefined without a provider of labels. */
  labels: Labels | undefined;
  /** Country from which parcels are sent. */
  country: string;
  wake(): void;
}

/**
 * Buys labels with shipments. Each step can be repeated: register the parcel, write that its label is being bought, buy
 * it, write the shipment. A task goes on after a crash in between, and has voided labels refunded.
 */
export function createLabelling({ repository, labels, country, wake }: Deps) {
  const getLabels = (): Labels => {
    if (!labels) throw invalidField("label", "needs EasyPost (EASYPOST_API_KEY)");
    return labels;
  };

  const enqueueSettling = (orderId: string, waitMs = 0) =>
    enqueue("order.label", orderId, { orderId }, { dueAt: new Date(Date.now() + waitMs) });

  /** Buys the label that is written down, and ships. @throws PROVIDER_ERROR, after which nothing is being bought; TIMEOUT */
  async function finish({ _id: orderId, labelling }: OrderDocument): Promise<OrderDocument> {
    if (!labelling) return repository.get(orderId);
    const { shipmentId, parcelId, rateId, request, actor } = labelling;
    const change = (decide: (order: OrderDocument) => Change) =>
      repository.change(orderId, (order) => (order.labelling?.parcelId === parcelId ? decide(order) : undefined));
    const bought = await getLabels()
      .acquire(parcelId, rateId)
      .catch(async (error: unknown) => {
        if (findHttpErrorDetails(error)?.reason === "refused")
          await change((order) => ({ order: { ...order, labelling: undefined }, actor }));
        throw error;
      });
    let refusal: Error | undefined;
    const shippedOrder = await change((order) => {
      const { carrier, trackingNumber, url, cost } = bought;
      const label: OrderLabel = { shipmentId, parcelId, carrier, cost, url, state: "bought" };
      const labelled = { ...order, labelling: undefined, labels: [...(order.labels ?? []), label] };
      try {
        const now = new Date();
        return ship(labelled, { ...request, carrier, trackingNumber, version: undefined }, { actor, now, shipmentId });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        // The order changed meanwhile: nobody needs the label.
        refusal = error;
        return { ...markVoiding(labelled, shipmentId), actor, also: [enqueueSettling(orderId)] };
      }
    });
    wake();
    if (refusal) throw refusal;
    return shippedOrder;
  }

  return {
    /** Returns whether a label can be bought for an order's parcels. */
    isOffered: ({ fulfilment, shippingAddress }: OrderDocument): boolean =>
      labels !== undefined &&
      fulfilment !== "pickup" &&
      shippingAddress !== undefined &&
      resolveKnownPlace(shippingAddress)?.country === country,

    /** Ships pieces with a label. @throws VALIDATION_FAILED, INVALID_TRANSITION, what `ship` and the provider throw */
    async ship(
      orderId: string,
      { label, ...request }: ShipmentRequest & { label: LabelRequest },
      { actor, shipmentId }: { actor: string; shipmentId: string },
    ): Promise<OrderDocument> {
      const order = await repository.get(orderId);
      if (order.shipments?.some((shipment) => shipment.shipmentId === shipmentId)) return order;
      if (order.labelling?.shipmentId === shipmentId) return finish(order);
      assertNoLabelling(order);
      assertDeliverable(order);
      const shipped = ship(order, request, { actor, now: new Date(), shipmentId });
      const items = shipped.order.shipments?.at(-1)?.items ?? [];
      const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
      const { parcelId, rates } = await getLabels().prepare(
        describeParcel(order, label, { shipmentId, pieces, country }),
      );
      const { rateId } = chooseRate(rates, label, order.shippingMethod);
      const reserved = await repository.change(orderId, (current) => {
        assertNoLabelling(current);
        // Refused now rather than after the label is paid for.
        ship(current, request, { actor, now: new Date(), shipmentId });
        const labelling = { shipmentId, parcelId, rateId, request, actor };
        return { order: { ...current, labelling }, actor, also: [enqueueSettling(orderId, LEASE_MS)] };
      });
      return finish(reserved);
    },

    /** Adds that the label of a shipment is voided to the shipment's cancellation. */
    withVoid(change: Change, shipmentId: string): Change {
      const { order } = markVoiding(change.order, shipmentId);
      return order === change.order ? change : { ...change, order, also: [enqueueSettling(order._id)] };
    },

    /** Goes on with what a request left: buys a label that is being bought, and has voided ones refunded. */
    async settle(orderId: string): Promise<void> {
      let order: OrderDocument;
      try {
        order = await finish(await repository.get(orderId));
      } catch (error) {
        order = await repository.get(orderId);
        // Otherwise it was refused for good.
        if (order.labelling) throw error;
      }
      const voided = order.labels?.filter(({ state }) => state === "voiding") ?? [];
      for (const { parcelId } of voided) {
        await getLabels().refund(parcelId);
        await repository.change(orderId, (current) => ({
          ...{ actor: "system" },
          order: {
            ...current,
            labels: current.labels?.map((label) =>
              label.parcelId === parcelId ? { ...label, state: "voided" } : label,
            ),
          },
        }));
      }
    },
  };
}

/** @throws INVALID_TRANSITION while a label is being bought */
function assertNoLabelling({ labelling, status }: OrderDocument): void {
  if (labelling)
    throw new PartlineError("INVALID_TRANSITION", "A label of the order is being bought: wait a minute", { status });
}

function markVoiding(order: OrderDocument, shipmentId: string): { order: OrderDocument } {
  if (!order.labels?.some((label) => label.shipmentId === shipmentId && label.state === "bought")) return { order };
  const labels = order.labels.map((label) =>
    label.shipmentId === shipmentId ? { ...label, state: "voiding" as const } : label,
  );
  return { order: { ...order, labels } };
}
