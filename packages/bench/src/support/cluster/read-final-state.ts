import type { EntryPoint } from "../../../../../broker/contract/define.ts";
import { eventually } from "../../../../../test/support/eventually.ts";
import type { Gateway } from "./balancer.ts";
import { cents, type AnswerBody } from "./clients/client.ts";
import { sumQuantities } from "./clients/shopper.ts";
import type { FinalEvent, FinalMail, FinalManual, FinalOrder, FinalPayment, FinalState } from "./final-state.ts";
import { ofType, type Operation } from "./history.ts";
import type { Receiver } from "./receiver.ts";

export interface Readable {
  gateway: Gateway;
  paymentSandboxUrl: string;
  adminToken: string;
  receiver: Receiver;
}

const AT_ONCE = 8;
/** Longest wait for one answer. */
const READ_WITHIN_MS = 15_000;

/**
 * Waits until what is under way has ended (webhooks delivered, events recorded, manuals read, refunds made), at most
 * `withinMs`, and then says how things stand, whether or not all has ended.
 */
export async function readFinalState(
  system: Readable,
  operations: readonly Operation[],
  withinMs: number,
): Promise<FinalState> {
  const deadline = Date.now() + withinMs;
  let cursor = "";
  for (;;) {
    const state = await readState(system, operations);
    const unfinished = unfinishedIn(state);
    const now = JSON.stringify(state);
    // Twice the same: nothing is on its way any more.
    if ((unfinished.length === 0 && now === cursor) || Date.now() > deadline) return { ...state, unfinished };
    cursor = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

type Standing = Omit<FinalState, "unfinished">;

function unfinishedIn({ orders, payments, events, manuals, savedCarts, mails, webhooks }: Standing): string[] {
  const disputed = new Map(payments.map((payment) => [payment.sessionId, payment.disputed]));
  const ordered = new Set(orders.map(({ sessionId }) => sessionId));
  const counts = new Map<string, number>();
  for (const { aggregateId } of events) counts.set(aggregateId, (counts.get(aggregateId) ?? 0) + 1);
  const announcedIds = new Set(webhooks.received.map(({ orderId }) => orderId));
  return [
    ...orders.filter(({ orderId }) => !announcedIds.has(orderId)).map(({ orderId }) => orderId),
    ...payments
      .filter(({ received, sessionId }) => received > 0 && !ordered.has(sessionId))
      .map(({ sessionId }) => sessionId ?? ""),
    ...orders.filter(({ orderId, version }) => (counts.get(orderId) ?? 0) < version).map(({ orderId }) => orderId),
    ...orders.filter(({ refunds }) => refunds.some(({ status }) => status === "pending")).map(({ orderId }) => orderId),
    ...orders.filter((order) => order.disputed !== (disputed.get(order.sessionId) ?? 0)).map(({ orderId }) => orderId),
    ...orders.filter(({ cartId }) => cartId !== null && (savedCarts[cartId] ?? 0) > 0).map(({ orderId }) => orderId),
    ...Object.entries(mails)
      .filter(
        ([, orderMails]) =>
          !orderMails.some(({ kind }) => kind === "confirmation") ||
          orderMails.some(({ state }) => state === "waiting"),
      )
      .map(([orderId]) => orderId),
    ...Object.entries(manuals)
      .filter(([, { status }]) => status === "queued" || status === "processing")
      .map(([batchId]) => batchId),
  ];
}

async function readState(system: Readable, operations: readonly Operation[]): Promise<Standing> {
  const sessions = new Set(ofType(operations, "cart.add").map(({ input }) => input.sessionId));
  const carts = new Set(ofType(operations, "cart.save").map(({ input }) => input.cartId));
  const batches = new Set(ofType(operations, "manual.upload").flatMap(({ output }) => output?.batchId ?? []));
  const orders = await readOrders(system);
  const [events, payments, revenue, ownCarts, savedCarts, manuals, mails, webhooks] = await Promise.all([
    readEvents(system),
    readPayments(system),
    readRevenue(system),
    readEach(sessions, async (sessionId) =>
      sumQuantities((await read(system, "cart", "/api/cart", { "x-session-id": sessionId })).data.items),
    ),
    readEach(carts, async (cartId) => {
      const body = await read(system, "gateway", `/api/cart/${cartId}`, {}, [200, 404]);
      return body.success ? sumQuantities(body.data.items) : null;
    }),
    readEach(batches, (batchId) => readManual(system, batchId)),
    readEach(new Set(orders.map(({ orderId }) => orderId)), (orderId) => readMails(system, orderId)),
    system.receiver.notes(),
  ]);
  return { orders, events, payments, revenue, ownCarts, savedCarts, manuals, mails, webhooks };
}

async function readOrders(system: Readable): Promise<FinalOrder[]> {
  const admin = { "x-admin-token": system.adminToken };
  const orders: FinalOrder[] = [];
  for (let page = 1; ; page++) {
    const { data } = await read(system, "gateway", `/api/admin/orders?sort=oldest&pageSize=100&page=${page}`, admin);
    for (const order of data.orders) {
      orders.push({
        orderId: order.orderId,
        orderNumber: order.orderNumber,
        sessionId: order.sessionId,
        cartId: order.cartId,
        status: order.status,
        paymentStatus: order.paymentStatus,
        total: cents(order.total),
        shipping: cents(order.shipping),
        refunded: cents(order.refundedAmount),
        disputed: cents(order.disputedAmount ?? 0),
        underpaid: order.shippingUnderpaid ? cents(order.shippingUnderpaid.amount) : null,
        shipsTo: order.shippingAddress?.state ?? null,
        version: order.version,
        refunds: order.refunds.map(({ refundId, amount, status, returnId }: FinalOrder["refunds"][number]) => ({
          refundId,
          amount: cents(amount),
          status,
          returnId,
        })),
        disputes: order.disputes.map(({ disputeId, amount, status }: FinalOrder["disputes"][number]) => ({
          disputeId,
          amount: cents(amount),
          status,
        })),
        quantity: sumQuantities(order.items),
        shipments: (order.shipments ?? []).map(({ trackingNumber, items }: AnswerBody) => ({
          tracking: trackingNumber,
          quantity: sumQuantities(items),
        })),
        returned: order.items.reduce((sum: number, { quantities }: AnswerBody) => sum + quantities.returned, 0),
        returns: (order.returns ?? []).map(({ returnId, items, received, awaited, cancelledAt }: AnswerBody) => ({
          returnId,
          announced: sumQuantities(items),
          received: sumQuantities(received),
          awaited: sumQuantities(awaited),
          isCalledOff: cancelledAt !== undefined,
        })),
      });
    }
    if (page >= data.pagination.totalPages) return orders;
  }
}

async function readEvents(system: Readable): Promise<FinalEvent[]> {
  const events: FinalEvent[] = [];
  for (;;) {
    const { events: page } = await read(
      system,
      "eventstore",
      `/events?limit=1000&after=${events.at(-1)?.position ?? 0}`,
    );
    if (page.length === 0) return events;
    for (const event of page) {
      events.push({
        eventId: event.event_id,
        position: event.position,
        aggregateId: event.aggregate_id,
        aggregateType: event.aggregate_type,
        version: event.version,
        eventType: event.event_type,
        ...(event.aggregate_type === "order" && typeof event.data.version === "number"
          ? { orderVersion: event.data.version }
          : {}),
        ...(event.aggregate_type === "order" ? underpaidIn(event.data) : {}),
      });
    }
  }
}

function underpaidIn({ shippingUnderpaid, changed }: AnswerBody): Pick<FinalEvent, "underpaid"> {
  if (shippingUnderpaid) return { underpaid: shippingUnderpaid.amount };
  return changed?.includes("shippingUnderpaid") ? { underpaid: null } : {};
}

async function readRevenue(system: Readable): Promise<FinalState["revenue"]> {
  const { data } = await read(system, "gateway", "/api/admin/orders/stats", { "x-admin-token": system.adminToken });
  const { gross, refunded, disputed, net } = data.revenue;
  return { gross: cents(gross), refunded: cents(refunded), disputed: cents(disputed), net: cents(net) };
}

async function readPayments({ paymentSandboxUrl }: Readable): Promise<FinalPayment[]> {
  const answer = await fetch(`${paymentSandboxUrl}/sandbox/ledger`);
  const { payment_intents } = (await answer.json()) as AnswerBody;
  return payment_intents.map((intent: AnswerBody) => ({
    sessionId: intent.checkout_session,
    cartId: intent.metadata?.partline_cartId ?? null,
    received: intent.amount_received,
    refunded: intent.amount_refunded,
    disputed: intent.amount_disputed,
  }));
}

async function readManual(system: Readable, batchId: string): Promise<FinalManual> {
  const { status, files } = await read(system, "pipeline", `/api/jobs/${batchId}`);
  return { status, sha256: files[0].sha256, parts: files[0].parts };
}

async function readMails(system: Readable, orderId: string): Promise<FinalMail[]> {
  const headers = { "x-admin-token": system.adminToken };
  const { data } = await read(system, "gateway", `/api/admin/orders/${orderId}/mails`, headers);
  return data.mails.map(({ kind, state }: AnswerBody) => ({ kind, state }));
}

async function readEach<T>(
  keys: ReadonlySet<string>,
  readOne: (key: string) => Promise<T>,
): Promise<Record<string, T>> {
  const left = [...keys].entries();
  const entries: [key: string, value: T][] = [];
  const lane = async (): Promise<void> => {
    for (const [index, key] of left) entries[index] = [key, await readOne(key)];
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // In the order of the keys, not of the answers.
  return Object.fromEntries(entries);
}

/** Until it is answered: what is read at the end must be read. */
function read(
  { gateway }: Readable,
  entry: EntryPoint,
  path: string,
  headers: Record<string, string> = {},
  statuses = [200],
): Promise<AnswerBody> {
  return eventually(async () => {
    const answer = await fetch(`${gateway.url(entry)}${path}`, {
      headers,
      signal: AbortSignal.timeout(READ_WITHIN_MS),
    });
    const text = await answer.text();
    if (!statuses.includes(answer.status)) throw new Error(`GET ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as object;
  }, 60_000);
}
