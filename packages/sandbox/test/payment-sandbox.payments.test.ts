import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type Stripe from "stripe";

import type { Sandbox } from "../../../test/contract/payment-sandbox.support.ts";
import { payAsShown, refusalOf, sandbox, sessionParams } from "../../../test/contract/payment-sandbox.support.ts";

let provider: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  provider = await sandbox();
  stripe = provider.stripe;
});

afterAll(() => provider.close());

const pay = async (payment_method: string, amount = 2_000) => {
  const { id } = await stripe.paymentIntents.create({ amount, currency: "usd" });
  return stripe.paymentIntents.confirm(id, { payment_method });
};
const typesSince = async (since: string | undefined) => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .slice(
      0,
      data.findIndex(({ id }) => id === since),
    )
    .map((event) => event.type)
    .reverse();
};
const chargeOf = async (intent: string) =>
  (await stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge"] })).latest_charge as Stripe.Charge;
const lastEvent = async () => (await stripe.events.list({ limit: 1 })).data[0]?.id;

describe("payment intents", () => {
  test("are created, changed, confirmed and paid", async () => {
    const customer = await stripe.customers.create({ email: "ada@example.com" });
    const intent = await stripe.paymentIntents.create({
      amount: 1_999,
      currency: "usd",
      customer: customer.id,
      automatic_payment_methods: { enabled: true },
      metadata: { cartId: "cart_1" },
    });
    expect(intent).toMatchObject({
      object: "payment_intent",
      status: "requires_payment_method",
      amount: 1_999,
      amount_received: 0,
      currency: "usd",
      customer: customer.id,
      latest_charge: null,
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
    const updated = await stripe.paymentIntents.update(intent.id, {
      metadata: { cartId: "", orderId: "ord_1" },
    });
    expect(updated.metadata).toEqual({ orderId: "ord_1" });
    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: "pm_card_visa",
      expand: ["latest_charge"],
    });
    expect(paid).toMatchObject({ status: "succeeded", amount_received: 1_999 });
    const charge = paid.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({
      object: "charge",
      amount: 1_999,
      amount_captured: 1_999,
      captured: true,
      paid: true,
      status: "succeeded",
      payment_intent: intent.id,
      metadata: { orderId: "ord_1" },
    });
    expect(charge.payment_method_details?.card).toMatchObject({ brand: "visa", last4: "4242" });
    const again = await refusalOf(stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" }));
    expect([again.statusCode, again.code]).toEqual([400, "payment_intent_unexpected_state"]);
    expect((await stripe.paymentIntents.list({ customer: customer.id })).data.map(({ id }) => id)).toEqual([intent.id]);
  });

  test("are canceled while they are not paid", async () => {
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd" });
    expect(await stripe.paymentIntents.cancel(intent.id)).toMatchObject({ status: "canceled" });
    expect(await refusalOf(stripe.paymentIntents.cancel((await pay("pm_card_visa")).id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
    expect(await refusalOf(stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_visa" }))).toMatchObject(
      { code: "payment_intent_unexpected_state" },
    );
  });
});

describe("customers and their cards", () => {
  test("a setup intent saves a card, which can become the default and pay later", async () => {
    const { id: customer } = await stripe.customers.create({ email: "card@example.com" });
    const setup = await stripe.setupIntents.create({
      customer,
      automatic_payment_methods: { enabled: true },
      usage: "off_session",
    });
    expect(setup).toMatchObject({ object: "setup_intent", status: "requires_payment_method", customer });
    expect(setup.client_secret).toMatch(new RegExp(`^${setup.id}_secret_`));
    const done = await stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_visa" });
    expect(done.status).toBe("succeeded");
    const methods = await stripe.customers.listPaymentMethods(customer);
    expect(methods.data).toHaveLength(1);
    expect(methods.data[0]).toMatchObject({
      id: done.payment_method,
      object: "payment_method",
      type: "card",
      customer,
      card: { brand: "visa", last4: "4242" },
    });
    const method = String(done.payment_method);
    const updated = await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
    expect(updated.invoice_settings.default_payment_method).toBe(method);
    const intent = await stripe.paymentIntents.create({ amount: 900, currency: "usd", customer });
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: method });
    expect(paid).toMatchObject({ status: "succeeded", payment_method: method });
    expect((await stripe.paymentMethods.detach(method)).customer).toBeNull();
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect((await refusalOf(stripe.paymentMethods.attach(method, { customer }))).message).toContain(
      "may not be used again",
    );
  });

  test("a card belongs to one customer", async () => {
    const [ada, bob] = await Promise.all([stripe.customers.create({}), stripe.customers.create({})]);
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: ada.id });
    expect(method.customer).toBe(ada.id);
    expect(await refusalOf(stripe.paymentMethods.attach(method.id, { customer: bob.id }))).toMatchObject({
      statusCode: 400,
    });
    expect(await refusalOf(stripe.customers.retrievePaymentMethod(bob.id, method.id))).toMatchObject({
      statusCode: 404,
    });
    expect(
      await refusalOf(stripe.customers.update(bob.id, { invoice_settings: { default_payment_method: method.id } })),
    ).toMatchObject({ code: "resource_missing" });
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", customer: bob.id });
    expect(await refusalOf(stripe.paymentIntents.confirm(intent.id, { payment_method: method.id }))).toMatchObject({
      statusCode: 400,
    });
    expect(await refusalOf(stripe.paymentMethods.attach("pm_none", { customer: ada.id }))).toMatchObject({
      statusCode: 404,
      code: "resource_missing",
    });
  });

  test("a bad card is not saved", async () => {
    const { id: customer } = await stripe.customers.create({});
    const setup = await stripe.setupIntents.create({ customer });
    expect(
      await refusalOf(stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_chargeDeclined" })),
    ).toMatchObject({ statusCode: 402, code: "card_declined" });
    expect(await stripe.setupIntents.retrieve(setup.id)).toMatchObject({
      status: "requires_payment_method",
      last_setup_error: { code: "card_declined" },
    });
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
  });

  test("a session with automatic tax needs its customer's address, or leave to keep the one entered", async () => {
    const own = await sandbox();
    const { id } = await own.stripe.customers.create({ email: "taxed@example.com" });
    const params = sessionParams({ customer: id, automatic_tax: { enabled: true } });
    expect(await refusalOf(own.stripe.checkout.sessions.create(params))).toMatchObject({
      statusCode: 400,
      code: "customer_tax_location_invalid",
    });
    const session = await own.stripe.checkout.sessions.create({ ...params, customer_update: { address: "auto" } });
    expect((await payAsShown(session)).status).toBe(303);
    expect(await own.stripe.customers.retrieve(id)).toMatchObject({ address: { state: "CA", country: "US" } });
    const next = await own.stripe.checkout.sessions.create(params);
    expect([next.automatic_tax.status, next.total_details?.amount_tax]).toEqual(["complete", 152]);
    await own.close();
    expect(await refusalOf(stripe.checkout.sessions.create(params))).toMatchObject({ statusCode: 400 });
  });
});

describe("refunds", () => {
  test("give back in parts, never more than was paid, and say how much in all", async () => {
    const { id: payment_intent, latest_charge } = await pay("pm_card_visa", 2_000);
    const since = await lastEvent();
    const first = await stripe.refunds.create({
      payment_intent,
      amount: 500,
      reason: "requested_by_customer",
      metadata: { orderId: "ord_1" },
    });
    expect(first).toMatchObject({
      object: "refund",
      amount: 500,
      status: "succeeded",
      payment_intent,
      charge: latest_charge,
      reason: "requested_by_customer",
      metadata: { orderId: "ord_1" },
    });
    expect(await typesSince(since)).toEqual([
      "refund.created",
      "charge.refunded",
      "refund.updated",
      "charge.refund.updated",
    ]);
    expect(await refusalOf(stripe.refunds.create({ payment_intent, amount: 1_501 }))).toMatchObject({
      statusCode: 400,
      param: "amount",
      message: "Refund amount ($15.01) is greater than unrefunded amount on charge ($15.00)",
    });
    const rest = await stripe.refunds.create({ payment_intent });
    expect(rest.amount).toBe(1_500);
    expect(await chargeOf(payment_intent)).toMatchObject({ amount_refunded: 2_000, refunded: true });
    expect(await refusalOf(stripe.refunds.create({ payment_intent }))).toMatchObject({
      statusCode: 400,
      code: "charge_already_refunded",
    });
    expect((await stripe.refunds.list({ payment_intent })).data.map(({ id }) => id)).toEqual([rest.id, first.id]);
    expect(await stripe.refunds.retrieve(first.id)).toMatchObject({ id: first.id });
    const [last, partial] = (await stripe.events.list({ type: "charge.refunded" })).data.map(
      (event) => event.data.object as Stripe.Charge,
    );
    expect([partial?.amount_refunded, partial?.refunded, last?.amount_refunded, last?.refunded]).toEqual([
      500,
      false,
      2_000,
      true,
    ]);
  });

  test("asked for at the same moment never exceed the charge", async () => {
    const { id: payment_intent } = await pay("pm_card_visa", 1_000);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => stripe.refunds.create({ payment_intent, amount: 300 })),
    );
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(3);
  });

  test("can fail later, at the card's or the operator's word, and the money counts as not given back", async () => {
    const card = await pay("pm_card_refundFail", 1_000);
    await stripe.refunds.create({ payment_intent: card.id, amount: 400 });
    expect((await stripe.refunds.list({ payment_intent: card.id })).data[0]).toMatchObject({
      status: "failed",
      failure_reason: "unknown",
    });
    expect(await chargeOf(card.id)).toMatchObject({ amount_refunded: 0, refunded: false });
    const intent = await pay("pm_card_visa", 1_000);
    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    const since = await lastEvent();
    await provider.control(`/refunds/${refund.id}/fail`, { reason: "expired_or_canceled_card" });
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
    });
    expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await typesSince(since)).toEqual([
      "charge.updated",
      "refund.failed",
      "refund.updated",
      "charge.refund.updated",
    ]);
    expect((await stripe.refunds.create({ payment_intent: intent.id })).status).toBe("succeeded");
  });

  test("can take their time", async () => {
    const intent = await pay("pm_card_pendingRefund");
    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    expect(refund.status).toBe("pending");
    await provider.control(`/refunds/${refund.id}/succeed`);
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe("succeeded");
  });
});

test("a dispute holds the money until it is won", async () => {
  const intent = await pay("pm_card_visa", 3_000);
  const { id } = (await provider.control("/disputes", {
    payment_intent: intent.id,
    reason: "product_not_received",
  })) as unknown as Stripe.Dispute;
  expect(await stripe.disputes.retrieve(id)).toMatchObject({
    object: "dispute",
    amount: 3_000,
    charge: intent.latest_charge,
    payment_intent: intent.id,
    reason: "product_not_received",
    status: "needs_response",
  });
  expect(await chargeOf(intent.id)).toMatchObject({ disputed: true });
  expect(await refusalOf(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
    code: "charge_disputed",
  });
  await provider.control(`/disputes/${id}/close`, { status: "won" });
  expect(
    (await stripe.events.list({ types: ["charge.dispute.created", "charge.dispute.closed"], limit: 2 })).data.map(
      (event) => event.type,
    ),
  ).toEqual(["charge.dispute.closed", "charge.dispute.created"]);
  expect((await stripe.refunds.create({ payment_intent: intent.id })).status).toBe("succeeded");
});

test("the ledger adds up", async () => {
  const own = await sandbox();
  const session = await own.stripe.checkout.sessions.create(sessionParams());
  await payAsShown(session);
  const { payment_intent } = await own.stripe.checkout.sessions.retrieve(session.id);
  await own.stripe.refunds.create({ payment_intent: String(payment_intent), amount: 600 });
  expect(await own.control("/ledger", undefined, "GET")).toMatchObject({
    received: 2_600,
    refunded: 600,
    net: 2_000,
    payment_intents: [
      { payment_intent, checkout_session: session.id, status: "succeeded", amount: 2_600, amount_refunded: 600 },
    ],
  });
  await own.close();
});
