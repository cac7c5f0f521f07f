import type { ShippingAddress } from "@partline/client";

/** Returns the lines of a label, the country by its name in the page's language. */
export function listAddressLines(address: ShippingAddress, language: string): string[] {
  const { name, street, city, state, postalCode, country = "" } = address;
  const area = [state, postalCode].filter(Boolean).join(" ");
  const place = [city, area].filter(Boolean).join(state ? ", " : " ");
  return [name, street, place, nameCountry(country, language)].filter((line): line is string => Boolean(line));
}

function nameCountry(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
