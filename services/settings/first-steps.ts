import { resolveShopFacts, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { FIRST_STEPS } from "./contract.ts";

type Step = (typeof FIRST_STEPS)[number];

interface ShopState {
  facts: ShopFacts;
  catalog: { total: number; counted: boolean };
  deployment: {
    /** The dealer's own system counts the stock. */
    hasDealer: boolean;
    /** Shipping costs come from the environment or a provider. */
    hasShippingRates: boolean;
    hasMailSender: boolean;
    /** Undefined where nobody pays with real money, or this process does not know the key. */
    paymentKey: string | undefined;
  };
}

const NEW_SHOP = resolveShopFacts({}, {});

/** Lists the first steps of a shop, each done if the stores and the environment say so. */
export function listFirstSteps({ facts, catalog, deployment }: ShopState): { step: Step; done: boolean }[] {
  const { shopName, address, phone, email, policies, logo, shippingTable, mailSender } = facts;
  const { hasDealer, hasShippingRates, hasMailSender, paymentKey } = deployment;
  const hasText = (policy: keyof ShopFacts["policies"]): boolean =>
    Object.values(policies[policy]).some((text) => text !== null);
  const states: Record<Step, boolean | undefined> = {
    shop: shopName !== NEW_SHOP.shopName && address.length > 0 && (phone ?? email) !== null,
    policies: hasText("returns") && hasText("shipping"),
    logo: logo !== null,
    parts: catalog.total > 0,
    stock: hasDealer ? undefined : catalog.counted,
    shipping: shippingTable !== null || hasShippingRates,
    sender: mailSender !== null || hasMailSender,
    payment: paymentKey === undefined ? undefined : /^[a-z]+_live_/.test(paymentKey),
  };
  return FIRST_STEPS.flatMap((step) => {
    const done = states[step];
    return done === undefined ? [] : [{ step, done }];
  });
}
