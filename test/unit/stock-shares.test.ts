import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { assignStock } from "@partline/toolkit/pure";
import { computeInStock } from "../../services/catalog/stock.ts";

test("no piece is promised twice, and none stays unsold, by any callers in any order, again or for more", () => {
  const asks = fc.array(fc.record({ who: fc.nat({ max: 5 }), quantity: fc.integer({ min: 1, max: 9 }) }));
  fc.assert(
    fc.property(fc.nat({ max: 20 }), asks, (onHand, requests) => {
      const held = new Map<number, { quantity: number; inStock: number }>();
      const total = (what: "quantity" | "inStock", but?: number) =>
        [...held].reduce((sum, [who, hold]) => sum + (who === but ? 0 : hold[what]), 0);
      for (const { who, quantity } of requests) {
        const own = held.get(who) ?? { quantity: 0, inStock: 0 };
        const inStock = computeInStock(quantity, onHand, total("quantity", who), own.inStock);
        expect(inStock).toBeGreaterThanOrEqual(Math.min(quantity, own.inStock));
        held.set(who, {
          quantity: Math.max(own.quantity, quantity),
          inStock: Math.max(own.inStock, inStock),
        });
        expect(total("inStock")).toBeLessThanOrEqual(onHand);
      }
      expect(total("inStock")).toBe(Math.min(onHand, total("quantity")));
    }),
  );
});

test("lines of one part share what is in stock", () => {
  const claims = [2, 3, 1].map((quantity): [string, number] => ["a", quantity]);
  expect(assignStock([...claims, ["b", 1]], new Map([["a", 4]]))).toEqual([2, 2, 0, undefined]);
});
