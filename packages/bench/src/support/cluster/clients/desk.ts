import { randomUUID } from "node:crypto";
import { JSON_TYPE, type AnswerBody, type Client } from "./client.ts";
import type { Shop } from "./shop.ts";
import { pick } from "./shopper.ts";

type Bought = Shop["bought"][number];

/**
 * An admin takes care of an order: moves it on and refunds parts of it, cancels it, or delivers it; or its buyer
 * disputes the payment. Nothing is done where none was bought.
 */
export async function takeCare(client: Client, shop: Shop): Promise<void> {
  const order = shop.bought.shift();
  if (!order) return;
  const { orderId, total } = order;
  const headers = { ...JSON_TYPE, "x-admin-token": shop.adminToken };
  const what = pick(["cancel", "refund", "deliver", "deliver", "dispute"] as const);
  if (what === "deliver") return deliver(client, shop, order, headers);
  if (what === "dispute") return settleDispute(client, shop, order, headers);
  if (what === "cancel") return cancel(client, order, headers);
  await client.do(
    "order.move",
    { orderId, status: "processing" },
    {
      entry: "gateway",
      method: "PATCH",
      path: `/api/admin/orders/${orderId}`,
      headers,
      body: JSON.stringify({ status: "processing" }),
    },
    (status, body) => (status === 200 ? { version: body.data.version as number } : undefined),
    "keyed",
  );
  // Of different amounts, and together less than the order; in cents.
  const amounts = [1, 2]
    .map((share) => Math.floor((total * share) / 10))
    .filter((amount, index, amounts) => amount > 0 && amounts.indexOf(amount) === index);
  for (const amount of amounts) {
    await client.do("refund", { orderId, amount }, refundRequest(orderId, amount, headers), (status) =>
      status === 200 || status === 201 ? {} : undefined,
    );
  }
}

const refundRequest = (orderId: string, amount: number, headers: Record<string, string>) =>
  ({
    entry: "gateway",
    method: "POST",
    path: `/api/admin/orders/${orderId}/refunds`,
    headers,
    body: JSON.stringify({ amount: amount / 100 }),
  }) as const;

/** A cancellation is known again by its key. */
async function cancel(client: Client, { orderId }: Bought, headers: Record<string, string>): Promise<void> {
  await client.do(
    "cancel",
    { orderId },
    {
      entry: "gateway",
      method: "POST",
      path: `/api/orders/${orderId}/cancel`,
      headers: { ...headers, "idempotency-key": randomUUID() },
      body: "{}",
    },
    (status) => (status === 200 ? {} : undefined),
    "keyed",
  );
}

/** The order is cancelled while its payment is disputed, or a refund asks for more than the dispute leaves. */
async function settleDispute(
  client: Client,
  shop: Shop,
  order: Bought,
  headers: Record<string, string>,
): Promise<void> {
  const { orderId, total } = order;
  const dispute = await openDispute(client, shop, order);
  if (!dispute) return;
  const amount = total - dispute.amount + 1;
  if (pick([true, false])) await cancel(client, order, headers);
  else
    await client.do("refund.disputed", { orderId, amount }, refundRequest(orderId, amount, headers), (status, body) =>
      status === 409 && body.error.code === "PAYMENT_DISPUTED" ? {} : undefined,
    );
  await dispute.decide();
}

/** A buyer disputes the whole payment or half of it. The bank decides it, or has not yet when all ends. */
async function openDispute(client: Client, shop: Shop, { orderId, sessionId, total }: Bought) {
  const control = async (path: string, body: object): Promise<AnswerBody> => {
    const answer = await fetch(`${shop.paymentUrl}/sandbox/${path}`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    });
    return answer.ok ? await answer.json() : undefined;
  };
  const amount = pick([total, Math.ceil(total / 2)]);
  const opened = await shop.atProvider(client.name, "dispute.open", { orderId, amount }, async () => {
    const { payment_intents } = (await (await fetch(`${shop.paymentUrl}/sandbox/ledger`)).json()) as AnswerBody;
    const intent = payment_intents.find((candidate: AnswerBody) => candidate.checkout_session === sessionId);
    const dispute = await control("disputes", { payment_intent: intent.payment_intent, amount });
    return dispute && { disputeId: dispute.id as string };
  });
  if (!opened) return undefined;
  const { disputeId } = opened;
  return {
    amount,
    async decide(): Promise<void> {
      const status = pick(["won", "lost", undefined] as const);
      if (!status) return;
      await shop.atProvider(client.name, "dispute.close", { orderId, disputeId, status }, async () =>
        (await control(`disputes/${disputeId}/close`, { status })) ? {} : undefined,
      );
    },
  };
}

/** Ships one piece, then the others, and takes them back: all at once, or one, and the others later or never. */
async function deliver(client: Client, shop: Shop, order: Bought, headers: Record<string, string>): Promise<void> {
  const { orderId, productId, quantity } = order;
  const post = (path: string, body: object = {}, key = {}) => {
    const url = `/api/admin/orders/${orderId}/${path}`;
    const keyed = { ...headers, ...key };
    return { entry: "gateway", method: "POST", path: url, headers: keyed, body: JSON.stringify(body) } as const;
  };
  const ship = (pieces: number) => {
    const tracking = randomUUID();
    const lines = [{ productId, quantity: pieces }];
    return client.do(
      "ship",
      { orderId, tracking },
      post("shipments", { carrier: "UPS", trackingNumber: tracking, lines }),
      (status) => (status === 201 ? {} : undefined),
    );
  };
  await ship(1);
  if (quantity > 1) await ship(quantity - 1);
  const expected = await client.do(
    "return",
    { orderId, pieces: quantity },
    post("returns", { lines: [{ productId, quantity }] }),
    (status, body) => (status === 201 ? { returnId: body.data.returns.at(-1).returnId as string } : undefined),
  );
  if (!expected) return;
  const { returnId } = expected;
  const dispute = pick([true, false]) ? await openDispute(client, shop, order) : undefined;
  // A receipt of what is awaited is known again by its return, and one of named pieces by its key.
  const receive = (pieces: number, isPart: boolean) =>
    client.do(
      "return.receive",
      { orderId, returnId, pieces },
      isPart
        ? post(
            `returns/${returnId}/receipt`,
            { lines: [{ productId, quantity: pieces }] },
            { "idempotency-key": randomUUID() },
          )
        : post(`returns/${returnId}/receipt`),
      (status) => (status === 200 ? {} : undefined),
      "keyed",
    );
  const comesAtOnce = quantity === 1 || pick([true, false]);
  const received = comesAtOnce ? await receive(quantity, false) : await receive(1, true);
  if (received && !comesAtOnce) {
    if (pick([true, false])) await receive(quantity - 1, false);
    else
      await client.do(
        "return.cancel",
        { orderId, returnId },
        post(`returns/${returnId}/cancel`),
        (status) => (status === 200 ? {} : undefined),
        "keyed",
      );
  }
  await dispute?.decide();
}
