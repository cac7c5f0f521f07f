import { expect, test } from "@jest/globals";
import type { ChannelEvent } from "../../packages/durable/src/channels/port.ts";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { CHANNELS, contracts } from "../../services/all-contracts.ts";
import { toRecordedEvents } from "../../services/eventstore/recorded.ts";
import { createReserved } from "../../services/eventstore/reserved.ts";
import { orderIdRule } from "../../services/order/resources.ts";

const { assertIdNotReserved, assertNotReserved } = createReserved(CHANNELS);
const at = "2026-01-01T00:00:00Z";
const eventOf = (channel: string, payload: object): ChannelEvent =>
  ({ v: 1, channel, event_id: "e1", occurred_at: new Date(at), payload }) as unknown as ChannelEvent;

test.each([
  ["order.created", { orderId: orderIdRule.example }, orderIdRule.example],
  ["checkout.started", { sessionId: "cs_live_1", paymentIntentId: null }, "cs_live_1"],
  ["checkout.started", { sessionId: null, paymentIntentId: "pi_1" }, "pi_1"],
  ["cart.saved", { carts: [{ cartId: "mine", saved_at: at }] }, "cart_mine"],
  ["cart.saved", { carts: [{ cartId: "cart_mine", saved_at: at }] }, "cart_mine"],
  ["catalog.synced", { vendor: "KMT" }, "vendor_KMT"],
  ["search.performed", { searches: [{ searched_at: at }] }, "search_e1-0"],
  ["document.created", { sha256: "a".repeat(64) }, `manual_${"a".repeat(64)}`],
])("nobody else records anything under an id that %s is recorded under", (channel, payload, aggregateId) => {
  const recorded = toRecordedEvents(CHANNELS, eventOf(channel, payload));
  expect(recorded.map(({ aggregate_id }) => aggregate_id)).toEqual([aggregateId]);
  expect(() => assertIdNotReserved("aggregate_id", aggregateId)).toThrow(/must not begin with/);
});

test("each of many in one event is an event of its own, at its own time and without it", () => {
  const carts = [1, 2].map((items) => ({ cartId: `cart_${items}`, items, saved_at: at }));
  expect(toRecordedEvents(CHANNELS, { ...eventOf("cart.saved", { carts }), occurred_at: new Date() })).toMatchObject(
    [1, 2].map((items) => ({
      event_id: `e1-${items - 1}`,
      event_type: "CART_SAVED",
      timestamp: new Date(at),
      data: { cartId: `cart_${items}`, items },
    })),
  );
});

test("what is not recorded is reserved all the same", () => {
  expect(toRecordedEvents(CHANNELS, eventOf("user.deleted", { userId: "u" }))).toEqual([]);
  const event = { event_id: "e1", event_type: "USER_DELETED", aggregate_type: "mine", aggregate_id: "mine_1" };
  expect(() => assertNotReserved(event)).toThrow(/must not be USER_DELETED/);
});

test.each(["order.created:ord_1", "checkout.started:cs_1", "catalog.synced:1", "manual_aa11", "user.deleted:u"])(
  "nobody else takes the event id %s, under which an event of the system would be known",
  (event_id) => {
    const event = { event_id, event_type: "MACHINE_SERVICED", aggregate_type: "machine", aggregate_id: "machine_1" };
    expect(() => assertNotReserved(event)).toThrow(/'event_id' field must not begin with/);
    expect(() => assertNotReserved({ ...event, event_id: `mine-${event_id}` })).not.toThrow();
  },
);

test("what a contract says of recording names fields that the event has", () => {
  const definitions = (contracts as readonly ServiceContract[]).flatMap(({ channels = {} }) =>
    Object.entries(channels),
  );
  expect(definitions.length).toBe(CHANNELS.size);
  for (const [channel, { payload, recorded }] of definitions) {
    if (!recorded) continue;
    const list = recorded.each && payload[recorded.each.list];
    const item = list?.type === "array" && list.items.type === "object" ? list.items.props : undefined;
    const named = [...(recorded.id ?? []), ...(recorded.each ? [recorded.each.at] : [])];
    expect([channel, Object.keys(recorded.each ? item! : payload)]).toEqual([channel, expect.arrayContaining(named)]);
  }
});
