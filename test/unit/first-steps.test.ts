import { expect, test } from "@jest/globals";
import { resolveShopFacts } from "../../mixins/shop/shop-facts.ts";
import { listFirstSteps } from "../../services/settings/first-steps.ts";

const deployment = {
  hasDealer: false,
  hasShippingRates: false,
  hasMailSender: false,
  paymentKey: "sk_test_1",
};

test("a new shop has all first steps to do; those that the stores answer for are done or left out", () => {
  const newShop = { facts: resolveShopFacts({}, {}), catalog: { total: 0, counted: false }, deployment };
  expect(listFirstSteps(newShop).map(({ step, done }) => (done ? `${step} done` : step))).toEqual([
    ...["shop", "policies", "logo", "parts", "stock", "shipping", "sender", "payment"],
  ]);
  const values = {
    ...{ shopName: "Reno Parts", address: ["12 Wharf Road"], email: "shop@reno.example", logo: "a".repeat(64) },
    policies: { returns: { en: "30 days" }, shipping: { es: "24 h" } },
    mailSender: { address: "shop@reno.example" },
  };
  const openShop = {
    facts: resolveShopFacts(values, {}),
    catalog: { total: 1, counted: false },
    deployment: { ...deployment, hasDealer: true, hasShippingRates: true, paymentKey: "rk_live_1" },
  };
  expect(listFirstSteps(openShop).filter(({ done }) => !done)).toEqual([]);
  expect(listFirstSteps(openShop).map(({ step }) => step)).not.toContain("stock");
  const halfShop = { ...openShop, facts: resolveShopFacts({ ...values, policies: { returns: { en: "30" } } }, {}) };
  expect(listFirstSteps(halfShop).filter(({ done }) => !done)).toEqual([{ step: "policies", done: false }]);
});
