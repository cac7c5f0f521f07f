import { NEED_STATE, STATES } from "./postal-states.ts";

export interface PostalAddress {
  name?: string;
  street?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  country?: string;
}

/**
 * Countries whose addresses need a postal code; elsewhere there is none, or it may be left out. Source: as of states.
 */
const NEED_POSTAL_CODE = new Set(
  (
    "AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT " +
    "LU LV MF MH MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA US VI WF YT ZA"
  ).split(" "),
);

/** Names of countries, created at first use because that takes 13 ms. */
let countries: Intl.DisplayNames | undefined;

/** Returns the country's ISO 3166 alpha-2 code in upper case; undefined if the text is none. */
export function toCountryCode(country: string | undefined): string | undefined {
  const code = country?.trim().toUpperCase() ?? "";
  countries ??= new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return /^[A-Z]{2}$/.test(code) && code !== "ZZ" && countries.of(code) !== undefined ? code : undefined;
}

/** Returns the lines of an address, as a label has them. */
export function listAddressLines({ name, street, city, state, postalCode, country }: PostalAddress = {}): string[] {
  const area = [state, postalCode].filter(Boolean).join(" ");
  const place = [city, area].filter(Boolean).join(state ? ", " : " ");
  return [name, street, place, country].filter((line): line is string => Boolean(line));
}

/** Returns the names of the fields that an address lacks to be delivered to; none if it is whole. */
export function listMissingFields(address: PostalAddress | undefined): (keyof PostalAddress)[] {
  const country = toCountryCode(address?.country);
  const needed: (keyof PostalAddress)[] = ["name", "street", "city"];
  if (country === undefined || NEED_STATE.has(country)) needed.push("state");
  if (country === undefined || NEED_POSTAL_CODE.has(country)) needed.push("postalCode");
  const missingFields = needed.filter((field) => (address?.[field] ?? "").trim() === "");
  return country === undefined ? [...missingFields, "country"] : missingFields;
}

const POSTAL_CODES: Readonly<Record<string, RegExp>> = { US: /^\d{5}(?=(\d{4})?$)/, CA: /^[A-Z]\d[A-Z]\d[A-Z]\d$/ };

/** Place of an address, as far as shipping costs and tax need it. */
export interface Place {
  country: string;
  state?: string;
  postalCode?: string;
}

type Located = Pick<PostalAddress, "country" | "state" | "postalCode">;

/**
 * Returns where an address is, its codes in one spelling; otherwise the names of the fields that are missing or cannot
 * be. States are looked up for the US and Canada, whose names in full are no codes.
 */
export function resolvePlace(address: Located): Place | (keyof Place)[] {
  const place = resolveKnownPlace(address);
  const unusable = listMissingFields({ name: "-", street: "-", city: "-", ...place }) as (keyof Place)[];
  if (!place || unusable.length > 0) return unusable;
  return isOfState(place) ? place : ["postalCode"];
}

/** Returns whether a postal code can be one of the state, as far as the states of the country are looked up. */
function isOfState({ country, state = "", postalCode = "" }: Place): boolean {
  return STATES[country]?.get(state)?.postalCodes.test(postalCode) ?? true;
}

/** Returns where an address is as far as its fields are usable; undefined if its country is not. */
export function resolveKnownPlace(address: Located): Place | undefined {
  const country = toCountryCode(address.country);
  if (country === undefined) return undefined;
  const state = address.state?.trim().toUpperCase() ?? "";
  const postalCode = address.postalCode?.toUpperCase().replaceAll(/[\s-]/g, "") ?? "";
  const form = POSTAL_CODES[country];
  const [code] = form?.exec(postalCode) ?? [form ? "" : postalCode];
  return {
    country,
    ...(state && STATES[country]?.has(state) !== false ? { state } : {}),
    ...(code ? { postalCode: code } : {}),
  };
}
