import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Caller } from "../../broker/contract/context.ts";
import { findHolders, limitHeld } from "../../services/catalog/holders.ts";

const guest = (sessionId?: string, client?: string) =>
  findHolders({ meta: { caller: { admin: false, sessionId }, client } });

/** Of many parts a few pieces each, or of any number. */
const linesArb = (maxLength: number) =>
  fc.constantFrom(3, 9_999).chain((max) =>
    fc.array(
      fc.record({
        productId: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
        quantity: fc.integer({ min: 1, max }),
      }),
      { maxLength },
    ),
  );

describe("how much a caller holds without paying", () => {
  it("never exceeds the bound of any holder, and never what was asked for", () => {
    fc.assert(
      fc.property(linesArb(100), fc.array(linesArb(60), { maxLength: 2 }), (asked, others) => {
        const holders = others.map((_, index) => ({
          id: String(index),
          parts: 20 + index * 30,
          pieces: 100 + index * 150,
        }));
        const wanted = new Map(asked.map(({ productId, quantity }) => [productId, quantity]));
        const most = limitHeld(wanted, holders, ({ id }) => others[Number(id)]!);
        for (const [productId, quantity] of most) expect(quantity).toBeLessThanOrEqual(wanted.get(productId)!);
        for (const { id, parts, pieces } of holders) {
          const elsewhere = others[Number(id)]!;
          const before = elsewhere.reduce((sum, { quantity }) => sum + quantity, 0);
          const held = [...most.values()].reduce((sum, quantity) => sum + quantity, 0);
          if (most.size > 0) expect(elsewhere.length + most.size).toBeLessThanOrEqual(parts);
          if (most.size > 0) expect(before + held).toBeLessThanOrEqual(pieces);
        }
      }),
    );
  });

  it("is as many parts, and pieces, as the bound says", () => {
    const parts = (count: number, quantity: number) =>
      new Map(Array.from({ length: count }, (_, n): [string, number] => [`part-${n}`, quantity]));
    const holder = { id: "session", parts: 20, pieces: 100 };
    const before = [{ productId: "other", quantity: 10 }];
    expect(limitHeld(parts(30, 1), [holder], () => before).size).toBe(19);
    expect([...limitHeld(parts(3, 60), [holder], () => before).values()]).toEqual([60, 30]);
  });

  it("counts a guest by session and address, so that new sessions are of no use", () => {
    const [session, address] = guest("8d1c1e2e-0000-4000-8000-000000000001", "203.0.113.7");
    const [other, same] = guest("8d1c1e2e-0000-4000-8000-000000000002", "203.0.113.7");
    expect(same!.id).toBe(address!.id);
    expect(other!.id).not.toBe(session!.id);
    expect(JSON.stringify([session, address])).not.toMatch(/203\.0|8d1c/);
  });

  it("lets a key, staff and calls of the system hold what they ask for, and a user a whole checkout", () => {
    const key = { keyId: "key_1", scopes: ["orders:read"] } satisfies Caller["key"];
    for (const caller of [{ admin: false, key }, { admin: true }] satisfies Caller[])
      expect(findHolders({ meta: { caller, client: "203.0.113.7" } })).toEqual([]);
    expect(guest()).toEqual([]);
    const user = { sub: "user_1", role: "customer", aud: "a", azp: "b" } satisfies Caller["user"];
    const [own, ...more] = findHolders({ meta: { caller: { admin: false, user }, client: "203.0.113.7" } });
    expect([own!.parts, more]).toEqual([100, []]);
  });
});
