import { VENDOR_CODES } from "./vendors.ts";

/** The tire supplier's vendor code, whatever its path segment is. */
export const [TIRE_SUPPLIER_CODE] = VENDOR_CODES.tire_supplier;

/** The category of tires and wheels. */
export const WHEELS_AND_TIRES = "Wheels & Tires";

/** Whether a part belongs in the tires' index, too. */
export function isTire({ kind, category, manufacturer }: { kind?: string; category: string; manufacturer: { code: string } }): boolean {
  return kind !== undefined || category === WHEELS_AND_TIRES || manufacturer.code === TIRE_SUPPLIER_CODE;
}
