import type { ShippingAddress } from "@partline/client";
import { listAddressLines as listLines } from "@partline/toolkit/pure";
import { nameCountry } from "./countries.ts";

/** Returns the lines of a label, the country by its name in the page's language. */
export function listAddressLines(address: ShippingAddress, language: string): string[] {
  return listLines({ ...address, country: nameCountry(address.country ?? "", language) });
}
