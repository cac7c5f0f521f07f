/** The tire supplier's vendor code, whatever its path segment is: its parts are in the tires' index. */
export const TIRE_SUPPLIER_CODE = "KMT";

/** The category of tires and wheels. */
export const WHEELS_AND_TIRES = "Wheels & Tires";

/** Whether a part belongs in the tires' index, too. */
export function isTire({ category, manufacturer }: { category: string; manufacturer: { code: string } }): boolean {
  return category === WHEELS_AND_TIRES || manufacturer.code === TIRE_SUPPLIER_CODE;
}

/** What `isTire` says of the parts of one vendor, as a condition of the store. */
export function isTireIn(vendorCode: string): { category?: string } {
  return vendorCode === TIRE_SUPPLIER_CODE ? {} : { category: WHEELS_AND_TIRES };
}
