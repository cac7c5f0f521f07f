/** Pages of carriers that show where a parcel is, by what their name begins with. */
const PAGES: readonly (readonly [name: RegExp, page: string])[] = [
  [/^ups\b/i, "https://www.ups.com/track?tracknum="],
  [/^usps\b/i, "https://tools.usps.com/go/TrackConfirmAction?tLabels="],
  [/^fed ?ex/i, "https://www.fedex.com/fedextrack/?trknbr="],
  [/^dhl\b/i, "https://www.dhl.com/en/express/tracking.html?AWB="],
  [/^on ?trac\b/i, "https://www.ontrac.com/tracking/?number="],
  [/^dpd\b/i, "https://tracking.dpd.de/status/en_US/parcel/"],
  [/^gls\b/i, "https://gls-group.com/track/"],
  [/^correos\b/i, "https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number="],
];

/** Returns the carrier's tracking page of a parcel; undefined for a carrier that is not in the list. */
export function findTrackingLink(carrier: string | undefined, trackingNumber: string | undefined): string | undefined {
  if (!carrier || !trackingNumber) return undefined;
  const page = PAGES.find(([name]) => name.test(carrier.trim()))?.[1];
  return page && page + encodeURIComponent(trackingNumber.trim());
}
