import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { OrderStats } from "../../services/order/stats.ts";
import { conversionProjection, FUNNEL_HOURS, toConversionFigures } from "../../services/analytics/conversion.ts";
import { addCounters, type Counters } from "../../services/analytics/counters.ts";
import {
  ORDER_HOURS,
  ordersProjection,
  PART_HOURS,
  type PartsHour,
  toOrderFigures,
  toRevenueFigures,
  sumSoldParts,
} from "../../services/analytics/orders.ts";
import { toHour } from "../../services/analytics/hours.ts";
import {
  applyCounts,
  normalizeText,
  SEARCH_HOURS,
  searchesProjection,
  type SearchHour,
  sumSearchHours,
} from "../../services/analytics/searches.ts";
import { LONGEST_TEXT, MOST_TEXTS_A_PERIOD, MOST_TEXTS_AN_HOUR } from "../../services/analytics/resources.ts";
import type { Sum } from "../../services/analytics/period.ts";
import { batchesOf, lives, recorded, type Life } from "./analytics.lives.ts";
import { counted, rowsOfTable, storedEvent } from "./analytics.support.ts";
import { ANY_CHARACTER } from "../support/any-character.ts";

const sumOfRows = (rows: readonly [hour: string, row: Counters][]): Counters =>
  rows.reduce<Counters>((sum, [, row]) => addCounters(sum, row), {});
const ordersOf = (rows: Map<string, object>): Counters => sumOfRows(rowsOfTable<Counters>(rows, ORDER_HOURS));
const topParts = (rows: Map<string, object>, limit: number) =>
  summed(sumSoldParts(), rowsOfTable<PartsHour>(rows, PART_HOURS)).listTop(limit);
const funnelOf = (rows: Map<string, object>): Counters => sumOfRows(rowsOfTable<Counters>(rows, FUNNEL_HOURS));

function summed<Row, S extends Sum<Row>>(sum: S, rows: readonly [hour: string, row: Row][]): S {
  for (const [hour, row] of rows) sum.add(hour, row);
  return sum;
}

const livesAndRecord = lives.chain((all) =>
  fc.record({ all: fc.constant(all), batches: recorded(all.flatMap(({ events }) => events)) }),
);

function statsOf(all: readonly Life[]) {
  const stats = new OrderStats();
  for (const { order } of all) stats.add(order);
  return stats.result();
}

const created = (orderId: string, items: object[] = []) =>
  storedEvent("order", "ORDER_CREATED", {
    ...{ orderId, items, total: 100, currency: "usd", paymentStatus: "paid" },
    createdAt: "2026-11-21T10:30:00Z",
  });

describe("Orders", () => {
  it("are counted as /api/admin/orders/stats counts them, for any order, batches and repetitions of their events", async () => {
    await fc.assert(
      fc.asyncProperty(livesAndRecord, async ({ all, batches }) => {
        const rows = await counted(ordersProjection, batches);
        const { totalOrders, byStatus, byPaymentStatus, ...sums } = statsOf(all);
        const { revenue, averageOrderValue, otherCurrencies, topParts: best } = sums;
        expect(toOrderFigures(ordersOf(rows))).toMatchObject({ totalOrders, byStatus, byPaymentStatus });
        const figures = toRevenueFigures(ordersOf(rows));
        expect(figures).toMatchObject({ revenue, averageOrderValue });
        expect(Object.fromEntries(figures.otherCurrencies.map(({ currency, orders }) => [currency, orders]))).toEqual(
          otherCurrencies,
        );
        expect(topParts(rows, 10)).toEqual(
          best.map((part) => ({ ...part, partNumber: expect.any(String), name: expect.any(String) })),
        );
      }),
    );
  });

  it("name a part as it was sold most, also with cancelled orders between and for any cut of the events", async () => {
    const made = (orderId: string, partNumber: string, quantity: number) =>
      created(orderId, [{ productId: "kaw-1", partNumber, quantity, price: 100 }]);
    const state = { status: "pending", paymentStatus: "paid" };
    const cancelled = (orderId: string) =>
      storedEvent("order", "ORDER_CANCELLED", {
        orderId,
        version: 2,
        from: state,
        to: { ...state, status: "cancelled" },
      });
    const sold = async (...batches: ReturnType<typeof storedEvent>[][]) =>
      topParts(await counted(ordersProjection, batches), 10).map(({ partNumber, quantity }) => [partNumber, quantity]);
    const [a, cancel, b] = [made("a", "X1", 1), cancelled("a"), made("b", "x-1", 1)];
    expect(await sold([a], [cancel], [b])).toEqual([["x-1", 1]]);
    expect(await sold([a], [cancel, b])).toEqual([["x-1", 1]]);
    expect(await sold([a, cancel, b])).toEqual([["x-1", 1]]);
    expect(await sold([a, b, made("c", "x-1", 2)])).toEqual([["x-1", 4]]);
  });

  it("are counted by the hour in which they were made, as by its day", async () => {
    await fc.assert(
      fc.asyncProperty(livesAndRecord, async ({ all, batches }) => {
        const rows = rowsOfTable<Counters>(await counted(ordersProjection, batches), ORDER_HOURS);
        for (const { date, ...day } of statsOf(all).byDay) {
          const hours = sumOfRows(rows.filter(([hour]) => hour.startsWith(date)));
          expect({ orders: toOrderFigures(hours).totalOrders, ...toRevenueFigures(hours).revenue }).toEqual(day);
        }
      }),
    );
  });

  it("are the same rows however the events are cut into batches", async () => {
    await fc.assert(
      fc.asyncProperty(livesAndRecord, fc.integer({ min: 1, max: 50 }), async ({ batches }, size) => {
        for (const projection of [ordersProjection, conversionProjection]) {
          const whole = await counted(projection, batchesOf(batches.flat(), [size]));
          const rows = await counted(projection, batches);
          const filled = (all: Map<string, object>) =>
            [...all].filter(([, row]) => JSON.stringify(row) !== "{}" && JSON.stringify(row) !== '{"parts":[]}').sort();
          expect(filled(rows)).toEqual(filled(whole));
        }
      }),
    );
  });
});

describe("Conversion", () => {
  it("follows carts and checkouts to the order that is paid, for any order and repetition of events", async () => {
    await fc.assert(
      fc.asyncProperty(livesAndRecord, async ({ all, batches }) => {
        const wasPaid = ({ order: { paymentStatus } }: Life): boolean =>
          paymentStatus !== "pending" && paymentStatus !== "failed";
        const withCart = all.filter(({ order }) => order.cartId !== undefined);
        expect(toConversionFigures(funnelOf(await counted(conversionProjection, batches)))).toMatchObject({
          carts: { saved: withCart.length, checkedOut: withCart.length, paid: withCart.filter(wasPaid).length },
          checkouts: { started: all.length, paid: all.filter(wasPaid).length },
        });
      }),
    );
  });

  it("counts a cart in the hour in which it was first saved, and its checkouts as one", async () => {
    const at = (time: string) => new Date(`2026-11-${time}:00Z`);
    const rows = await counted(conversionProjection, [
      [
        storedEvent("cart", "CART_SAVED", { cartId: "c", items: 1, subtotal: 100 }, at("21T09:10")),
        storedEvent("cart", "CART_SAVED", { cartId: "abandoned", items: 1, subtotal: 100 }, at("21T09:20")),
        storedEvent("checkout", "CHECKOUT_STARTED", { cartId: "c", sessionId: "cs_1" }, at("21T10:00")),
        storedEvent("checkout", "CHECKOUT_STARTED", { cartId: "c", sessionId: "cs_2" }, at("22T11:00")),
      ],
    ]);
    expect(rowsOfTable(rows, FUNNEL_HOURS)).toEqual([
      ["2026-11-21T09", { carts: { saved: 2, checkedOut: 1 } }],
      ["2026-11-21T10", { checkouts: { started: 1 } }],
    ]);
    const rates = { cartToCheckout: 0.5, checkoutToPaid: 0, cartToPaid: 0 };
    expect(toConversionFigures(funnelOf(rows)).rates).toEqual(rates);
    expect(toConversionFigures({}).rates).toEqual({ cartToCheckout: null, checkoutToPaid: null, cartToPaid: null });
  });
});

describe("Searches", () => {
  const search = (query: string, results_count = 1, at?: Date) =>
    storedEvent("search", "SEARCH_PERFORMED", { query, results_count, filters: {}, took_ms: 1 }, at);
  const sumsOf = (rows: Map<string, object>): ReturnType<typeof sumSearchHours> =>
    summed(sumSearchHours("day"), rowsOfTable<SearchHour>(rows, SEARCH_HOURS));

  it("are the same however they are typed", () => {
    expect(normalizeText("  Vergáser \t FS730V ")).toBe("vergaser fs730v");
    expect(normalizeText("x".repeat(300))).toHaveLength(LONGEST_TEXT);
    expect(normalizeText(`${"x".repeat(LONGEST_TEXT - 1)}\u{1f600}`).isWellFormed()).toBe(true);
  });

  it("are listed by how often they were made, and by how often they found nothing", async () => {
    const sums = sumsOf(
      await counted(searchesProjection, [
        [search("Filter"), search("filter "), search("gasket", 0)],
        [search("gasket", 0), search("gasket"), search("", 9), search("spindle", 0, new Date("2026-11-21T23:59:59Z"))],
      ]),
    );
    expect(sums.listTop("searches", 2)).toEqual([
      { query: "gasket", searches: 3, zeroHits: 2 },
      { query: "filter", searches: 2, zeroHits: 0 },
    ]);
    expect(sums.listTop("zeroHits", 9)).toEqual([
      { query: "gasket", searches: 3, zeroHits: 2 },
      { query: "spindle", searches: 1, zeroHits: 1 },
    ]);
    expect(sums.getFigures()).toEqual({
      searches: 7,
      zeroHits: 3,
      withoutText: { searches: 1, zeroHits: 0 },
      others: { searches: 0, zeroHits: 0 },
    });
  });

  it("keep so many texts an hour apart and no more, the first ones, and lose no search", () => {
    const texts = Array.from({ length: MOST_TEXTS_AN_HOUR + 50 }, (_, n) => ({
      text: `t${n}`,
      searches: 1,
      zeroHits: n % 2,
    }));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }), (sizes) => {
        let hour: SearchHour | undefined;
        const all = [...texts, ...texts];
        for (let at = 0, turn = 0; at < all.length; turn++)
          hour = applyCounts(hour, all.slice(at, (at += sizes[turn % sizes.length]!)));
        expect(hour!.texts.map(({ text }) => text)).toEqual(texts.slice(0, MOST_TEXTS_AN_HOUR).map(({ text }) => text));
        expect(hour!.all).toEqual({ searches: all.length, zeroHits: all.length / 2 });
        expect(hour!.others).toEqual({ searches: 100, zeroHits: 50 });
      }),
      { numRuns: 20 },
    );
  });

  it("are listed in the order of how often, however many texts and hours there are", () => {
    const texts = fc.uniqueArray(
      fc.record({
        text: fc.string({ minLength: 1, maxLength: 2 }),
        searches: fc.integer({ min: 1, max: 4 }),
        zeroHits: fc.integer({ min: 0, max: 1 }),
      }),
      { selector: ({ text }) => text, maxLength: 9 },
    );
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), fc.integer({ min: 1, max: 12 }), (hours, limit) => {
        const none = { searches: 0, zeroHits: 0 };
        const sums = summed(
          sumSearchHours("hour"),
          hours.map((each, hour): [string, SearchHour] => [
            `2026-11-21T0${hour}`,
            { all: none, withoutText: none, others: none, texts: each },
          ]),
        );
        const all = new Map<string, { query: string; searches: number; zeroHits: number }>();
        for (const { text, searches, zeroHits } of hours.flat()) {
          const known = all.get(text) ?? { query: text, ...none };
          all.set(text, { query: text, searches: known.searches + searches, zeroHits: known.zeroHits + zeroHits });
        }
        const inOrder = (by: "searches" | "zeroHits") =>
          [...all.values()]
            .filter((text) => text[by] > 0)
            .sort(
              (one, other) =>
                other[by] - one[by] || other.searches - one.searches || (one.query < other.query ? -1 : 1),
            )
            .slice(0, limit);
        expect(sums.listTop("searches", limit)).toEqual(inOrder("searches"));
        expect(sums.listTop("zeroHits", limit)).toEqual(inOrder("zeroHits"));
      }),
    );
  });

  it("of a long period with very many texts lose the rare ones to the others, and no search", () => {
    const sums = sumSearchHours("day");
    const hours = Math.ceil((2.5 * MOST_TEXTS_A_PERIOD) / MOST_TEXTS_AN_HOUR);
    const often = { text: "gasket", searches: 2, zeroHits: 1 };
    const none = { searches: 0, zeroHits: 0 };
    for (let hour = 0; hour < hours; hour++) {
      const once = { searches: 1, zeroHits: 0 };
      const rare = Array.from({ length: MOST_TEXTS_AN_HOUR - 1 }, (_, n) => ({ text: `rare ${hour} ${n}`, ...once }));
      sums.add(toHour(new Date(Date.UTC(2024, 0, 1, hour))), {
        all: { searches: MOST_TEXTS_AN_HOUR + 1, zeroHits: 1 },
        withoutText: none,
        others: none,
        texts: [often, ...rare],
      });
    }
    expect(sums.listTop("zeroHits", 2)).toEqual([{ query: "gasket", searches: 2 * hours, zeroHits: hours }]);
    expect(sums.listTop("searches", 1)).toEqual(sums.listTop("zeroHits", 1));
    const { searches, others } = sums.getFigures();
    expect(searches).toBe(hours * (MOST_TEXTS_AN_HOUR + 1));
    const rareThatStay = searches - others.searches - 2 * hours;
    expect(rareThatStay).toBeGreaterThan(MOST_TEXTS_A_PERIOD / 2 - 2);
    expect(rareThatStay).toBeLessThan(MOST_TEXTS_A_PERIOD);
  });

  it("take any text as what it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(fc.string({ unit: ANY_CHARACTER }), fc.constantFrom("__proto__", "$set", "a.b", "constructor")),
          {
            maxLength: 20,
          },
        ),
        async (queries) => {
          const sums = sumsOf(await counted(searchesProjection, [queries.map((query) => search(query))]));
          expect(sums.getFigures().searches).toBe(queries.length);
          for (const { query } of sums.listTop("searches", 100)) expect(queries.map(normalizeText)).toContain(query);
        },
      ),
    );
  });
});
