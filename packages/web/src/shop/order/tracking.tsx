import type { ReactNode } from "react";
import { findTrackingLink } from "@partline/toolkit/pure";

/** The number of a parcel, which leads to the carrier's page where we know it. */
export function Tracking({
  carrier,
  trackingNumber,
}: {
  carrier?: string | undefined;
  trackingNumber: string;
}): ReactNode {
  const link = findTrackingLink(carrier, trackingNumber);
  return link === undefined ? (
    trackingNumber
  ) : (
    <a href={link} rel="noreferrer">
      {trackingNumber}
    </a>
  );
}
