import type { ShippingAddress } from "@partline/client";
import { nameCountry } from "./countries.ts";

/** Returns the lines of a label, the country by its name in the page's language. */
export function listAddressLines(address: ShippingAddress, language: string): string[] {
  const { name, street, city, state, postalCode, country = "" } = address;
  const area = [state, postalCode].filter(Boolean).join(" ");
  const place = [city, area].filter(Boolean).join(state ? ", " : " ");
  return [name, street, place, nameCountry(country, language)].filter((line): line is string => Boolean(line));
}
