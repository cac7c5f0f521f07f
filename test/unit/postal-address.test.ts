import { expect, test } from "@jest/globals";
import { resolvePlace, STATES } from "@partline/toolkit/pure";

test.each([
  ["NY", "10001", "10001"],
  ["NY", "06390", "06390"],
  ["TX", "88510-1234", "88510"],
  ["AE", "09012", "09012"],
  ["AS", "96799", "96799"],
])("%s has the ZIP %s", (state, postalCode, expected) => {
  expect(resolvePlace({ country: "US", state, postalCode })).toEqual({ country: "US", state, postalCode: expected });
});

test.each([
  ["US", "CA", "10001"],
  ["US", "NY", "99501"],
  ["CA", "BC", "K1A 0B1"],
])("in %s, %s does not have the postal code %s", (country, state, postalCode) => {
  expect(resolvePlace({ country, state, postalCode })).toEqual(["postalCode"]);
});

test("where states are not looked up, any postal code is taken", () => {
  const place = { country: "DE", state: "BY", postalCode: "80331" };
  expect(resolvePlace(place)).toEqual(place);
});

test("the lists have every state and province by its name", () => {
  expect([STATES["US"]?.size, STATES["CA"]?.size]).toEqual([59, 13]);
  expect(STATES["US"]?.get("WV")?.name).toBe("West Virginia");
  expect(STATES["CA"]?.get("NL")?.name).toBe("Newfoundland and Labrador");
});
