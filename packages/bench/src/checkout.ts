/**
 * 200 carts checked out, paid and webhooked at once, each webhook delivered three times: 200 orders, each with one
 * payment and one number. Beside it: the same checkouts one after another.
 */
import { checkOutAndPay, findOrder, startShop } from "./support/shop.ts";
import { printTable } from "./support/table.ts";

const CARTS = 200;
const { system, hits } = await startShop();
const part = (index: number) => hits[index % hits.length]!;

const oneByOneAt = performance.now();
for (let index = 0; index < 20; index++) await findOrder(system, (await checkOutAndPay(system, part(index))).sessionId);
const oneByOne = (performance.now() - oneByOneAt) / 20;

const startedAt = performance.now();
const sessions = await Promise.all(Array.from({ length: CARTS }, (_, index) => checkOutAndPay(system, part(index))));
const paidAfter = performance.now() - startedAt;
const events = await completedEvents();
await Promise.all(
  events.flatMap((id) =>
    [1, 2].map(() => fetch(`${system.sandboxUrl("payment")}/sandbox/events/${id}/deliver`, { method: "POST" })),
  ),
);
const orders = await Promise.all(sessions.map(({ sessionId }) => findOrder(system, sessionId)));
const doneAfter = performance.now() - startedAt;
const { body } = await system.request("payment", "GET", "/api/admin/orders?pageSize=1", {
  adminToken: system.env.ADMIN_TOKEN,
});
const total = (body as { data: { pagination: { total: number } } }).data.pagination.total;

printTable(
  `Checkout of ${CARTS} carts at once, each webhook delivered three times (aim: ${CARTS} orders)`,
  ["", "value"],
  [
    ["orders made for them", new Set(orders.map((order) => order.orderId)).size],
    ["different order numbers", new Set(orders.map((order) => order.orderNumber)).size],
    ["orders in the shop beyond the first 20", total - 20],
    ["all paid after, ms", paidAfter],
    ["all orders there after, ms", doneAfter],
    ["a checkout at once, ms of its share", doneAfter / CARTS],
    ["a checkout one after another, ms", oneByOne],
  ],
);
await system.stop();

async function completedEvents(): Promise<string[]> {
  const ids: string[] = [];
  let after = "";
  for (;;) {
    const response = await fetch(
      `${system.sandboxUrl("payment")}/v1/events?type=checkout.session.completed&limit=100${after}`,
      {
        headers: { Authorization: "Bearer sk_test_partline_sandbox" },
      },
    );
    const { data, has_more } = (await response.json()) as { data: { id: string }[]; has_more: boolean };
    ids.push(...data.map(({ id }) => id));
    if (!has_more) return ids;
    after = `&starting_after=${ids.at(-1)}`;
  }
}
