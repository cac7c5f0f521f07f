import { NEED_STATE, STATES } from "@partline/toolkit/pure";
import { listCountries } from "../../shared/countries.ts";
import { language, texts } from "../texts.ts";

type Choices = readonly (readonly [value: string, text: string])[];

let shipTo: readonly string[] = [];

/** Sets the countries that the shop ships to. */
export function setShipTo(countries: readonly string[]): void {
  shipTo = countries;
}

/** Lists the countries that the shop ships to, with the one that an address has. */
export function listShipTo(current: string | undefined): Choices {
  return listCountries(new Set([...(current ? [current] : []), ...shipTo]), language);
}

export const findFirstCountry = (): string => shipTo[0] ?? "";

/** Lists the states of a country; undefined where they are free text. */
export function listStates({ country = "" }: Readonly<Partial<Record<string, string>>>): Choices | undefined {
  const states = STATES[country];
  return states && [["", ""], ...[...states.values()].map(({ code, name }) => [code, name] as const)];
}

type AddressField = keyof typeof texts.address;

/** Names the fields without which nothing can be sent to an address. */
export function listMissing(address: Readonly<Partial<Record<string, string>>>): string[] {
  const { country = "" } = address;
  const needed: AddressField[] = ["name", "street", "city", "country"];
  if (NEED_STATE.has(country)) needed.push("state");
  if (STATES[country]) needed.push("postalCode");
  return needed.filter((name) => !address[name]?.trim()).map((name) => texts.address[name]);
}
