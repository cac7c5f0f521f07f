import { expect, test } from "@jest/globals";
import { readHistory } from "../../services/order/listing.ts";

test("an order's history has all of its events, though the pages of large ones are short", async () => {
  const stored = [3, 1, 2, 4].map((version, index) => ({
    event_id: `e${index}`,
    position: index + 10,
    aggregate_id: "ord_1",
    aggregate_type: "order",
    version: index + 1,
    event_type: "ORDER_UPDATED",
    data: { version },
    metadata: {},
    timestamp: new Date(index),
  }));
  const history = await readHistory("ord_1", ({ after_version = 0 }) =>
    Promise.resolve({ events: stored.filter(({ version }) => version > after_version).slice(0, 3) }),
  );
  expect(history.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
});
