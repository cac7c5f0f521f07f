import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { ATTEMPTS, type Attempt } from "../../mixins/payment-provider/attempts.ts";
import { refundsOf, SHOP_MODE, startShop, type WantedRefund } from "./payment.shop.ts";
import { useStarted } from "../support/use-started.ts";

describe("Refunds at the provider", () => {
  const shop = useStarted(() => startShop({ mode: SHOP_MODE, services: [] }));
  /** Of two nodes, which meet in the store and at the provider alone. */
  let nodes: ReturnType<typeof refundsOf>[];

  beforeAll(async () => {
    nodes = [refundsOf(shop), refundsOf(shop)];
  });
  afterEach(() => shop.noFaults());

  async function wanted(amount = 500): Promise<WantedRefund> {
    const { id } = await shop.paidIntent(2_000);
    return { refundId: `ref_${ulid()}`, paymentIntentId: id, amount, reason: "requested_by_customer" };
  }
  const refund = (params: WantedRefund, node = 0) => nodes[node]!(params);
  const made = async ({ paymentIntentId }: WantedRefund) =>
    (await shop.stripe.refunds.list({ payment_intent: paymentIntentId })).data;

  it("pay once by refundId, however often they are asked for", async () => {
    const params = await wanted();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => refund(params, at % 2)));
    expect(new Set([...answers, await refund(params)]).size).toBe(1);
    expect(await made(params)).toMatchObject([
      { id: answers[0], amount: 500, metadata: { refundId: params.refundId, orderId: "ord_1" } },
    ]);
    await refund({ ...params, refundId: `ref_${ulid()}` });
    expect(await made(params)).toHaveLength(2);
  });

  it("pay once although the answers were lost", async () => {
    const params = await wanted();
    await shop.fault({ match: "POST /v1/refunds", status: 500, afterWork: true, times: 1 });
    await shop.fault({ match: "POST /v1/refunds", status: 500, times: 1 });
    await expect(refund(params)).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    const found = await refund(params);
    expect(await made(params)).toMatchObject([{ id: found }]);
  });

  it("pay once although the process died before it had written the answer", async () => {
    const params = await wanted();
    const first = await refund(params);
    await shop.documents
      .collection<Attempt>(ATTEMPTS)
      .updateOne({ _id: `refund:${params.refundId}` }, { $set: { state: "running" }, $unset: { resultId: true } });
    expect(await refund(params, 1)).toBe(first);
    expect(await made(params)).toHaveLength(1);
  });

  it("are tried again after they failed at the bank", async () => {
    const params = await wanted();
    const first = await refund(params);
    await shop.control(`/refunds/${first}/fail`, {});
    expect(await refund(params, 1)).not.toBe(first);
    expect((await made(params)).map(({ status }) => status).sort()).toEqual(["failed", "succeeded"]);
  });
});
