import type { CollectionDefinition, AtomicWrite, Document } from "@partline/durable";
import type { ParcelNews } from "../../mixins/shipping-rates/tracking.ts";
import { describeDelivery, noteFault } from "./changes.ts";
import type { OrderDocument, OrderShipment } from "./collections.ts";
import { DERIVED } from "./derived.ts";
import type { Change } from "./order-change.ts";

/** Which shipment a parcel of EasyPost is; `_id` is the parcel's. */
export interface ParcelDocument extends Document {
  orderId: string;
  shipmentId: string;
}

export const PARCELS: CollectionDefinition = { name: "order_parcels" };

/** Returns the writes by which parcels follow an order's labels. */
export function followParcels(previous: OrderDocument, order: OrderDocument): AtomicWrite[] {
  const knownIds = previous.derived === DERIVED ? (previous.labels ?? []).map(({ parcelId }) => parcelId) : [];
  const newLabels = (order.labels ?? []).filter(({ parcelId }) => !knownIds.includes(parcelId));
  return newLabels.map(({ parcelId: _id, shipmentId }) => ({
    collection: PARCELS,
    replaceOne: { filter: { _id }, replacement: { _id, orderId: order._id, shipmentId }, upsert: true },
  }));
}

const TROUBLE_TEXTS = {
  return_to_sender: "is on its way back to you",
  failure: "could not be delivered",
} as const;

/**
 * Records what a carrier says of a shipment. An order is delivered with the last of its shipments. Undefined if that is no
 * news, or of a parcel that the shipment no longer is.
 */
export function recordParcelNews(
  order: OrderDocument,
  shipmentId: string,
  { status, trackingNumber, at: time, expectedAt }: ParcelNews,
  now: Date,
): Change | undefined {
  const { shipments: sentShipments = [] } = order;
  const shipment = sentShipments.find((candidate) => candidate.shipmentId === shipmentId);
  if (!shipment || shipment.deliveredAt !== undefined || shipment.trackingNumber !== trackingNumber) return undefined;
  const withNews = (news: Pick<OrderShipment, "expectedAt" | "deliveredAt" | "failedAt">): OrderDocument => ({
    ...order,
    shipments: sentShipments.map((candidate) => (candidate === shipment ? { ...candidate, ...news } : candidate)),
  });
  const event = { channel: "order.updated" as const, changed: ["shipments"] };
  if (status === "on_its_way")
    return shipment.expectedAt === expectedAt
      ? undefined
      : { order: withNews({ expectedAt, failedAt: undefined }), actor: "system", event };
  if (status !== "delivered") {
    const noteId = `note_${shipmentId}_${status}`;
    if (order.notes?.some((note) => note.noteId === noteId)) return undefined;
    const text = `The carrier says that the parcel ${trackingNumber} ${TROUBLE_TEXTS[status]}`;
    return noteFault(withNews({ expectedAt: undefined, failedAt: now.toISOString() }), text, { noteId, now });
  }
  const deliveredAt = (time && time < now ? time : now).toISOString();
  const next = withNews({ deliveredAt });
  const isWhole = order.status === "shipped" && next.shipments?.every((candidate) => candidate.deliveredAt);
  if (!isWhole) return { order: next, actor: "system", event };
  return {
    order: { ...next, status: "delivered", deliveredAt },
    actor: "system",
    event: { channel: "order.delivered", changed: ["shipments", "status"], ...describeDelivery(next) },
  };
}
