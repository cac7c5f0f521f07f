import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type Stripe from "stripe";
import type { Role } from "../../broker/contract/scopes.ts";
import { providerCode, providerFailure, toPartlineError } from "../../mixins/payment-provider/errors.ts";
import {
  type CatalogItem,
  type ShownItem,
  assertMayUse,
  assertPayable,
  checkPrices,
  findBuyer,
  isPaidWith,
  areItemsDifferent,
  resolveOwner,
  resolveStanding,
} from "../../services/payment/checkout-rules.ts";
import { toCommand } from "../../services/payment/event-commands.ts";
import {
  findCartOfIntent,
  toIntentRequest,
  isOfShop,
  toLinesMetadata,
  readLinesMetadata,
  readOwnMetadata,
  toSessionRequest,
  taxRequest,
} from "../../services/payment/provider-requests.ts";
import type { Purchase, Line } from "../../services/payment/purchase.ts";
import { inCents, offeredAs } from "../../services/payment/shipping.ts";

const refusalOf = (work: () => unknown): { code: string; message: string; data: unknown } | undefined => {
  try {
    work();
  } catch (error) {
    return error as { code: string; message: string; data: unknown };
  }
  return undefined;
};

const cents = fc.integer({ min: 1, max: 99_999_999 });
const shown = fc.record<ShownItem>({
  productId: fc.string({ minLength: 1 }),
  partNumber: fc.string({ minLength: 1 }),
  title: fc.string({ minLength: 1 }),
  quantity: fc.integer({ min: 1, max: 9_999 }),
  unitPrice: cents,
});
const inCatalog = (
  item: ShownItem,
  price: number | null = item.unitPrice,
  status: CatalogItem["status"] = "active",
): CatalogItem => ({
  found: true,
  productId: item.productId,
  partNumber: item.partNumber,
  title: item.title,
  status,
  price,
});

describe("The price check", () => {
  it("lets through what costs what it was shown at", () => {
    fc.assert(
      fc.property(fc.array(shown, { minLength: 1, maxLength: 100 }), (items) => {
        const catalog = items.map((item) => inCatalog(item));
        expect(checkPrices(items, catalog).map(({ price, quantity }) => [price, quantity])).toEqual(
          items.map(({ unitPrice, quantity }) => [unitPrice, quantity]),
        );
      }),
    );
  });

  it("lists exactly the items whose price changed, in currency units", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(shown, fc.option(cents)), { minLength: 1, maxLength: 30 }), (pairs) => {
        const items = pairs.map(([item]) => item);
        const catalog = pairs.map(([item, price]) => inCatalog(item, price ?? item.unitPrice));
        const changed = pairs.filter(([item, price]) => price !== null && price !== item.unitPrice);
        const listed = changed.map(([{ partNumber, unitPrice }, price]) => ({
          partNumber,
          oldPrice: unitPrice / 100,
          newPrice: price! / 100,
        }));
        const refusal = refusalOf(() => checkPrices(items, catalog));
        expect(refusal?.data).toEqual(changed.length === 0 ? undefined : listed);
      }),
    );
  });

  it("names what changed and what cannot be sold together, and by what it is replaced", () => {
    const item = (partNumber: string) => ({ productId: "p", partNumber, title: "Plug", quantity: 1, unitPrice: 5 });
    const successor = {
      ...{ productId: "n-2", partNumber: "2", title: "Plug II" },
      ...{ price: 750, availability: "low_stock" as const },
    };
    const refusal = refusalOf(() =>
      checkPrices(
        [item("1"), item("0"), item("3")],
        [
          { found: true, status: "active", price: 6 },
          { found: true, status: "discontinued", price: 5, successor: { ...successor, manufacturer: "Acme" } },
          { found: false, price: null },
        ],
      ),
    );
    const unavailable = '"Plug" (0) is discontinued, replaced by "Plug II" (2) at 7.50, low stock';
    expect(refusal).toMatchObject({
      message: `${unavailable}; "Plug" (3) is not in the catalog; Price changed for "Plug" (1): was 0.05, now 0.06`,
      data: [
        { field: "items[1]", message: unavailable, successor: { ...successor, price: 7.5 } },
        { field: "items[2]", message: '"Plug" (3) is not in the catalog' },
        { partNumber: "1", oldPrice: 0.05, newPrice: 0.06 },
      ],
    });
  });

  it.each<[CatalogItem, string]>([
    [{ found: false, price: null }, '"Plug" (1-2) is not in the catalog'],
    [{ found: true, status: "discontinued", price: 100 }, '"Plug" (1-2) is discontinued'],
    [{ found: true, status: "active", price: null }, '"Plug" (1-2) has no price'],
    [{ found: true, status: "active", price: 123_456 }, 'Price changed for "Plug" (1-2): was 0.05, now 1234.56'],
  ])("names the item: %j", (known, message) => {
    const item = { productId: "p", partNumber: "1-2", title: "Plug", quantity: 1, unitPrice: 5 };
    expect(refusalOf(() => checkPrices([item], [known]))).toMatchObject({ code: "VALIDATION_FAILED", message });
  });
});

describe("Whether the items of a checkout differ", () => {
  it("goes by product, price and quantity, regardless of the order, the lines and the catalog's spelling of an id", () => {
    const few = fc.record({
      productId: fc.constantFrom("a", "B"),
      quantity: fc.integer({ min: 1, max: 3 }),
      unitPrice: fc.constantFrom(1, 2),
    });
    const items = fc.array(few, { minLength: 1, maxLength: 4 });
    const shownAs = (sent: (typeof few extends fc.Arbitrary<infer T> ? T : never)[]) =>
      sent.map((each) => ({ ...each, partNumber: "1", title: "Plug" }));
    const ledger = (sent: { productId: string; quantity: number; unitPrice: number }[]) =>
      sent
        .flatMap(({ productId, quantity, unitPrice }) => Array<string>(quantity).fill(`${productId}${unitPrice}`))
        .sort();
    fc.assert(
      fc.property(items, items, (opened, sent) => {
        const purchase = {
          sentIds: opened.map(({ productId }) => productId),
          items: opened.map(({ productId, quantity, unitPrice }) => ({
            productId: productId.toLowerCase(),
            partNumber: "1",
            name: "Plug",
            quantity,
            price: unitPrice,
          })),
        };
        expect(areItemsDifferent(purchase, shownAs(opened.toReversed()))).toBe(false);
        expect(areItemsDifferent(purchase, shownAs(sent))).toBe(String(ledger(opened)) !== String(ledger(sent)));
      }),
    );
  });
});

describe("The rules of a checkout", () => {
  it("bounds the total to what the provider takes", () => {
    for (const total of [50, 99_999_999]) expect(refusalOf(() => assertPayable(total))).toBeUndefined();
    for (const total of [49, 100_000_000])
      expect(refusalOf(() => assertPayable(total))).toMatchObject({ code: "VALIDATION_FAILED" });
  });

  it("finds a shopper's rate among those on offer, by its cost", () => {
    const rate = { provider: "ups", serviceType: "air", cost: 12.34 };
    const offered = { ...rate, cost: 1_234, estimatedDays: 2 };
    expect(inCents(rate)).toEqual({ ...rate, cost: 1_234 });
    expect(offeredAs(inCents(rate), [offered])).toEqual(offered);
    expect(offeredAs(inCents({ ...rate, cost: 0 }), [offered])).toBeUndefined();
  });

  it.each([
    ["open", 1, "reuse"],
    ["open", -1, "ask"],
    ["open", 0, "ask"],
    ["complete", -1, "reuse"],
    ["expired", 1, "replace"],
    ["failed", 1, "replace"],
  ] as const)("has a session that is %s with %d ms left stand at %s", (status, left, standing) => {
    const now = new Date();
    expect(resolveStanding({ status, expiresAt: new Date(now.getTime() + left) }, now)).toBe(standing);
  });

  it("is paid with another of its cart, unless that was saved again since", () => {
    const at = (ms: number) => new Date(ms);
    const of = (cartSavedAt: number | null | undefined) => ({ purchase: { cartSavedAt } });
    // Of the same cart; of an earlier one; of one that was not saved when it was opened.
    for (const cart of [1_000, 500, null]) expect(isPaidWith(of(cart), of(1_000), at(3_000))).toBe(true);
    expect(isPaidWith(of(2_000), of(1_000), at(3_000))).toBe(false);
    // What was paid is of a cart that was not saved, or not kept: the payment decides.
    for (const paid of [of(null), of(undefined), null]) {
      expect([isPaidWith(of(2_000), paid, at(3_000)), isPaidWith(of(4_000), paid, at(3_000))]).toEqual([true, false]);
    }
  });

  it("answers to the owner: a saved cart's user, else the customer and the guest's session, else anybody", () => {
    const may = (owner: object, caller: object) =>
      refusalOf(() => assertMayUse({ admin: false, ...caller }, owner))?.code;
    const as = (sub: string) => ({ user: { sub, role: "customer", aud: "a", azp: "z" } });
    expect(may({}, {})).toBeUndefined();
    expect(may({ userId: "a" }, as("a"))).toBeUndefined();
    expect(may({ userId: "a" }, {})).toBe("UNAUTHORIZED");
    expect(may({ userId: "a" }, as("b"))).toBe("FORBIDDEN");
    expect(may({ userId: "a" }, { admin: true })).toBeUndefined();
    expect(may({ sessionId: "s" }, {})).toBe("FORBIDDEN");
    expect(may({ userId: "a", sessionId: "s" }, { sessionId: "s" })).toBeUndefined();
    expect(resolveOwner({ userId: "a", sessionId: "s" }, "b")).toEqual({ userId: "a" });
    expect(resolveOwner({ sessionId: "s" }, "b")).toEqual({ userId: "b", sessionId: "s" });
    expect(resolveOwner(null, undefined)).toEqual({});
  });

  it("is bought by whom the request names, else the cart's user, else the user of the token, staff too", () => {
    const user = (role: Role) => ({ admin: role !== "customer", user: { sub: "t", role, aud: "a", azp: "z" } });
    const nobody = { admin: false };
    expect(findBuyer("named", { userId: "cart" }, user("customer"))).toBe("named");
    expect(findBuyer(undefined, { userId: "cart" }, user("owner"))).toBe("cart");
    expect(findBuyer(undefined, { sessionId: "s" }, user("customer"))).toBe("t");
    expect(findBuyer(undefined, null, user("owner"))).toBe("t");
    expect(findBuyer(undefined, { sessionId: "s" }, nobody)).toBeUndefined();
    expect(findBuyer(undefined, null, { admin: true })).toBeUndefined();
  });
});

describe("Requests to the provider", () => {
  const purchase: Purchase = { cartId: null, userId: "guest", owner: {}, items: [], subtotal: 100, currency: "usd" };
  const belt = { productId: "a-1", partNumber: "1", name: "Belt", quantity: 1, price: 100 };
  const ask = (input: Partial<Parameters<typeof toSessionRequest>[0]> = {}) =>
    toSessionRequest({
      purchase,
      shop: "http://s.test",
      lines: [],
      successUrl: "http://s.test/",
      cancelUrl: "http://c.test/",
      expiresAt: new Date(1_800_000_000_500),
      shipTo: ["US", "CA"],
      customer: null,
      automaticTax: false,
      promotionCodes: false,
      ...input,
    });

  it("ask for tax and promotion codes only when the store has them, and name the customer", () => {
    expect(ask().expires_at).toBe(1_800_000_001);
    expect(
      ["automatic_tax", "customer", "customer_update", "allow_promotion_codes"].filter((name) => name in ask()),
    ).toEqual([]);
    expect(ask({ customer: "cus_1", automaticTax: true, promotionCodes: true })).toMatchObject({
      customer: "cus_1",
      automatic_tax: { enabled: true },
      customer_update: { address: "auto", shipping: "auto" },
      shipping_address_collection: { allowed_countries: ["US", "CA"] },
      allow_promotion_codes: true,
    });
  });

  it("ask for an address unless the purchase has a whole one or is fetched", () => {
    const asked = (delivered: Partial<Purchase>) => {
      const { shipping_address_collection, phone_number_collection, payment_intent_data, customer_update } = ask({
        purchase: { ...purchase, ...delivered },
        customer: "cus_1",
        automaticTax: true,
      });
      expect(phone_number_collection !== undefined).toBe(shipping_address_collection !== undefined);
      return [shipping_address_collection !== undefined, payment_intent_data?.shipping, customer_update?.shipping];
    };
    const address = {
      ...{ name: "Ada", street: "1 Main St", city: "Austin" },
      ...{ state: "TX", postalCode: "78701", country: "us" },
    };
    const shipping = {
      name: "Ada",
      address: { line1: "1 Main St", city: "Austin", state: "TX", postal_code: "78701", country: "US" },
    };
    expect(asked({})).toEqual([true, undefined, "auto"]);
    for (const field of Object.keys(address))
      expect(asked({ shippingAddress: { ...address, [field]: " " } })).toEqual([true, undefined, "auto"]);
    expect(asked({ shippingAddress: { ...address, country: "Atlantis" } })).toEqual([true, undefined, "auto"]);
    expect(asked({ shippingAddress: address })).toEqual([false, shipping, undefined]);
    expect(asked({ shippingAddress: address, fulfilment: "pickup" })).toEqual([false, undefined, undefined]);
  });

  it("can be sent where a name is cut in the middle of a character", () => {
    const line = { ...belt, name: `${"a".repeat(249)}😀` };
    const shippingRate = { provider: "p".repeat(50), serviceType: `${"s".repeat(48)}😀`, cost: 1 };
    const session = ask({ purchase: { ...purchase, items: [line], shippingRate }, lines: [line] });
    const { name } = session.line_items![0]!.price_data!.product_data!;
    const rate = session.shipping_options![0]!.shipping_rate_data!.display_name!;
    expect([name.length, name.isWellFormed(), rate.length, rate.isWellFormed()]).toEqual([250, true, 100, true]);
    const [kept] = readLinesMetadata(toLinesMetadata([{ ...line, name: `${"a".repeat(99)}😀` }]))!;
    expect(kept!.name).toBe(`${"a".repeat(99)}\ufffd`);
  });

  it("say that tax is added to all prices, and name the store's currency, for any defaults of the account", () => {
    const shippingRate = { provider: "ups", serviceType: "ground", cost: 500 };
    const belts = { ...purchase, items: [belt], shippingRate };
    const session = ask({ purchase: belts, lines: [belt], automaticTax: true });
    const calculation = taxRequest(belts, { country: "US", state: "TX", postalCode: "78701" });
    expect(session).toMatchObject({
      adaptive_pricing: { enabled: false },
      line_items: [{ price_data: { currency: "usd", tax_behavior: "exclusive" } }],
      shipping_options: [{ shipping_rate_data: { tax_behavior: "exclusive" } }],
    });
    expect(calculation).toMatchObject({
      line_items: [{ tax_behavior: "exclusive" }],
      shipping_cost: { amount: 500, tax_behavior: "exclusive" },
    });
  });

  it("are known as ours by names that no client can set, and by those of version 0.2", () => {
    const shop = "http://s.test";
    const forged = { shop: "http://other.test", userId: "eve", cartId: "cart_of_another", checkout: "x" };
    const metadata = { ...forged, partline_shop: "http://other.test", partline_checkout: "x", partline_new: "x" };
    const bought = { ...purchase, metadata, cartId: "cart_1700000000000_k3j9x2m1q", userId: "u", items: [belt] };
    const session = ask({ purchase: bought, lines: bought.items });
    const all = [
      session.metadata,
      session.payment_intent_data!.metadata,
      toIntentRequest(bought, shop, 100, null).metadata,
    ] as Stripe.Metadata[];
    expect(all[0]).toEqual({
      ...forged,
      partline_shop: shop,
      partline_userId: "u",
      partline_cartId: bought.cartId,
    });
    for (const sent of all) {
      const unprefixed = readOwnMetadata(sent);
      for (const known of [sent, unprefixed])
        expect([isOfShop(known, shop), isOfShop(known, "http://other.test")]).toEqual([true, false]);
      expect(findCartOfIntent(unprefixed)).toBe(findCartOfIntent(sent));
    }
    expect(all.map(findCartOfIntent)).toEqual([bought.cartId, undefined, bought.cartId]);
    expect(readLinesMetadata(readOwnMetadata(all[2]!))).toEqual(bought.items);
    expect([isOfShop(null, shop), isOfShop({ cartId: bought.cartId! }, shop), isOfShop({ userId: "u" }, shop)]).toEqual(
      [false, false, false],
    );
  });

  it("keep an intent's lines with it, as far as they fit, in any language", () => {
    const line = fc.record<Line>({
      productId: fc.string({ minLength: 1, maxLength: 200 }),
      partNumber: fc.string({ minLength: 1, maxLength: 100 }),
      name: fc.string({ minLength: 1, maxLength: 100, unit: "grapheme" }),
      quantity: fc.integer({ min: 1, max: 9_999 }),
      price: cents,
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 100 }), (lines) => {
        const metadata = toLinesMetadata(lines);
        expect(Object.keys(metadata).length).toBeLessThanOrEqual(40);
        for (const value of Object.values(metadata)) expect(value).toMatch(/^[\x20-\x7e]{1,500}$/);
        const kept = readLinesMetadata({ ...metadata, userId: "guest" });
        if (Object.keys(metadata).length === 0) expect(kept).toBeNull();
        else
          expect(kept).toEqual(
            lines.map((one, index) => ({
              ...one,
              name: kept![index]!.name === one.partNumber ? one.partNumber : one.name.slice(0, 100),
            })),
          );
      }),
    );
    for (const items_1 of ["", "[]", "{}", "[[1]]", '[["a","b",0,1]]', '[["a","b",1,1'])
      expect(readLinesMetadata({ items_1 })).toBeNull();
  });
});

const dispute = { id: "dp_1", payment_intent: "pi_1", status: "lost", amount: 9, currency: "usd" };
const disputed = { kind: "dispute", disputeId: "dp_1", amount: 9, currency: "usd" };

const SESSION = {
  id: "cs_1",
  mode: "payment",
  payment_status: "paid",
  payment_intent: "pi_1",
  currency: "usd",
  amount_subtotal: 1,
};

describe("What an event asks for", () => {
  const event = (type: string, object: object): Stripe.Event =>
    ({ id: "evt_1", type, data: { object } }) as unknown as Stripe.Event;

  it("has the address in the shape of any version of the provider's API", () => {
    const shipping = { name: "Robin", address: { line1: "9 Oak St", city: "Austin", state: "TX", country: "US" } };
    const session = {
      ...SESSION,
      amount_total: 1,
      customer_details: { email: "robin@example.com", phone: "+15125550100" },
    };
    const shippingAddress = {
      ...{ name: "Robin", phone: "+15125550100" },
      ...{ street: "9 Oak St", city: "Austin", state: "TX", country: "US" },
    };
    for (const place of [
      { collected_information: { shipping_details: shipping } },
      { shipping_details: shipping },
      { collected_information: { shipping_details: null }, shipping },
    ])
      expect(toCommand(event("checkout.session.completed", { ...session, ...place }))).toMatchObject({
        person: { shippingAddress },
      });
  });

  it("keeps nothing personal but how to reach who paid, and where it ships to as an order takes it", () => {
    const session = {
      ...SESSION,
      amount_total: 3,
      total_details: { amount_tax: 1, amount_shipping: 1 },
      customer_details: { email: "ada@example.com", name: "Ada\u0000", phone: null, address: { line1: "1 Main St" } },
      collected_information: {
        shipping_details: {
          name: "Ada\r\nBcc: eve@example.com",
          address: { line1: "1 Main St", line2: "Apt 2", city: "x".repeat(500), state: null, country: 7 },
        },
      },
    };
    expect(toCommand(event("checkout.session.completed", session))).toEqual({
      kind: "complete",
      paymentKey: "cs_1",
      sessionId: "cs_1",
      paymentIntentId: "pi_1",
      payment: "paid",
      subtotal: 1,
      tax: 1,
      shipping: 1,
      discount: 0,
      total: 3,
      currency: "usd",
      person: {
        contact: { email: "ada@example.com", name: "Ada" },
        shippingAddress: { name: "Ada Bcc: eve@example.com", street: "1 Main St, Apt 2", city: "x".repeat(200) },
      },
    });
    const completed = (fields: object) => toCommand(event("checkout.session.completed", { ...session, ...fields }));
    expect(completed({ payment_status: "unpaid" })).toMatchObject({ payment: "pending" });
    expect(completed({ payment_status: "no_payment_required" })).toMatchObject({ payment: "paid" });
    expect(completed({ mode: "setup" })).toBeNull();
  });

  it.each([
    ["checkout.session.completed", { id: { $gt: "" } }, "id"],
    ["checkout.session.completed", { id: undefined }, "id"],
    ["checkout.session.completed", { payment_status: undefined }, "payment_status"],
    ["checkout.session.completed", { payment_status: "banana" }, "payment_status"],
    ["checkout.session.completed", { payment_intent: 7 }, "payment_intent"],
    ["checkout.session.completed", { payment_intent: { id: { $ne: null } } }, "payment_intent"],
    ["checkout.session.completed", { amount_total: null }, "amount_total"],
    ["checkout.session.completed", { amount_total: -1 }, "amount_total"],
    ["checkout.session.completed", { amount_total: 1e300 }, "amount_total"],
    ["checkout.session.completed", { amount_subtotal: "1" }, "amount_subtotal"],
    ["checkout.session.completed", { total_details: { amount_tax: 0.5 } }, "total_details.amount_tax"],
    ["checkout.session.completed", { currency: null }, "currency"],
    ["checkout.session.async_payment_succeeded", { amount_total: undefined }, "amount_total"],
    ["checkout.session.expired", { id: null }, "id"],
    ["payment_intent.succeeded", { amount_received: undefined }, "amount_received"],
    ["payment_intent.succeeded", { amount_received: 5, currency: "€" }, "currency"],
    ["charge.refunded", {}, "amount_refunded"],
    ["refund.updated", { amount: "5" }, "amount"],
    ["refund.updated", { amount: 5, status: { $ne: 1 } }, "status"],
    ["refund.updated", { amount: 5, metadata: { refundId: {} } }, "metadata.refundId"],
    ["charge.dispute.created", { status: undefined }, "status"],
  ])("books nothing by a guess: %s with %j", (type, odd, field) => {
    expect(() => toCommand(event(type, { ...SESSION, amount_total: 1, ...odd }))).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        data: [expect.objectContaining({ field: `data.object.${field}` })],
      }),
    );
  });

  it.each([
    ["checkout.session.expired", { id: "cs_1" }, { kind: "expire", paymentKey: "cs_1" }],
    ["payment_intent.canceled", { id: "pi_1" }, { kind: "expire", paymentKey: "pi_1" }],
    ["charge.refunded", { payment_intent: null, amount_refunded: 7 }, null],
    ["product.created", { id: "prod_1" }, null],
  ])("%s", (type, object, command) => {
    expect(toCommand(event(type, object))).toEqual(command);
  });

  const failedRefund = { id: "re_1", payment_intent: "pi_1", amount: 5, status: "failed", metadata: { refundId: "r" } };
  const toldRefund = { providerRefundId: "re_1", amount: 5, status: "failed", refundId: "r" };
  const answered = { ...dispute, reason: "fraudulent", evidence_details: { due_by: 1_800_000_000 } };
  const toldAnswer = { ...disputed, status: "lost", reason: "fraudulent", dueBy: "2027-01-15T08:00:00.000Z" };
  /** What the bank took and gave back; its fee is beside the amount. */
  const moved = (currency: string, ...amounts: number[]) => ({
    ...dispute,
    balance_transactions: amounts.map((amount) => ({ amount, currency, fee: 15 })),
  });
  it.each([
    ["payment_intent.payment_failed", { id: "pi_1" }, { kind: "failed" }],
    ["charge.refunded", { payment_intent: { id: "pi_1" }, amount_refunded: 7 }, { kind: "refunded", refundedTotal: 7 }],
    ["refund.failed", failedRefund, { kind: "refund", ...toldRefund }],
    ["charge.dispute.closed", { ...dispute, status: "won" }, { ...disputed, status: "won" }],
    ["charge.dispute.updated", answered, toldAnswer],
    // Won in part: the bank gave 4 of 9 back.
    ["charge.dispute.closed", moved("usd", -9, 4), { ...disputed, status: "lost", amount: 5 }],
    ["charge.dispute.closed", moved("eur", -8, 4), { ...disputed, status: "lost" }],
  ])("%s is a change of the payment", (type, object, change) => {
    expect(toCommand(event(type, object))).toEqual({ kind: "change", paymentIntentId: "pi_1", change });
  });
});

describe("Errors of the provider", () => {
  it.each([
    [{ type: "StripeConnectionError" }, "unreachable"],
    [{ type: "StripeAPIError", statusCode: 500 }, "failed"],
    [{ type: "StripeAPIError", statusCode: 409, code: "idempotency_key_in_use" }, "busy"],
    [{ type: "StripeRateLimitError", statusCode: 429 }, "busy"],
    [{ type: "StripeCardError", statusCode: 402, code: "card_declined" }, "refused"],
    [{ type: "StripeAuthenticationError", statusCode: 401 }, "refused"],
    [new TypeError("fetch failed"), "unreachable"],
  ])("%j is %s, in our words", (error, reason) => {
    const ours = toPartlineError(Object.assign(error, { raw: { message: "Invalid API Key provided: sk_live_123" } }));
    expect(ours.code).toBe("PROVIDER_ERROR");
    expect(providerFailure(ours)).toBe(reason);
    expect(JSON.stringify([ours.message, ours.data, ours.cause])).not.toContain("sk_live");
  });

  it("distinguish a missing object from a failure, and keep the provider's code", () => {
    const missing = { type: "StripeInvalidRequestError", statusCode: 404, code: "resource_missing" };
    expect(toPartlineError(missing, { what: "Customer" })).toMatchObject({
      code: "NOT_FOUND",
      message: "Customer not found",
    });
    expect(providerCode(toPartlineError(missing))).toBe("resource_missing");
    expect(providerFailure(new Error("else"))).toBeUndefined();
  });
});
