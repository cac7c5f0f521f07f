/** The tire supplier's vendor code, regardless of its path segment: its parts are in the tires' index. */
export const TIRE_SUPPLIER_CODE = "KMT";

export const WHEELS_AND_TIRES = "Wheels & Tires";

/** Returns whether a part is in the tires' index, too. */
export function isTire({ category, manufacturer }: { category: string; manufacturer: { code: string } }): boolean {
  return category === WHEELS_AND_TIRES || manufacturer.code === TIRE_SUPPLIER_CODE;
}

/** `isTire` of one vendor's parts, as a filter. */
export function isTireIn(vendorCode: string): { category?: string } {
  return vendorCode === TIRE_SUPPLIER_CODE ? {} : { category: WHEELS_AND_TIRES };
}

/**
 * Sizes of tires as makers and shoppers write them.
 *
 * - `inch`: outer diameter, width and rim in inches, `18x8.50-8`; or width and rim of a radial, `18.4R38`
 * - `metric`: width in millimetres, height in percent of it, rim in inches, `460/85R38`; or width and rim, `250-15`,
 *   `145R12`
 * - `flotation`: written as `inch`, of implements, light trucks and other wide tires: with LL or LT, as a radial, or 30
 *   inches high or more
 * - `bias`: width and rim of a cross-ply tire, `11.2-24`, `12.5/80-18`, `4.80/4.00-8`
 */
export const TIRE_SYSTEMS = ["inch", "metric", "flotation", "bias"] as const;
export type TireSystem = (typeof TIRE_SYSTEMS)[number];
