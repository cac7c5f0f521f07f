import { beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { buy } from "../support/buy.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, type Answer } from "../support/system.ts";
import { importParts } from "../support/requests.ts";
import { useSystem } from "../support/use-started.ts";

const system = useSystem();
/** A part of this run alone, beside others of the store. */
const number = String(Date.now()).slice(-9);
const part = {
  productId: `bns-9${number}`,
  partNumber: `9${number}`,
  title: "Analytics test filter",
  unitPrice: 20,
  quantity: 2,
};

beforeAll(async () => {
  const imported = await importParts(
    system,
    "bns",
    `part_number,title,list_price\n${part.partNumber},${part.title},20\n`,
  );
  expect(imported.status).toBe(200);
});

const ask = (path: string, entry: "analytics" | "gateway" = "analytics"): Promise<Answer> =>
  system.request(entry, "GET", `/api/analytics${path}`, { adminToken: ADMIN_TOKEN });
const read = async (path: string): Promise<Answer["body"]> => {
  const answer = await ask(path);
  expect(answer.status).toBe(200);
  return answer.body;
};
const sold = async (): Promise<{ productId: string; quantity: number; revenue: number } | undefined> =>
  (await read("/parts?limit=100&sort=quantity")).parts.find(
    ({ productId }: { productId: string }) => productId === part.productId,
  );

/** A saved cart, checked out and paid at the hosted page. */
async function buyCart(): Promise<string> {
  const cartId = `cart_${ulid()}`;
  expect((await system.request("payment", "POST", "/api/cart", { body: { cartId, items: [part] } })).status).toBe(201);
  return (await buy(system, { cartId, items: [part] })).orderId;
}

describe("/api/analytics", () => {
  it("counts an order that was paid, its cart and its part, and its cancellation", async () => {
    const before = await eventually(async () => {
      const overview = await read("/overview");
      return overview.behind === 0 && overview;
    }, 30_000);
    const orderId = await buyCart();
    await eventually(async () => (await sold())?.quantity === 2, 30_000);
    expect(await sold()).toMatchObject({ partNumber: part.partNumber, revenue: 40 });
    const after = await eventually(async () => {
      const overview = await read("/overview");
      return overview.behind === 0 && overview.conversion.carts.paid > before.conversion.carts.paid && overview;
    }, 30_000);
    expect(after.orders.totalOrders).toBeGreaterThan(before.orders.totalOrders);
    expect(after.revenue.revenue.gross).toBeGreaterThanOrEqual(before.revenue.revenue.gross + 40);
    for (const [figure, least] of [
      ["saved", 1],
      ["checkedOut", 1],
      ["paid", 1],
    ] as const) {
      expect(after.conversion.carts[figure]).toBeGreaterThanOrEqual(before.conversion.carts[figure] + least);
    }
    expect(new Date(after.as_of).getTime()).toBeGreaterThan(Date.now() - 120_000);

    const cancelled = await system.request("payment", "POST", `/api/orders/${orderId}/cancel`, {
      adminToken: ADMIN_TOKEN,
      body: {},
    });
    expect(cancelled.status).toBe(200);
    await eventually(async () => (await sold()) === undefined, 30_000);
  }, 120_000);
});
