import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { getCheckoutId, forgetCheckout, keepSession } from "../src/shop/cart/checkout-id.ts";

const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => void stored.set(key, text),
  removeItem: (key: string) => void stored.delete(key),
};
const useStorage = (get: () => unknown): unknown =>
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get });

beforeEach(() => {
  stored.clear();
  useStorage(() => storage);
});
afterEach(() => {
  if (before) Object.defineProperty(globalThis, "localStorage", before);
  else Reflect.deleteProperty(globalThis, "localStorage");
});

test("the id stays until the order of its session is there, also for a guest who signs in", () => {
  const id = getCheckoutId(undefined);
  keepSession("cs_1");
  expect(getCheckoutId("u1")).toBe(id);
  forgetCheckout("cs_2");
  expect(getCheckoutId("u1")).toBe(id);
  forgetCheckout("cs_1");
  expect(getCheckoutId("u1")).not.toBe(id);
});

test("another user gets an id of their own, which a session of the first does not end", () => {
  const first = getCheckoutId("u1");
  keepSession("cs_1");
  const second = getCheckoutId("u2");
  expect(second).not.toBe(first);
  forgetCheckout("cs_1");
  expect(getCheckoutId("u2")).toBe(second);
});

test.each([
  ["broken", () => storage],
  [
    "blocked",
    () => {
      throw new Error("The operation is insecure.");
    },
  ],
])("a storage that is %s keeps nobody from paying", (_, get) => {
  stored.set("checkout", "{");
  useStorage(get);
  expect(getCheckoutId(undefined)).toMatch(/^cart_[0-9a-f]{32}$/);
  keepSession("cs_1");
  forgetCheckout("cs_1");
});
