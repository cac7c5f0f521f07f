/** Rules of postal addresses that services share. */

export interface PostalAddress {
  name?: string;
  street?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  country?: string;
}

/** Countries whose addresses need a state or province. Source: Google's libaddressinput, fields required by country. */
const NEED_STATE = new Set("AU BR CA CN CO ES IN IT JP KR MX TW US".split(" "));
/** Countries without postal codes that letters need. Source: as above. */
const LACK_POSTAL_CODE = new Set("AE AO BS BZ GH HK IE JM KE MO PA QA ZW".split(" "));

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Returns the country's ISO 3166 alpha-2 code in upper case; undefined if the text is none. */
export function countryCode(country: string | undefined): string | undefined {
  const code = country?.trim().toUpperCase() ?? "";
  return /^[A-Z]{2}$/.test(code) && code !== "ZZ" && countries.of(code) !== undefined ? code : undefined;
}

/** Returns the names of the fields that an address lacks to be delivered to; none if it is whole. */
export function missingInAddress(address: PostalAddress | undefined): (keyof PostalAddress)[] {
  const country = countryCode(address?.country);
  const needed: (keyof PostalAddress)[] = ["name", "street", "city"];
  if (country === undefined || NEED_STATE.has(country)) needed.push("state");
  if (country === undefined || !LACK_POSTAL_CODE.has(country)) needed.push("postalCode");
  const missing = needed.filter((field) => (address?.[field] ?? "").trim() === "");
  return country === undefined ? [...missing, "country"] : missing;
}
