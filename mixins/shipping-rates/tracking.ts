import { createHmac, timingSafeEqual } from "node:crypto";
import { PartlineError } from "../errors.ts";

const TROUBLE = ["return_to_sender", "failure"] as const;

/** What EasyPost says of a parcel on its way. */
export interface ParcelNews {
  /** Id of the parcel at EasyPost. */
  parcelId: string;
  trackingNumber: string;
  status: "delivered" | "on_its_way" | (typeof TROUBLE)[number];
  /** Day on which the carrier expects to deliver it; of a parcel on its way. */
  expectedAt?: string;
  /** When it was delivered; missing if EasyPost does not say. */
  at?: Date;
}

/**
 * Reads a webhook of EasyPost: https://docs.easypost.com/guides/webhooks-guide. Undefined for an event that is no news of
 * a parcel: that it arrived, will not, or when it will.
 * @throws INVALID_SIGNATURE, INVALID_JSON
 */
export function readParcelNews(body: string, signature: string | undefined, secret: string): ParcelNews | undefined {
  const hmac = createHmac("sha256", secret.normalize("NFKD")).update(body).digest("hex");
  const digest = Buffer.from(`hmac-sha256-hex=${hmac}`);
  const claim = Buffer.from(signature ?? "");
  if (digest.length !== claim.length || !timingSafeEqual(digest, claim))
    throw new PartlineError("INVALID_SIGNATURE", "The X-Hmac-Signature header is missing or wrong");
  const event = toFields(parseJson(body));
  const {
    shipment_id: parcelId,
    tracking_code: trackingNumber,
    status,
    tracking_details: details,
    est_delivery_date: estimate,
  } = toFields(event.result);
  const isTracker = event.description === "tracker.updated" || event.description === "tracker.created";
  if (!isTracker || typeof parcelId !== "string" || typeof trackingNumber !== "string") return undefined;
  const trouble = TROUBLE.find((candidate) => candidate === status);
  if (trouble !== undefined) return { parcelId, trackingNumber, status: trouble };
  if (status !== "delivered") {
    const [expectedAt] = (typeof estimate === "string" && /^\d{4}-\d\d-\d\d(?=T)/.exec(estimate)) || [];
    return expectedAt === undefined ? undefined : { parcelId, trackingNumber, status: "on_its_way", expectedAt };
  }
  const scans = Array.isArray(details) ? details.map(toFields) : [];
  const { datetime } = scans.findLast((scan) => scan.status === "delivered") ?? {};
  const time = typeof datetime === "string" ? new Date(datetime) : undefined;
  return { parcelId, trackingNumber, status, at: time && Number.isFinite(time.getTime()) ? time : undefined };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new PartlineError("INVALID_JSON", "The body is not an event of EasyPost");
  }
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
