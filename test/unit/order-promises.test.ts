import { expect, test } from "@jest/globals";
import type { OrderDocument } from "../../services/order/collections.ts";
import { findPromises } from "../../services/order/promises.ts";
import { paidOrder } from "./order.support.ts";

const shippedAt = "2026-11-21T11:00:00Z";
const day = { kind: "arrives", day: "2999-12-07" } as const;
const estimate = { kind: "arrives", day: "2999-12-20", estimated: true } as const;
const [A, B] = paidOrder().items.map((line) => ({ ...line, deliveryPromise: day })) as [Line, Line];
type Line = OrderDocument["items"][number];
const piecesOfA = [{ productId: "bns-a", partNumber: "A", quantity: 2 }];
const ofA = (parcel: object) => ({
  shipments: [{ shipmentId: "shp_1", items: piecesOfA, createdAt: shippedAt, ...parcel }],
});
const ready = { ...day, kind: "ready" } as const;

test.each([
  ["paid", {}, [day, day, day]],
  ["whose payment is on its way", { paymentStatus: "pending" }, [undefined, undefined, undefined]],
  ["with an uncounted line", { items: [A, { ...B, deliveryPromise: undefined }] }, [day, day, undefined]],
  ["with a line that is late", { items: [{ ...A, lateAt: shippedAt }, B] }, [undefined, undefined, day]],
  [
    "that counts on backordered pieces",
    { deliveryPromise: estimate, items: [{ ...A, backordered: 1, deliveryPromise: estimate }, B] },
    [estimate, estimate, day],
  ],
  ["with a parcel on its way", ofA({}), [day, day, day]],
  ["with a parcel whose carrier names a day", ofA({ expectedAt: "2999-12-09" }), [undefined, undefined, day]],
  ["with a line to fetch", { items: [{ ...A, deliveryPromise: ready }, B], ...ofA({}) }, [day, undefined, day]],
  ["delivered", { status: "delivered" }, [undefined, undefined, undefined]],
  ["cancelled", { status: "cancelled" }, [undefined, undefined, undefined]],
  ["late", { deliveryPromise: { ...day, day: "2026-11-21" } }, [undefined, day, day]],
] as const)("a promised day counts or not for an order %s", (_which, fields, [whole, ...lines]) => {
  const order = paidOrder({ items: [A, B], deliveryPromise: day, ...(fields as Partial<OrderDocument>) });
  expect(findPromises(order)).toEqual({ deliveryPromise: whole, linePromises: lines });
});
