import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { assignDays, expectPieces, markArrived, grantPieces } from "../../services/order/allocation.ts";
import { delay, ship } from "../../services/order/changes.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { withDerived } from "../../services/order/derived.ts";
import { findMissing, markMissing } from "../../services/order/missing.ts";
import { findExpectedDay, tellNews } from "../../services/order/news.ts";
import type { Change } from "../../services/order/order-change.ts";
import { findElsewhere, setElsewhere } from "../../services/order/places.ts";
import { findPromises } from "../../services/order/promises.ts";
import { countQuantities } from "../../services/order/quantities.ts";
import { applyChange } from "../../services/order/repository.ts";
import { followWaiting, listWaiting } from "../../services/order/waiting.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-24T11:00:00Z");

const DAY = "2026-12-12";
const AWAITED = { expectedAt: DAY, lateAt: now.toISOString() };

describe("new stock", () => {
  test("goes to the oldest orders, is never more than there is, and all of it that is needed is given", () => {
    const line = fc.record({
      orderId: fc.string(),
      orderNumber: fc.constant("ORD-1"),
      index: fc.nat(3),
      productId: fc.constantFrom("a", "b"),
      quantity: fc.integer({ min: 1, max: 9 }),
    });
    const counts = fc.record({ own: fc.nat(60), dealer: fc.nat(20), promised: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(line), fc.record({ a: counts, b: counts }), (waiting, parts) => {
        const sumWaiting = (id: string) =>
          waiting.reduce((sum, { productId, quantity }) => sum + (productId === id ? quantity : 0), 0);
        const supplies = Object.entries(parts).map(([id, { promised, ...pieces }]) => ({
          ...{ id, ...pieces, held: promised + sumWaiting(id) },
        }));
        const grants = grantPieces(waiting, supplies);
        for (const [id, { own, dealer, promised }] of Object.entries(parts)) {
          const granted = grants.filter(({ productId }) => productId === id);
          const given = granted.reduce((sum, grant) => sum + grant.granted, 0);
          const free = Math.max(0, own - Math.max(0, promised - dealer));
          expect(given === 0 || given + promised <= own + dealer).toBe(true);
          expect(given).toBe(Math.min(free, sumWaiting(id)));
          // All but the last are whole, and they are the first that wait.
          expect(granted.slice(0, -1).every((grant) => grant.granted === grant.quantity)).toBe(true);
          const first = waiting.filter(({ productId }) => productId === id).slice(0, granted.length);
          expect(granted).toMatchObject(first);
        }
      }),
    );
  });

  test("is missed by the newest orders, packed pieces apart, and never more than a count lacks", () => {
    const order = fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      backordered: fc.nat(9),
      packed: fc.nat(9),
      day: fc.integer({ min: 10, max: 30 }),
      uncounted: fc.boolean(),
    });
    const counts = fc.record({ own: fc.nat(20), dealer: fc.nat(5), late: fc.integer({ min: -3, max: 3 }) });
    fc.assert(
      fc.property(fc.array(order), counts, (drawn, { late, ...pieces }) => {
        const item = { productId: "bns-a", partNumber: "A" };
        const orders = drawn.map(({ quantity, backordered, packed, day, uncounted }, index) =>
          paidOrder({
            _id: `ord_${index}`,
            createdAt: new Date(Date.UTC(2026, 10, day)),
            items: [{ ...item, name: "A", quantity, price: 100, backordered, uncounted: uncounted ? quantity : 0 }],
            packed: { items: [{ ...item, quantity: packed }], actor: "admin", at: "" },
          }),
        );
        const countedAt = new Date(Date.UTC(2026, 10, 20));
        const sum = (list: OrderDocument[], state: "open" | "backordered") =>
          list.reduce((total, each) => total + countQuantities(each)[0]![state], 0);
        // The catalog may not know yet what has shipped or come back.
        const held = sum(orders, "open") + sum(orders, "backordered") + late;
        const supply = { id: "bns-a", countedAt, held, ...pieces };
        const missing = findMissing(orders, [supply]);
        const after = orders.map((each) => {
          const lines = missing.filter(({ orderId }) => orderId === each._id);
          const change = markMissing(each, lines, now);
          if (!change) return each;
          expect(markMissing(change.order, lines, now)).toBeUndefined();
          const gone = sum([each], "open") - sum([change.order], "open");
          // What nobody had counted was not promised.
          const promised = each.items[0]!.uncounted
            ? undefined
            : [{ productId: "bns-a", partNumber: "A", quantity: gone }];
          expect((tellNews(change.order, now)?.event as { items?: unknown } | undefined)?.items).toEqual(promised);
          return change.order;
        });
        const lack = Math.max(0, sum(orders, "open") + Math.min(0, late) - pieces.own - pieces.dealer);
        const taken = after.map((each, index) => sum([orders[index]!], "open") - sum([each], "open"));
        const takable = drawn.map(({ packed, day, uncounted }, index) =>
          uncounted || day < 20 ? Math.max(0, sum([orders[index]!], "open") - packed) : 0,
        );
        const add = (list: number[]) => list.reduce((total, count) => total + count, 0);
        expect(add(taken)).toBe(Math.min(lack, add(takable)));
        for (const [index, count] of taken.entries()) {
          expect(count).toBeLessThanOrEqual(takable[index]!);
          if (count === 0) continue;
          const newer = drawn.flatMap(({ day }, other) => (day > drawn[index]!.day ? [other] : []));
          expect(newer.every((other) => taken[other] === takable[other])).toBe(true);
        }
        expect(findMissing(orders, [{ ...supply, countedAt: undefined }])).toEqual([]);
      }),
    );
  });

  test("is given to an order once, however often and late, and beside what ships meanwhile", () => {
    const [lineA, lineB] = paidOrder().items;
    const order = paidOrder({
      items: [{ ...lineA!, backordered: 2, backorderDays: 9, expectedAt: "2026-12-01" }, lineB!],
    });
    const grants = grantPieces(listWaiting(order), [{ id: "bns-a", own: 1, dealer: 0, held: 2 }]);
    const change = markArrived(order, grants, now)!;
    expect(change.event).toEqual({
      ...{ channel: "order.allocated", day: "2026-11-24" },
      items: [{ productId: "bns-a", partNumber: "A", quantity: 1 }],
    });
    const allocated = applyChange(order, change, now);
    expect(countQuantities(allocated)[0]).toMatchObject({ open: 1, backordered: 1 });
    expect(markArrived(allocated, grants, now)).toBeUndefined();
    const unheard = paidOrder({ items: [{ ...lineA!, backordered: 2, uncounted: 2 }, lineB!] });
    expect(markArrived(unheard, grants, now)!.event).toEqual({ channel: "order.updated", changed: ["items"] });
    const lines = [{ productId: "bns-a", quantity: 2 }];
    const left = applyChange(order, ship(order, { lines }, { actor: "admin", now, shipmentId: "shp_1" }), now);
    expect(markArrived(left, grants, now)).toBeUndefined();
    const whole = markArrived(
      allocated,
      grantPieces(listWaiting(allocated), [{ id: "bns-a", own: 2, dealer: 0, held: 2 }]),
      now,
    )!;
    expect(whole.order.items[0]).toEqual(lineA);
  });

  test.each<[string, Partial<OrderDocument["items"][number]>, string, string, string | undefined]>([
    ["missing pieces", {}, "count 1", "late 1", undefined],
    ["two counts at once", {}, "count 1, count 0", "late 2", undefined],
    ["no count that is corrected", {}, "count 0, count 2", "", undefined],
    ["what is left of a correction", {}, "count 0, count 1", "late 1", undefined],
    ["no count upwards that is corrected", { backordered: 1, ...AWAITED }, "count 2, count 1", "", DAY],
    ["pieces that came, in place of their day", { backordered: 1, ...AWAITED }, "count 2", "arrived 1", undefined],
    ["no pieces that are missing after a day of staff", {}, "delay 18, count 0", "", DAY],
    ["no correction after a day of staff", {}, "delay 18, count 0, count 2", "", DAY],
    ["pieces that came after a day of staff in between", {}, "count 0, delay 18, count 2", "arrived 2", undefined],
    ["a purchase with the missing pieces", {}, "count 0, day 12-12", "late 2", DAY],
    ["no purchase of a count that is corrected", {}, "count 0, day 12-12, count 2", "", undefined],
    ["more pieces of a purchase", { backordered: 1 }, "day 12-12, tell, count 0, day 12-12", "late 1", DAY],
    ["another day of all pieces", { backordered: 1 }, "day 12-11, tell, count 0, day 12-12", "late 2", DAY],
    ["no pieces that left meanwhile", { backordered: 2 }, "count 2, ship 2", "", undefined],
    ["pieces that were in stock of a part that nobody had counted", { uncounted: 1 }, "count 0", "late 1", undefined],
    ["none that nobody had counted", { uncounted: 1 }, "count 1", "", undefined],
    ["those of a purchase", { uncounted: 2 }, "count 0, day 12-12", `late 2 ${DAY}`, DAY],
  ])("is announced: %s", (_what, line, steps, news, day) => {
    const createdAt = new Date("2026-11-20");
    const deliveryPromise = { kind: "arrives", day: "2999-12-04" } as const;
    const [lineA] = paidOrder().items;
    let order = paidOrder({ createdAt, items: [{ ...lineA!, deliveryPromise, ...line }], deliveryPromise });
    const tell = (): string[] => {
      const texts: string[] = [];
      while (order.knownItems) {
        const change = tellNews(order, now)!;
        const { channel, items, day: newDay } = { day: undefined, items: [], channel: "", ...change.event };
        const count = (items as { quantity: number }[]).map(({ quantity }) => quantity).join();
        if (channel === "order.allocated") texts.push(`arrived ${count}`);
        else if (channel) texts.push(["late", count, newDay].filter(Boolean).join(" "));
        order = applyChange(order, change, now);
      }
      return texts;
    };
    const run: Record<string, (text: string) => Change | undefined> = {
      count(text) {
        const supply = { id: "bns-a", countedAt: now, own: Number(text), dealer: 0, held: 2 };
        const arrived = markArrived(order, grantPieces(listWaiting(order), [supply]), now, true);
        return arrived ?? markMissing(order, findMissing([order], [supply]), now);
      },
      day: (text) => expectPieces(order, "bns-a", `2026-${text}`, now),
      delay: (text) => delay(order, { days: Number(text) }, { actor: "admin", now }),
      ship: () => ship(order, {}, { actor: "admin", now, shipmentId: "shp_1" }),
      tell: () => void tell(),
    };
    for (const [step = "", value = ""] of steps.split(", ").map((text) => text.split(" "))) {
      const change = run[step]!(value);
      if (change) order = applyChange(order, change, now);
    }
    // Until the news is announced, the day that the buyer knows stays.
    if (line.expectedAt) expect(findExpectedDay(order, 0)).toBe(line.expectedAt);
    expect(tell().join()).toBe(news);
    expect([order.items[0]!.expectedAt, findExpectedDay(order, 0)]).toEqual([day, day]);
    const isKept = news === "" && day === undefined && !line.uncounted;
    expect(findPromises(order).deliveryPromise).toEqual(isKept ? deliveryPromise : undefined);
  });

  test("lies at the place of a pickup order, or must be brought there: the oldest orders get what is there", () => {
    const [lineA] = paidOrder().items;
    const buy = (_id: string, pickupPlace: string, quantity: number, day: number) =>
      paidOrder({
        ...{ _id, pickupPlace, fulfilment: "pickup", createdAt: new Date(Date.UTC(2026, 10, day)) },
        items: [
          { ...lineA!, quantity, elsewhere: 1 },
          { ...lineA!, productId: "bns-gone", elsewhere: 1 },
        ],
      });
    const orders = [buy("new", "sparks", 3, 3), buy("reno", "reno", 2, 2), buy("old", "sparks", 2, 1)];
    const locate = (main: number, sparks: number, shed = 0, places = [{ id: "reno" }, { id: "sparks" }]) => {
      const shelves = Object.entries({ main, sparks, shed }).map(([place, onHand]) => ({ place, onHand }));
      const lines = findElsewhere(orders, [{ id: "bns-a", shelves }], places);
      return orders.map((order) => {
        const orderLines = lines.filter(({ orderId }) => orderId === order._id);
        const { items } = setElsewhere(order, orderLines)?.order ?? order;
        return items.map(({ elsewhere = 0 }) => elsewhere).join();
      });
    };
    expect(locate(9, 4)).toEqual(["1,1", "0,1", "0,1"]);
    expect(locate(2, 9)).toEqual(["0,1", "0,1", "0,1"]);
    expect(locate(2, 0)).toEqual(["0,1", "0,1", "0,1"]);
    expect(locate(0, 0, 9)).toEqual(["3,1", "2,1", "2,1"]);
    expect(locate(0, 0, 9, [{ id: "reno" }])).toEqual(["0,1", "0,1", "0,1"]);
  });

  test("gives the oldest orders the day of the purchase that completes them, and the others none", () => {
    const wait = (orderId: string, quantity: number) => ({
      ...{ orderId, orderNumber: orderId, index: 0, productId: "bns-a", quantity },
    });
    const early = { id: "bns-a", quantity: 2, day: "2026-12-01" };
    const late = { id: "bns-a", quantity: 3, day: "2026-12-09" };
    const waiting = [wait("1", 2), wait("2", 3), wait("3", 1)];
    expect(assignDays(waiting, [late, early])).toEqual([early.day, late.day, undefined]);
    expect(assignDays(waiting, [late])).toEqual([late.day, undefined, undefined]);
  });

  test("has a day while a purchase gives it one; a day that staff announced stays", () => {
    const part = "bns-a";
    const [lineA, lineB] = paidOrder().items;
    const order = paidOrder({ items: [{ ...lineA!, backordered: 2 }, lineB!] });
    const change = expectPieces(order, part, "2026-12-01", now)!;
    expect(change.event).toMatchObject({
      channel: "order.delayed",
      day: "2026-12-01",
      items: [{ productId: "bns-a" }],
    });
    const expected = applyChange(order, change, now);
    expect(expectPieces(expected, part, "2026-12-01", now)).toBeUndefined();
    expect(expectPieces(expected, "bns-b", "2026-12-09", now)).toBeUndefined();
    const cleared = expectPieces(expected, part, undefined, now)!;
    expect([cleared.event?.channel, cleared.order.items[0]!.expectedAt]).toEqual(["order.updated", undefined]);
    const staff = delay(expected, { days: 9 }, { actor: "admin", now }).order;
    expect(expectPieces(staff, part, undefined, now)).toBeUndefined();
  });

  test("is looked for by lines that follow every change of an order, also one that an older version wrote", () => {
    const [lineA, lineB] = paidOrder().items;
    const state = fc.record({
      backordered: fc.tuple(fc.nat(2), fc.nat(1)),
      paymentStatus: fc.constantFrom("paid" as const, "failed" as const, "refunded" as const),
      isShipped: fc.boolean(),
      isOlder: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(state, { minLength: 1 }), (states) => {
        const lines = new Map<string, unknown>();
        let previous: OrderDocument | undefined;
        for (const { backordered, paymentStatus, isShipped, isOlder } of states) {
          const items = [lineA!, lineB!].map((line, index) => ({ ...line, backordered: backordered[index] }));
          const order = withDerived(
            paidOrder({ items, paymentStatus, ...(isShipped ? { status: "shipped" as const } : {}) }),
          );
          if (isOlder) {
            // It did not know of lines.
            previous = { ...order, derived: 6 };
            continue;
          }
          for (const write of followWaiting(previous, order)) {
            if ("deleteOne" in write) lines.delete(write.deleteOne.filter._id as string);
            if ("replaceOne" in write) lines.set(write.replaceOne.replacement._id, write.replaceOne.replacement);
          }
          previous = order;
          expect([...lines.values()]).toHaveLength(listWaiting(order).length);
          expect([...lines.values()]).toEqual(
            expect.arrayContaining(listWaiting(order).map((line) => expect.objectContaining(line))),
          );
        }
      }),
    );
  });

  test("is for nobody whose payment failed or is being refunded", () => {
    const items = [{ ...paidOrder().items[0]!, backordered: 2 }];
    expect(listWaiting(paidOrder({ items }))).toHaveLength(1);
    expect(listWaiting(paidOrder({ items, paymentStatus: "failed" }))).toEqual([]);
  });
});
