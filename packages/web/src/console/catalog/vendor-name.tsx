import type { ReactNode } from "react";
import { useVendors } from "./use-vendors.ts";

/** The name of a vendor, by its code. */
export function VendorName({ code }: { code: string }): ReactNode {
  const { vendors = [] } = useVendors();
  return vendors.find((vendor) => vendor.code === code)?.name ?? code;
}
