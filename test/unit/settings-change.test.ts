import { describe, expect, test } from "@jest/globals";
import { mergePatch } from "@partline/toolkit/pure";
import { resolveShopFacts, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { checkChange, pickChanges } from "../../services/settings/change-rules.ts";

describe("a change of the shop's settings", () => {
  test("merges what is sent: null removes a member, a list replaces one, the rest stays", () => {
    const stored = { phone: "1", openingHours: ["a", "b"], policies: { returns: { en: "x", de: "y" } } };
    const change = { phone: null, openingHours: ["c"], policies: { returns: { de: null, es: "z" } } };
    expect(mergePatch(stored, change)).toEqual({ openingHours: ["c"], policies: { returns: { en: "x", es: "z" } } });
    expect(stored.policies.returns).toEqual({ en: "x", de: "y" });
  });

  test("holds over the defaults, and the environment over both", () => {
    const stored = { shopName: "Ours", phone: "555", policies: { terms: { de: "AGB" } } };
    const facts = resolveShopFacts(stored, { shopName: "Pinned" });
    expect(facts).toMatchObject({ shopName: "Pinned", phone: "555", email: null, timeZone: "UTC" });
    expect(facts.policies.terms).toEqual({ en: null, de: "AGB", es: null });
  });

  const pins: Partial<ShopFacts> = { shopName: "Pinned", address: ["1 Main St"] };
  const check = (change: object): string => {
    try {
      const facts = resolveShopFacts({}, pins);
      checkChange(pickChanges(change, facts), facts, { pins, shipTo: ["US"] });
      return "taken";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    [{ shopName: "Other" }, "The 'shopName' field is set by the environment"],
    [{ address: null }, "The 'address' field is set by the environment"],
    [{ shopName: "Pinned", address: ["1 Main St"], phone: "555 0100" }, "taken"],
    [{ timeZone: "Mars/Olympus" }, "The 'timeZone' field is not a time zone"],
    [{ timeZone: "America/Chicago" }, "taken"],
    [{ timeZone: null }, "taken"],
    [{ workHours: ["Mon-Fri 08:00-17:00", "Sat 17:00-09:00"] }, "The 'workHours[1]' field must end after it begins"],
    [{ workHours: ["Mon 09:00-09:00"] }, "The 'workHours[0]' field must end after it begins"],
    [{ policies: { terms: { en: "é".repeat(150_000) } } }, "The 'policies' field is too long"],
    [{ stockPolicy: { vendors: [{ vendor: "KAW" }, { vendor: "KAW" }] } }, "The 'stockPolicy.vendors[1].vendor' field"],
    [{ shippingTable: { zones: [] } }, "The 'shippingTable.zones' field has no zone for all of US"],
    [{ shippingTable: null, mailSender: { address: "orders@shop.example" } }, "taken"],
    [{ pickupPlaces: [{ id: "a" }, { id: "b" }, { id: "a" }] }, "The 'pickupPlaces[2].id' field is the id of another"],
  ])("%j: %s", (change, answer) => {
    expect(check(change)).toContain(answer);
  });
});
