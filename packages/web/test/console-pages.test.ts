import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdminOrder, Mail, OrderHistory, OrderReturn } from "../../client/src/contract.ts";
import { cursorPages } from "../src/console/shared/cursor-pages.ts";
import {
  listChoices,
  feeOfReturn,
  findDisputeStep,
  isAll,
  notGone,
  refundOfReturn,
  toShip,
  computeWorth,
} from "../src/console/orders/pieces.ts";
import { findScope, PAGE_SCOPES } from "../src/console/page-scopes.ts";
import { buildTimeline } from "../src/console/orders/timeline-entries.ts";
import { guessEncoding, toUtf8 } from "../src/console/price-files/encoding.ts";
import { refusedRows } from "../src/console/price-files/refused.ts";

describe("pages by number over cursors", () => {
  const asked: (string | undefined)[] = [];
  const pages = cursorPages(({ cursor }: { q: string; cursor?: string }) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    return Promise.resolve({ at, ...(at < 3 ? { nextCursor: String(at + 1) } : {}) });
  });

  it("read each page once on the way on and back, and those before after a reload in the middle", async () => {
    expect(await pages.page(3, { q: "a" })).toMatchObject({
      at: 2,
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    expect(asked.splice(0)).toEqual([undefined, "1", "2"]);
    expect(await pages.page(4, { q: "a" })).toMatchObject({ at: 3, pageInfo: { hasNextPage: false } });
    expect(await pages.page(1, { q: "a" })).toMatchObject({ at: 0, pageInfo: { hasPreviousPage: false } });
    expect(asked.splice(0)).toEqual(["3", undefined]);
  });

  it("begin again with other filters, and end where there is nothing more", async () => {
    expect(await pages.page(2, { q: "b" })).toMatchObject({ at: 1 });
    expect(await pages.page(99, { q: "b" })).toMatchObject({ at: 3, pageInfo: { hasNextPage: false } });
  });
});

describe("pieces", () => {
  const line = (productId: string, open: number, shipped = 0) => ({
    ...{ productId, partNumber: productId.toUpperCase(), name: "Part" },
    quantities: { open, backordered: 0, shipped, cancelled: 0, returned: 0 },
  });
  const order = { items: [line("a", 2), line("b", 0, 1), line("a", 1)] } as AdminOrder;

  it("of one product are one choice; what is shipped is no choice to ship", () => {
    expect(listChoices(order, toShip)).toMatchObject([{ productId: "a", partNumber: "A", name: "Part", left: 3 }]);
  });

  it("are all of an order only with those that were shipped", () => {
    expect(isAll(listChoices(order, toShip), { a: 3 })).toBe(true);
    expect(isAll(listChoices(order, notGone), { a: 3 })).toBe(false);
  });

  it("that have left the shop change what a dispute asks for", () => {
    const step = (items: object[], disputeState: "open" | "lost") =>
      findDisputeStep({ items: items as AdminOrder["items"], disputeState });
    expect(step([line("a", 1), line("b", 0, 1)], "lost")).toBe("beforeShipping");
    expect(step([line("b", 0, 1)], "open")).toBe("answer");
    expect(step([line("b", 0, 1)], "lost")).toBe("settle");
    expect(step([line("a", 0)], "open")).toBeUndefined();
  });

  it("are worth their share of what was paid without shipping, and never more than is left", () => {
    const sold = [
      { ...line("a", 2), price: 10, total: 20 },
      { ...line("b", 1), price: 60, total: 60 },
    ];
    const paid = { items: sold, total: 98, shipping: 10, refundedAmount: 0, paymentStatus: "paid", currency: "usd" };
    const orderOf = (changes: object) => ({ ...paid, ...changes }) as unknown as AdminOrder;
    expect(computeWorth(orderOf({}), { a: 1 })).toBe(11);
    expect(computeWorth(orderOf({}), { a: 2, b: 1 })).toBe(98);
    expect(computeWorth(orderOf({ refundedAmount: 90.1 }), { b: 1 })).toBe(7.9);
    expect(computeWorth(orderOf({ paymentStatus: "pending" }), { b: 1 })).toBe(0);
    expect(computeWorth(orderOf({ disputedAmount: 90 }), { b: 1 })).toBe(8);
    // A return has its shipping kept, and its fee once.
    const made = { received: [] as object[], restockingFee: 5 } as unknown as OrderReturn;
    expect(refundOfReturn(orderOf({}), feeOfReturn(made), { a: 2, b: 1 })).toBe(83);
    expect(refundOfReturn(orderOf({}), feeOfReturn({ ...made, received: [{} as never] }), { a: 1 })).toBe(11);
    const refunded = orderOf({ items: [{ ...sold[0], piecesRefunded: 1 }, sold[1]] });
    expect(refundOfReturn(refunded, 0, { a: 2 })).toBe(11);
  });
});

it("a timeline has events, mails and notes, the newest first, and nothing twice", () => {
  const states = (status: string) => ({ status, paymentStatus: "paid" });
  const event = (type: string, minute: number, data: object) => ({
    ...{ event_id: `e${minute}`, event_type: type, version: minute, timestamp: `2026-11-25T10:0${minute}:00Z` },
    data: { actor: "admin", ...data },
  });
  const events = [
    event("ORDER_CREATED", 1, {}),
    event("ORDER_UPDATED", 2, { changed: ["notes"] }),
    event("ORDER_DELAYED", 3, { items: [{ partNumber: "B", quantity: 1 }], days: 9, day: "2026-12-04" }),
    event("ORDER_SHIPPED", 4, { items: [{ partNumber: "A", quantity: 2 }] }),
    event("ORDER_REFUNDED", 6, { amount: 1_250 }),
    event("ORDER_REFUNDED", 7, { amount: -1_250 }),
    event("ORDER_RETURNED", 8, {
      amount: 1_250,
      items: [
        { partNumber: "A", quantity: 1, condition: "resalable" },
        { partNumber: "A", quantity: 1, condition: "damaged" },
      ],
    }),
    event("ORDER_ERASED", 9, { reason: "guest_request", erased: ["contact"] }),
    event("ORDER_UPDATED", 8, { changed: ["status", "carrier"], from: states("shipped"), to: states("delivered") }),
  ] as OrderHistory["events"];
  const mails = [{ mailId: "m", kind: "shipped", state: "sent", createdAt: "", sentAt: "2026-11-25T10:05:00Z" }];
  const notes = [{ noteId: "n", text: "<b>x</b>", actor: "user:1", createdAt: "2026-11-25T10:02:30Z" }];
  const order = { currency: "usd", notes } as unknown as AdminOrder;
  const told = buildTimeline(order, events, mails as Mail[]).map(({ what, detail, who }) => [what, detail, who]);
  expect(told).toEqual([
    ["Buyer's data erased", undefined, "admin"],
    ["Return received", "1 × A (Can be sold again), 1 × A (Damaged), $12.50 refunded", "admin"],
    ["Status: shipped → delivered; Changed: Carrier", undefined, "admin"],
    ["Refund failed", "$12.50", "admin"],
    ["Refunded", "$12.50", "admin"],
    ["Email: shipped", "sent", undefined],
    ["Shipped", "2 × A", "admin"],
    ["Delay announced", "1 × B, expected Dec 4, 2026", "admin"],
    ["Note", "<b>x</b>", "user:1"],
    ["Order placed", undefined, "admin"],
  ]);
});

it("refused rows are a file of what was sent, which a spreadsheet does not run", () => {
  const text = 'part_number,title\r\n1,"a ""b"""\r\n=cmd(),\r\nx; =cmd()\r\n';
  expect(
    refusedRows(text, [
      { line: 2, reason: "No, it repeats line 1" },
      { line: 3, reason: "Empty" },
      { line: 4, reason: " =cmd()" },
    ]),
  ).toBe(
    'line,reason,row\r\n2,"No, it repeats line 1","1,""a """"b"""""""\r\n3,Empty,"\'=cmd(),"\r\n' +
      "4,' =cmd(),x;' =cmd()\r\n",
  );
});

it.each([
  ["utf-8", Buffer.from("part_number,title\n1,Käse 10 €\n")],
  ["windows-1252", Buffer.from("part_number,title\n1,K\xe4se 10 \x80\n", "latin1")],
  ["utf-16le", Buffer.from("\ufeffpart_number,title\n1,Käse 10 €\n", "utf16le")],
  ["utf-16be", Buffer.from("\ufeffpart_number,title\n1,Käse 10 €\n", "utf16le").swap16()],
] as const)("a file in %s is known as that, and is sent as UTF-8", async (encoding, bytes) => {
  const file = new Blob([bytes]);
  expect(await guessEncoding(file)).toBe(encoding);
  expect(await (await toUtf8(file, encoding)).text()).toBe("part_number,title\n1,Käse 10 €\n");
});

it("each page says which scope it needs", () => {
  const source = readFileSync(join(import.meta.dirname, "../src/console/console.tsx"), "utf8");
  const pages = [...source.matchAll(/(?:^ +name=|<Resource name=|<Route path=)"\/?([a-z-]+)/gm)].map(
    ([, page]) => page!,
  );
  expect([...new Set(pages)].sort()).toEqual(Object.keys(PAGE_SCOPES).sort());
  expect(["/webhooks", "/webhooks/we_1/show", "/webhooks/we_1", "/webhooks/create"].map(findScope)).toEqual([
    ...["webhooks:read", "webhooks:read", "webhooks:write", "webhooks:write"],
  ]);
  expect(["/", "/nothing-here"].map(findScope)).toEqual([undefined, undefined]);
});
