import { describe, expect, test } from "@jest/globals";
import type { ReturnTerms } from "../../mixins/shop/return-terms.ts";
import { ship, update } from "../../services/order/changes.ts";
import type { OrderDocument, ReturnReason } from "../../services/order/collections.ts";
import type { Change } from "../../services/order/order-change.ts";
import { listAwaited, listPromised } from "../../services/order/quantities.ts";
import { applyChange } from "../../services/order/repository.ts";
import { addPhoto, decideReturn, requestReturn } from "../../services/order/return-requests.ts";
import { paidOrder } from "./order.support.ts";

const sent = new Date("2026-11-21T11:00:00Z");
const terms: ReturnTerms = { days: 30, approval: "manual", fee: 5 };
const link = { actor: "link", now: sent, returnId: "ret_1" };
const after = (order: OrderDocument, change: Change | undefined): OrderDocument =>
  change ? applyChange(order, change, sent) : order;
const order = paidOrder();
const shipped = after(order, ship(order, {}, { actor: "admin", now: sent, shipmentId: "shp_1" }));
const lines = [{ productId: "bns-a", quantity: 2 }];
const ask = (
  { now = sent, reason = "not_needed", ...changed }: Partial<ReturnTerms> & { now?: Date; reason?: ReturnReason } = {},
  from = shipped,
) =>
  after(from, requestReturn(from, { lines, reason, comment: " Too big " }, { ...terms, ...changed }, { ...link, now }));

describe("a return that the buyer asks for", () => {
  test("waits for staff, or is approved at once by the shop's terms, but never while the bank has a question", () => {
    const asked = ask();
    expect(asked.returns).toMatchObject([{ state: "requested", restockingFee: 500 }]);
    expect(asked.returnDetails).toEqual([{ returnId: "ret_1", comment: "Too big" }]);
    expect(listAwaited(asked, asked.returns![0]!)).toEqual([]);
    expect(listPromised(asked, asked.returns![0]!)).toMatchObject([{ quantity: 2 }]);
    expect(() => ask({}, asked)).toThrow("The order has not so many to return: 2 of A (0 left)");
    expect(ask({ approval: "auto" }).returns).toMatchObject([{ state: "approved" }]);
    const disputes = [{ disputeId: "du_1", status: "needs_response", amount: 100, updatedAt: sent.toISOString() }];
    expect(ask({ approval: "auto" }, { ...shipped, disputes }).returns).toMatchObject([{ state: "requested" }]);
  });

  test("costs a fee only for the buyer's own reasons, and never more than was paid", () => {
    expect(ask({ reason: "defective" }).returns).toMatchObject([{ restockingFee: 0 }]);
    expect(ask({ fee: 1_000 }).returns).toMatchObject([{ restockingFee: 4_250 }]);
    const refunded = { ...ask(), refundedAmount: 9_900 };
    const approval = decideReturn(refunded, "ret_1", {}, "admin");
    expect(approval).toMatchObject({ order: { returns: [{ restockingFee: 100 }] }, event: { owed: 0 } });
  });

  test.each([
    ["the day that many days after delivery", "2026-12-26T12:00:00Z", "2026-11-26", 30, "taken"],
    ["the day after", "2026-12-27T00:00:00Z", "2026-11-26", 30, "until 2026-12-26"],
    ["a delivery that nobody recorded: two weeks more", "2027-01-04T12:00:00Z", undefined, 30, "taken"],
    ["the day after those", "2027-01-05T00:00:00Z", undefined, 30, "until 2027-01-04"],
    ["a shop that takes none online", "2026-11-21T12:00:00Z", undefined, 0, "cannot be requested online"],
  ])("in time: %s", (_, now, delivered, days, answer) => {
    const facts = { now: new Date(`${delivered}T10:00:00Z`), shipmentId: "shp_2" };
    const order = delivered ? after(shipped, update(shipped, { status: "delivered" }, "admin", facts)) : shipped;
    const act = () => ask({ days, now: new Date(now) }, order);
    if (answer === "taken") expect(act().returns).toHaveLength(1);
    else expect(act).toThrow(answer);
  });

  test("is decided once; refused pieces can be asked for again, and approved ones come back", () => {
    const asked = ask();
    const refused = after(asked, decideReturn(asked, "ret_1", { refusal: "The seal is broken" }, "admin"));
    expect(refused.returnDetails).toEqual([{ returnId: "ret_1", comment: "Too big", refusal: "The seal is broken" }]);
    expect(decideReturn(refused, "ret_1", { refusal: "Again" }, "admin")).toBeUndefined();
    expect(() => decideReturn(refused, "ret_1", {}, "admin")).toThrow("The return is decided or cancelled");
    expect(ask({}, refused).returns).toHaveLength(2);
    const approved = after(asked, decideReturn(asked, "ret_1", { restockingFee: 100 }, "admin"));
    expect(approved.returns).toMatchObject([{ state: "approved", restockingFee: 100 }]);
    expect(decideReturn(approved, "ret_1", { restockingFee: 100 }, "admin")).toBeUndefined();
    expect(() => decideReturn(approved, "ret_1", { restockingFee: 200 }, "admin")).toThrow("The return is decided");
    expect(listAwaited(approved, approved.returns![0]!)).toMatchObject([{ quantity: 2 }]);
    expect(() => decideReturn(asked, "ret_1", { restockingFee: 9_999 }, "admin")).toThrow(/'restockingFee' field/);
  });

  test("has at most three photos, each once, and none once it is refused", () => {
    const photos = ["a", "b", "c", "c"];
    const shown = photos.reduce((from, photo) => after(from, addPhoto(from, "ret_1", photo, "link")), ask());
    expect(shown.returnDetails).toEqual([{ returnId: "ret_1", comment: "Too big", photos: ["a", "b", "c"] }]);
    expect(() => addPhoto(shown, "ret_1", "d", "link")).toThrow("A return has at most 3 photos");
    const refused = after(shown, decideReturn(shown, "ret_1", { refusal: "No" }, "admin"));
    expect(() => addPhoto({ ...refused, returnDetails: [] }, "ret_1", "d", "link")).toThrow("The return is closed");
    expect(() => addPhoto(shown, "ret_2", "d", "link")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });
});
