import { expect, test } from "@jest/globals";
import { cancelShipment, ship } from "../../services/order/changes.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { findText, withDerived } from "../../services/order/derived.ts";
import type { Change } from "../../services/order/order-change.ts";
import { markPacked } from "../../services/order/packing.ts";
import { findQueues } from "../../services/order/queues.ts";
import { applyChange } from "../../services/order/repository.ts";
import { adminView } from "../../services/order/views.ts";
import { paidOrder } from "./order.support.ts";

const at = "2026-11-21T11:00:00Z";
const A = { productId: "bns-a", partNumber: "A", name: "Part A", quantity: 2, price: 2_000 };
const moved = [{ productId: "bns-a", partNumber: "A", quantity: 2 }];
const dispute = (status: string) => ({ disputes: [{ disputeId: "du_1", status, amount: 4_000, updatedAt: at }] });
const shipped = { items: [A], status: "shipped", shipments: [{ shipmentId: "shp_1", items: moved, createdAt: at }] };
const refusedLabel = {
  labels: [{ shipmentId: "shp_0", parcelId: "shp_ep", state: "void_refused", carrier: "USPS", cost: "7.35" }],
  notes: [{ noteId: "note_shp_ep", text: "Ask EasyPost", actor: "system", createdAt: at }],
};
const returns = [{ returnId: "ret_1", items: moved, reason: "other", restockingFee: 0, createdAt: at }];

test.each([
  ["paid and on the shelf", {}, ["to_pack"]],
  ["packed", { packed: { items: [...moved, { ...moved[0], productId: "bns-b" }], actor: "admin", at } }, ["packed"]],
  ["packed but for a piece that came later", { packed: { items: moved, actor: "admin", at } }, ["to_pack"]],
  ["not paid yet", { paymentStatus: "pending" }, []],
  ["cancelled", { status: "cancelled", paymentStatus: "failed" }, []],
  ["fetched by its buyer", { fulfilment: "pickup" }, ["pickup"]],
  ["ready, and not fetched yet", { ...shipped, fulfilment: "pickup" }, ["awaiting_pickup"]],
  ["picked up", { ...shipped, fulfilment: "pickup", status: "delivered" }, []],
  ["all of it on backorder", { items: [{ ...A, backordered: 2 }] }, ["backordered"]],
  ["a part of it on backorder", { items: [{ ...A, backordered: 1 }] }, ["to_pack", "backordered"]],
  ["without an address", { shippingAddress: undefined }, ["address_missing"]],
  ["disputed: nothing is packed", dispute("needs_response"), ["disputed"]],
  ["asked about by the bank", dispute("warning_needs_response"), ["to_pack", "disputed"]],
  ["lost in a dispute, and here", dispute("lost"), ["disputed"]],
  ["lost in a dispute, and gone", { ...shipped, ...dispute("lost") }, []],
  ["shipped", shipped, []],
  ["shipped, with a label that is not refunded", { ...shipped, ...refusedLabel }, ["label_refused"]],
  ["shipped, with a label that staff settled", { ...shipped, ...refusedLabel, notes: [] }, []],
  ["coming back", { ...shipped, returns }, ["return_expected"]],
  ["asked to be taken back", { ...shipped, returns: [{ ...returns[0], state: "requested" }] }, ["return_requested"]],
  ["not coming back after all", { ...shipped, returns: [{ ...returns[0], cancelledAt: at }] }, []],
] as [string, Partial<OrderDocument>, string[]][])("an order that is %s", (_, fields, queues) => {
  expect(findQueues(paidOrder(fields))).toEqual(queues);
});

test("a search finds any part of an order's texts, typed any way, and nothing across two of them", () => {
  const { searchText } = withDerived(
    paidOrder({
      contact: { name: "Jenny Müller-Ross", email: "Jenny.M@Example.com", phone: "+1 (555) 010-1234" },
      shipments: [{ shipmentId: "shp_1", items: moved, trackingNumber: "1Z 999 AA1", createdAt: at }],
    }),
  );
  const isFound = (typed: string): boolean => findText(typed).$regex!.test(searchText!);
  for (const typed of ["000001", "20261121", "ord-2026", "jenny", "muller", "MÜLLER", "ny.m@ex", "555 010", "5550101"])
    expect([typed, isFound(typed)]).toEqual([typed, true]);
  expect(["1z999aa1", "99 AA", "ada", " Jenny  Müller "].map(isFound)).toEqual([true, true, true, true]);
  expect(["jennyx", "000002", "muller-rossjenny", ".*", "--"].map(isFound)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("nothing of an erased buyer is left to search", () => {
  const { searchText } = withDerived({ ...paidOrder({ contact: undefined }), shippingAddress: undefined });
  expect(searchText?.split("\n")).toEqual(["ord_1", "ord1", "ord-20261121-000001", "ord20261121000001", "a", "b"]);
});

test("open pieces are marked as packed, until they ship or one arrives that was not there", () => {
  const order = paidOrder({ items: [{ ...A, backordered: 1 }] });
  const mark = (on: OrderDocument, packed = true) => markPacked(on, packed, "admin", new Date(at));
  const packedOrder = mark(order)!.order;
  expect([mark(order), mark(packedOrder, false)].map((change) => change?.event)).toMatchObject([
    { packed: true },
    { packed: false },
  ]);
  expect(packedOrder.packed).toMatchObject({ actor: "admin", items: [{ productId: "bns-a", quantity: 1 }] });
  expect([adminView(packedOrder).packed !== undefined, mark(packedOrder)]).toEqual([true, undefined]);
  const arrived = { ...packedOrder, items: [A] };
  expect([findQueues(arrived), adminView(arrived).packed]).toEqual([["to_pack"], undefined]);
  expect(mark(arrived)?.order.packed?.items).toMatchObject([{ quantity: 2 }]);
  const apply = (on: OrderDocument, change: Change) => applyChange(on, change, new Date(at));
  const facts = { actor: "admin", now: new Date(at), shipmentId: "shp_1" };
  const items = [{ ...A, quantity: 5, backordered: 2 }];
  const packedThree = apply(paidOrder({ items }), mark(paidOrder({ items }))!);
  const sent = (on: OrderDocument, quantity: number) =>
    apply(on, ship(on, { lines: [{ productId: "bns-a", quantity }] }, facts));
  const [sentOne, sentAll] = [sent(packedThree, 1), sent(packedThree, 3)];
  expect([findQueues(sentOne), sentOne.packed?.items]).toMatchObject([["packed", "backordered"], [{ quantity: 2 }]]);
  expect([findQueues(sentAll), sentAll.packed]).toEqual([["backordered"], undefined]);
  const rest = [{ ...A, quantity: 5 }];
  expect(findQueues({ ...sentAll, items: rest })).toEqual(["to_pack"]);
  expect(findQueues(sent({ ...packedThree, items: rest }, 3))).toEqual(["to_pack"]);
  expect(findQueues(apply(sentAll, cancelShipment(sentAll, facts, facts)))).toEqual(["to_pack", "backordered"]);
  expect([mark(packedOrder, false)?.order.packed, mark(order, false)]).toEqual([undefined, undefined]);
});

test.each([
  [{ fulfilment: "pickup" }, "INVALID_TRANSITION"],
  [{ paymentStatus: "pending" }, "INVALID_TRANSITION"],
  [{ items: [{ ...A, backordered: 2 }] }, "INVALID_TRANSITION"],
  [{ shippingAddress: undefined }, "ADDRESS_MISSING"],
  [dispute("needs_response"), "PAYMENT_DISPUTED"],
] as [Partial<OrderDocument>, string][])("an order with %j is not marked as packed", (fields, code) => {
  expect(() => markPacked(paidOrder(fields), true, "admin", new Date(at))).toThrow(expect.objectContaining({ code }));
});
