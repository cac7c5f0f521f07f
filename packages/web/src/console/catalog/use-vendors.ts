import type { VendorName } from "@partline/client";
import { partline } from "../partline.ts";
import { useReading } from "../shared/use-reading.ts";
import { language } from "../texts.ts";

/** All vendors, by name; undefined until they are known. */
export function useVendors(): { vendors: VendorName[] | undefined; refusal: string | undefined } {
  const { data, refusal } = useReading(["vendors"], (signal) => partline.catalog.vendors({}, { signal }));
  return { vendors: data?.vendors.toSorted((a, b) => a.name.localeCompare(b.name, language)), refusal };
}
