import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { ORDER_STATUSES } from "../../broker/contract/placed-order.ts";
import { eventually } from "../support/eventually.ts";

const file = (name: string): string => readFileSync(new URL(`../../web/checkout/${name}`, import.meta.url), "utf8");
const html = file("success.html");
const script = new vm.Script(file("success.js"));

type Answer = { ok: boolean; json?: () => Promise<unknown> };

/** Runs the page's script on the ids that the page has, with these answers one after another; the last one stays. */
function visit(search: string, answers: Answer[]) {
  const elements = new Map(
    [...html.matchAll(/id="(\w+)"/g)].map(([, id]) => [id!, { textContent: "", hidden: id === "order" }]),
  );
  const document = { title: "", getElementById: (id: string) => elements.get(id) };
  const asked: string[] = [];
  let now = 0;
  script.runInNewContext({
    document,
    location: { search },
    URLSearchParams,
    Date: class extends Date {
      static override now = () => now;
    },
    fetch: (path: string) => {
      asked.push(path);
      return Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]);
    },
    setTimeout: (again: (pause: number) => void, pause: number, next: number) => {
      now += pause;
      setImmediate(again, next);
    },
  });
  return {
    text: (id: string) => elements.get(id)!.textContent,
    shown: () => !elements.get("order")!.hidden,
    document,
    asked,
  };
}

const orderWith = (status: string): Answer => ({
  ok: true,
  json: () =>
    Promise.resolve({
      data: { orderId: "ord_1", orderNumber: "ORD-20261121-000001", status, createdAt: "2026-11-21T10:00:00Z" },
    }),
});

test.each([...ORDER_STATUSES, "held"])(
  "an order that is %s is shown as that, and thanked for only while it goes ahead",
  async (status) => {
    const page = visit("?session_id=cs_1", [{ ok: false }, orderWith(status)]);
    await eventually(page.shown);
    expect(page.asked).toEqual(Array(2).fill("/api/orders/by-session/cs_1"));
    expect(page.text("number")).toBe("ORD-20261121-000001");
    expect(page.text("status")).toBe(status);
    expect(/thank/i.test(page.text("heading"))).toBe(status === "pending" || status === "processing");
    expect(/cancelled/.test(page.text("heading"))).toBe(status === "cancelled");
    expect(page.document.title).toBe(page.text("heading"));
  },
);

test("a checkout that has no order within half a minute is asked for no more, and not thanked for", async () => {
  const page = visit("?session_id=cs_1", [{ ok: false }]);
  await eventually(() => page.text("heading") === "No order yet");
  expect(page.asked.length).toBeLessThan(12);
  expect(page.text("state")).toMatch(/reload this page in some minutes/);
  const { length } = page.asked;
  await new Promise(setImmediate);
  expect(page.asked).toHaveLength(length);
  expect(page.shown()).toBe(false);
});

test("an address without a checkout asks nothing", () => {
  const page = visit("", [{ ok: false }]);
  expect(page.text("heading")).toBe("No checkout");
  expect(page.asked).toEqual([]);
});

test("the page itself promises neither an order nor a payment before it has looked", () => {
  expect(html).not.toMatch(/thank|paid|your payment is/i);
});
