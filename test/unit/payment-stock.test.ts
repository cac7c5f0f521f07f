import { expect, test } from "@jest/globals";
import { PartlineError } from "../../mixins/errors.ts";
import { holdAtPayment } from "../../services/payment/catalog.ts";
import type { Line } from "../../services/payment/purchase.ts";

const items: Line[] = [
  { productId: "a-1", partNumber: "1", name: "Belt", quantity: 3, price: 100, backordered: 1, backorderDays: 5 },
  { productId: "a-2", partNumber: "2", name: "Plug", quantity: 2, price: 100, backordered: 0 },
];
/** Ran out while the shopper paid. */
const hold = { key: "cart:1", until: Date.now() - 1 };

/** @param failures what the catalog throws, one call after another */
async function holdPaid({ mayFail, failure }: { mayFail: boolean; failure: Error }) {
  const logged: unknown[] = [];
  const note = (facts: unknown): unknown => logged.push(facts);
  const from = { call: () => Promise.reject(failure) } as unknown as Parameters<typeof holdAtPayment>[0];
  const held = await holdAtPayment(
    from,
    { items, hold },
    {
      paymentKey: "cs_1",
      isOrdered: () => Promise.resolve(false),
      coveredByOthers: () => Promise.resolve([]),
      mayFail,
      logger: { warn: note, error: note } as unknown as Parameters<typeof holdAtPayment>[2]["logger"],
    },
  );
  return { held, logged };
}

test.each([new PartlineError("TIMEOUT", "No answer in time"), new TypeError("a bug")])(
  "a catalog that fails with %s looks like no backorder: it is asked again, then the lines are as the shopper saw them",
  async (failure) => {
    await expect(holdPaid({ mayFail: true, failure })).rejects.toBe(failure);
    const { held, logged } = await holdPaid({ mayFail: false, failure });
    expect(held).toEqual({ items, hold, stockUnconfirmed: true });
    expect(logged).toMatchObject([{ paymentKey: "cs_1", err: failure }]);
  },
);
