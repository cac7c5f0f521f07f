import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isFromTheFuture } from "../../mixins/payment-provider/payment-provider.ts";

const now = Date.parse("2026-11-21T10:00:00.900Z");
const seconds = Math.floor(now / 1000);

test("a signature is from the future when its time is more than 300 s ahead", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 1_000 }), (ahead) => {
      expect(isFromTheFuture(`t=${seconds + ahead},v1=abc`, now)).toBe(ahead > 300);
    }),
  );
});

test("of several times the last counts, which is what the library signs", () => {
  expect(isFromTheFuture(`t=${seconds},v1=abc,t=${seconds + 301}`, now)).toBe(true);
  expect(isFromTheFuture(`t=${seconds + 301},v1=abc,t=${seconds}`, now)).toBe(false);
});

test("a header without a readable time is refused", () => {
  for (const header of ["", "v1=abc", "t=,v1=abc", "t=soon,v1=abc"]) expect(isFromTheFuture(header, now)).toBe(true);
});
