/** The tire supplier's vendor code, regardless of its path segment: its parts are in the tires' index. */
export const TIRE_SUPPLIER_CODE = "KMT";

export const WHEELS_AND_TIRES = "Wheels & Tires";

/** Whether a part is in the tires' index, too. */
export function isTire({ category, manufacturer }: { category: string; manufacturer: { code: string } }): boolean {
  return category === WHEELS_AND_TIRES || manufacturer.code === TIRE_SUPPLIER_CODE;
}

/** `isTire` of one vendor's parts, as a filter. */
export function isTireIn(vendorCode: string): { category?: string } {
  return vendorCode === TIRE_SUPPLIER_CODE ? {} : { category: WHEELS_AND_TIRES };
}
