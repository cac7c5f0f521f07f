import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { sentCartItemRule } from "../../services/shared/commerce.ts";
import {
  addLine,
  MAX_QUANTITY,
  mergeLines,
  replaceLine,
  setQuantity,
  takeBought,
  toLines,
  type LineInput,
} from "../../services/cart/lines.ts";
import { LINE_COUNT } from "../../services/shared/commerce.ts";
import type { Line } from "../../services/cart/collections.ts";
import { HIT_ATTRIBUTES } from "@partline/instantsearch";
import { partPreviewRule } from "../../services/search/resources.ts";

function line(productId: string, quantity = 1, more: Partial<Line> = {}): Line {
  return { productId, partNumber: `PN-${productId}`, title: `Part ${productId}`, quantity, unitPrice: 1_250, ...more };
}

const fullCart = Array.from({ length: LINE_COUNT.max }, (_, index) => line(`p${index}`));

const productIds = fc.constantFrom("a", "b", "c.d", "e/f", "$g", "__proto__", "constructor", "");
const lines = fc
  .uniqueArray(productIds, { maxLength: 8 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.integer({ min: 1, max: MAX_QUANTITY }).map((quantity) => line(id, quantity)))),
  );

function quantityOf(cart: readonly Line[], productId: string): number {
  return cart.find((each) => each.productId === productId)?.quantity ?? 0;
}

describe("The lines that a client sends", () => {
  const item = (productId: string, quantity: number, unitPrice: number): LineInput => ({
    ...line(productId, quantity),
    unitPrice,
  });

  it("are kept in cents, without a currency, in their order", () => {
    expect(toLines([{ ...item("b", 1, 19.99), currency: "EUR" }, item("a", 2, 0.01)])).toEqual([
      line("b", 1, { unitPrice: 1_999 }),
      line("a", 2, { unitPrice: 1 }),
    ]);
  });

  it("have no picture where a search hit has none", () => {
    expect(toLines([{ ...item("a", 1, 12.5), imageUrl: null }])).toEqual([line("a")]);
    expect(toLines([{ ...item("a", 1, 12.5), imageUrl: "https://x.example/a.webp" }])[0]).toHaveProperty(
      "imageUrl",
      "https://x.example/a.webp",
    );
  });

  it("become one line a product when the price is the same", () => {
    expect(toLines([item("a", 2, 12.5), item("b", 1, 12.5), item("a", 3, 12.5)])).toEqual([line("a", 5), line("b", 1)]);
  });

  it("are refused with one product at two prices, or too many of it over all its lines", () => {
    expect(() => toLines([item("a", 1, 12.5), item("a", 1, 12.51)])).toThrow("The 'items[1].unitPrice' field");
    expect(() => toLines([item("a", MAX_QUANTITY, 12.5), item("a", 1, 12.5)])).toThrow("The 'items[1].quantity' field");
  });

  it("leave what was sent as it was", () => {
    const sent = Object.freeze([Object.freeze(item("a", 1, 12.5)), Object.freeze(item("a", 1, 12.5))]);
    expect(toLines(sent)[0]!.quantity).toBe(2);
  });
});

describe("Adding a line", () => {
  it("adds to the line of the same product, which keeps its place and takes what the shopper saw last", () => {
    const added = line("a", 3, { unitPrice: 999, title: "New title" });
    expect(addLine([line("a", 2), line("b")], added)).toEqual([{ ...added, quantity: 5 }, line("b")]);
  });

  it("refuses the 10,000th of a product, naming the quantity", () => {
    expect(() => addLine([line("a", MAX_QUANTITY)], line("a"))).toThrow("The 'item.quantity' field");
    expect(addLine([line("a", MAX_QUANTITY - 1)], line("a"))).toEqual([line("a", MAX_QUANTITY)]);
  });

  it("refuses the 101st line, but not more of a product that has one", () => {
    expect(() => addLine(fullCart, line("new"))).toThrow("at most 100 lines");
    expect(addLine(fullCart, line("p99"))).toHaveLength(LINE_COUNT.max);
  });
});

describe("Setting a quantity", () => {
  it("changes that line alone", () => {
    expect(setQuantity([line("a"), line("b")], "a", 7)).toEqual([line("a", 7), line("b")]);
  });

  it("removes the line with 0, also when it is gone already", () => {
    expect(setQuantity([line("a"), line("b")], "a", 0)).toEqual([line("b")]);
    expect(setQuantity([line("b")], "a", 0)).toEqual([line("b")]);
  });
});

describe("Replacing a line", () => {
  const { quantity: _quantity, ...successor } = line("new");

  it("puts the successor in its place, with its quantity", () => {
    expect(replaceLine([line("a"), line("old", 3), line("b")], "old", successor)).toEqual([
      line("a"),
      line("new", 3),
      line("b"),
    ]);
    expect(replaceLine([line("new", 3)], "new", successor)).toEqual([line("new", 3)]);
  });

  it("adds up what the cart has of the successor, at most 9,999", () => {
    expect(replaceLine([line("new", 2), line("old", 3)], "old", successor)).toEqual([line("new", 5)]);
    expect(() => replaceLine([line("new", 2), line("old", MAX_QUANTITY)], "old", successor)).toThrow(
      "The 'productId' field",
    );
    expect(() => replaceLine([line("a")], "old", successor)).toThrow("Cart item not found");
  });
});

describe("Moving a guest's lines into a user's cart", () => {
  it("keeps the user's lines and takes new ones while they fit into 100", () => {
    const merged = mergeLines(fullCart.slice(1), [line("x"), line("y"), line("p1", 4)]);
    expect(merged.map((each) => each.productId)).toEqual([...fullCart.slice(1).map((each) => each.productId), "x"]);
    expect(quantityOf(merged, "p1")).toBe(5);
  });

  it("gives every product the sum of both, for any id", () => {
    fc.assert(
      fc.property(lines, lines, (user, guest) => {
        const merged = mergeLines(user, guest);
        const ids = new Set([...user, ...guest].map((each) => each.productId));
        expect(merged.map((each) => each.productId).sort()).toEqual([...ids].sort());
        for (const id of ids)
          expect(quantityOf(merged, id)).toBe(Math.min(quantityOf(user, id) + quantityOf(guest, id), MAX_QUANTITY));
      }),
    );
  });
});

describe("Taking what was bought out of a cart", () => {
  const OPENED = 1_000;
  const dated = lines.chain((cart) =>
    fc.tuple(
      ...cart.map((each) => fc.constantFrom(undefined, 1, OPENED, 2_000).map((addedAt) => ({ ...each, addedAt }))),
    ),
  );

  it("takes the quantities of lines that were there when the checkout was opened, and nothing else", () => {
    fc.assert(
      fc.property(dated, lines, (cart, sold) => {
        const bought = new Map(sold.map(({ productId, quantity }) => [productId, quantity]));
        const left = takeBought(cart, bought, OPENED) ?? cart;
        const taken = ({ productId, quantity, addedAt = 0 }: Line): number =>
          addedAt > OPENED ? 0 : Math.min(quantity, quantityOf(sold, productId));
        expect(left).toEqual(
          cart.flatMap((each) => {
            const quantity = each.quantity - taken(each);
            return quantity === 0 ? [] : [{ ...each, quantity }];
          }),
        );
        for (const each of cart)
          expect(bought.get(each.productId) ?? 0).toBe(quantityOf(sold, each.productId) - taken(each));
      }),
    );
  });
});

describe("Any run of adds, sets and removals", () => {
  type Step = { kind: "add" | "set"; productId: string; quantity: number };
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.record({
      kind: fc.constantFrom("add", "set"),
      productId: productIds,
      quantity: fc.integer({ min: 0, max: 5_000 }),
    }),
    { maxLength: 60 },
  );

  it("leaves what a plain ledger of quantities says, one line a product, and refuses only what it must", () => {
    fc.assert(
      fc.property(steps, (run) => {
        const ledger = new Map<string, number>();
        let cart: Line[] = [];
        for (const { kind, productId, quantity } of run) {
          const had = ledger.get(productId) ?? 0;
          const wanted = kind === "add" ? had + quantity : quantity;
          const allowed = kind === "add" ? quantity > 0 && wanted <= MAX_QUANTITY : had > 0 || quantity === 0;
          if (kind === "add" && quantity === 0) continue;
          const step = (): Line[] =>
            kind === "add" ? addLine(cart, line(productId, quantity)) : setQuantity(cart, productId, quantity);
          if (!allowed) {
            expect(step).toThrow();
            continue;
          }
          cart = step();
          if (wanted === 0) ledger.delete(productId);
          else ledger.set(productId, wanted);
        }
        expect(new Map(cart.map((each) => [each.productId, each.quantity]))).toEqual(ledger);
        expect(cart).toHaveLength(ledger.size);
      }),
    );
  });
});

it("a cart item may have every field of a search hit", () => {
  const taken = Object.keys(sentCartItemRule.props);
  expect([...Object.keys(partPreviewRule.props), ...HIT_ATTRIBUTES].filter((field) => !taken.includes(field))).toEqual(
    [],
  );
});
