import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { PAGE_COUNTRIES } from "../../mixins/payment-provider/page-countries.ts";
import { toCountryCode } from "@partline/toolkit/pure";
import { pageCountry } from "../../packages/sandbox/src/payment/protocol/parameters.ts";

test("the countries of the hosted page are those of the provider's library, and the sandbox refuses the others", () => {
  const types = readFileSync(
    new URL("../../node_modules/stripe/esm/resources/Checkout/Sessions.d.ts", import.meta.url),
    "utf8",
  );
  const declared = /namespace SessionCreateParams[^]*?type AllowedCountry = ([^;]*);/.exec(types)![1]!;
  // ZZ stands for an unknown country.
  const codes = [...declared.matchAll(/'([A-Z]{2})'/g)].flatMap(([, code]) => (code === "ZZ" ? [] : code!));
  expect([...PAGE_COUNTRIES].sort()).toEqual(codes.sort());
  for (const code of codes) expect(pageCountry(code, "country")).toBe(code);
  for (const code of ["AS", "CU", "FM", "IR", "KP", "MH", "MP", "PW", "SY", "UM", "VI"]) {
    expect(toCountryCode(code)).toBe(code);
    expect(PAGE_COUNTRIES.has(code)).toBe(false);
    expect(() => pageCountry(code, "country")).toThrow("Not a country that an address is collected in");
  }
});
