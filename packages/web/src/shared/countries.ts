import { getRegionNames } from "./intl-formats.ts";

/** Names a country in a language; what is no ISO 3166 code is shown as it is. */
export function nameCountry(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return getRegionNames(language).of(code) ?? code;
}

/** Lists countries with their names, in the language's order of names. */
export function listCountries(codes: Iterable<string>, language: string): (readonly [code: string, name: string])[] {
  return [...codes]
    .map((code) => [code, nameCountry(code, language)] as const)
    .sort(([, first], [, second]) => first.localeCompare(second, language));
}
