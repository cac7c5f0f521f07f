/** Carriers by what their name begins with, and their page that shows where a parcel is. */
const CARRIERS: readonly (readonly [pattern: RegExp, name: string, page: string])[] = [
  [/^ups\b/i, "UPS", "https://www.ups.com/track?tracknum="],
  [/^usps\b/i, "USPS", "https://tools.usps.com/go/TrackConfirmAction?tLabels="],
  [/^fed ?ex/i, "FedEx", "https://www.fedex.com/fedextrack/?trknbr="],
  [/^dhl\b/i, "DHL", "https://www.dhl.com/en/express/tracking.html?AWB="],
  [/^on ?trac\b/i, "OnTrac", "https://www.ontrac.com/tracking/?number="],
  [/^dpd\b/i, "DPD", "https://tracking.dpd.de/status/en_US/parcel/"],
  [/^gls\b/i, "GLS", "https://gls-group.com/track/"],
  [/^correos\b/i, "Correos", "https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number="],
];

/** Carriers that EasyPost names otherwise. */
const EASYPOST_NAMES = new Map<string, string>([
  ["UPSDAP", "UPS"],
  ["FedExDefault", "FedEx"],
  ["FedExFreight", "FedEx Freight"],
  ["DHLExpress", "DHL Express"],
  ["CanadaPost", "Canada Post"],
]);

/** Returns a carrier's name as it writes it itself: of EasyPost's name, and of what was typed. */
export function nameCarrier(carrier: string): string {
  const name = EASYPOST_NAMES.get(carrier) ?? carrier.trim();
  return CARRIERS.reduce((text, [pattern, spelling]) => text.replace(pattern, spelling), name);
}

/** Returns the carrier's tracking page of a parcel; undefined for a carrier that is not in the list. */
export function findTrackingLink(carrier: string | undefined, trackingNumber: string | undefined): string | undefined {
  if (!carrier || !trackingNumber) return undefined;
  const page = CARRIERS.find(([pattern]) => pattern.test(carrier.trim()))?.[2];
  return page && page + encodeURIComponent(trackingNumber.trim());
}
