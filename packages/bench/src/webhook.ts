/**
 * Paid webhooks, each delivered for the first time, to their complete orders: order, payment record, event, empty
 * carts. The sandboxes of payments and mails are in processes of their own, and send nothing themselves. Beside it: the
 * same events again, which change nothing, and how long after its order the mail of every twentieth was with the
 * sandbox's server. `npm run bench
 * -- webhook [EVENTS]`, 2,000 unless given. Aims: 150 a second with 32 at once, p99 under 400 ms, a mail begun within 2
 * s.
 */
import { setTimeout as delay } from "node:timers/promises";
import { startServer, stopServers } from "./support/child.ts";
import { untilAtRest } from "./support/at-rest.ts";
import { readProcessorSeconds } from "./support/split/processor.ts";
import { cartItem, newCartId, startShop, stripeSignature } from "./support/shop.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const EVENTS = Number(process.argv[2] ?? 2_000);
const AT_ONCE = 32;
/** Orders that come one after another before. */
const PACED = 400;
const PACED_A_SECOND = 40;
/** One in so many orders whose mail is looked at. */
const EVERY = 20;
const KEY = "sk_test_bench";
const SECRET = "whsec_bench";

const sandbox = await startServer("payment-sandbox", KEY);
const mailbox = await startServer("mailbox");
const provider = `http://127.0.0.1:${sandbox.port}`;
const { system, hits } = await startShop({
  STRIPE_SECRET_KEY: KEY,
  STRIPE_API_BASE: provider,
  STRIPE_WEBHOOK_SECRET: SECRET,
  SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
  MAIL_FROM: "shop@partline.example",
});

await atOnce(
  Array.from({ length: EVENTS }, (_, index) => index),
  async (index) => {
    const items = [cartItem(hits[index % hits.length]!, 2)];
    const cartId = newCartId();
    await system.request("payment", "POST", "/api/cart", { body: { cartId, items } });
    const opened = await system.request("payment", "POST", "/api/checkout/session", { body: { cartId, items } });
    const { data } = opened.body as { data: { url: string } };
    // The page's first form, as it stands.
    const paid = await fetch(data.url, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
    if (paid.status !== 303) throw new Error(`The hosted page answered ${paid.status}`);
  },
);
const events = await completedEvents();
await untilAtRest(system.url("gateway"));

// As on a good day of a large shop: so many a second, one after another.
const paced = events.splice(0, PACED);
for (const event of paced) {
  const nextTurn = delay(1_000 / PACED_A_SECOND);
  await deliverAll([event]);
  await nextTurn;
}
const first = await deliverAll(events);
const secondTimes = await deliverAll(events);
const { body } = await system.request("payment", "GET", "/api/admin/orders?pageSize=1", {
  adminToken: system.env.ADMIN_TOKEN,
});
const orders = (body as { data: { pagination: { total: number } } }).data.pagination.total;
printTable(
  `${events.length} paid webhooks, ${AT_ONCE} at once (aims: 150 a second, p99 under 400 ms, an order for each: ${orders})`,
  ["", "a second", "p50 ms", "p99 ms", "failed", "processor ms each"],
  [
    ["delivered for the first time", ...first],
    ["delivered again", ...secondTimes],
  ],
);
const steady = await mailDelays(EVERY, paced.length);
const busy = await mailDelays(paced.length + EVERY, orders);
printTable(
  "The confirmation of every twentieth order, from the order to the mail server (aim: within 2,000 ms)",
  ["", "mails", "p50 ms", "p99 ms"],
  [
    [`${PACED_A_SECOND} orders a second`, steady.length, percentile(steady, 0.5), percentile(steady, 0.99)],
    [`${AT_ONCE} webhooks at once`, busy.length, percentile(busy, 0.5), percentile(busy, 0.99)],
  ],
);
await system.stop();
stopServers();
const [perSecond = 0, , p99 = Infinity, failed = 1] = first;
if (perSecond < 150 || p99 >= 400 || failed > 0 || orders !== EVENTS || percentile(steady, 0.99) >= 2_000)
  process.exitCode = 1;

/** @returns a second, p50 and p99 in milliseconds, failed, the server's processor time in milliseconds of each */
async function deliverAll(bodies: readonly string[]): Promise<number[]> {
  const { pid } = system.processes[0]!;
  const processorBefore = readProcessorSeconds(pid!);
  const milliseconds: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  await atOnce(bodies, async (event) => {
    const startedAt = performance.now();
    const answer = await fetch(`${system.url("payment")}/webhooks/stripe`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": stripeSignature(event, SECRET) },
      body: event,
    });
    await answer.arrayBuffer();
    if (!answer.ok) failures += 1;
    milliseconds.push(performance.now() - startedAt);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(milliseconds).sort();
  const processorMs = (1_000 * (readProcessorSeconds(pid!) - processorBefore)) / bodies.length;
  return [bodies.length / seconds, percentile(sorted, 0.5), percentile(sorted, 0.99), failures, processorMs];
}

/**
 * Returns the milliseconds in ascending order, of orders from the first to the last number; waits for mails that are
 * not sent yet.
 */
async function mailDelays(from: number, to: number): Promise<Float64Array> {
  const asAdmin = { adminToken: system.env.ADMIN_TOKEN };
  const delays: number[] = [];
  for (let page = from; page <= to; page += EVERY) {
    const path = `/api/admin/orders?sort=oldest&pageSize=1&page=${page}`;
    const { body } = await system.request("payment", "GET", path, asAdmin);
    const { orderId, createdAt } = (body as { data: { orders: [{ orderId: string; createdAt: string }] } }).data
      .orders[0];
    for (let sentAt: string | undefined; sentAt === undefined;) {
      const listed = await system.request("payment", "GET", `/api/admin/orders/${orderId}/mails`, asAdmin);
      sentAt = (listed.body as { data: { mails: [{ sentAt?: string }] } }).data.mails[0].sentAt;
      if (sentAt !== undefined) delays.push(Date.parse(sentAt) - Date.parse(createdAt));
    }
  }
  return Float64Array.from(delays).sort();
}

async function completedEvents(): Promise<string[]> {
  const orderIds: string[] = [];
  for (let after = ""; ;) {
    const query = `type=checkout.session.completed&limit=100${after}`;
    const headers = { Authorization: `Bearer ${KEY}` };
    const page = (await (await fetch(`${provider}/v1/events?${query}`, { headers })).json()) as {
      data: { id: string }[];
      has_more: boolean;
    };
    orderIds.push(...page.data.map((event) => JSON.stringify(event)));
    if (!page.has_more) return orderIds;
    after = `&starting_after=${page.data.at(-1)!.id}`;
  }
}

async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
