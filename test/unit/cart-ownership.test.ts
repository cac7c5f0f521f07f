import { describe, expect, it } from "@jest/globals";
import type { Caller } from "../../broker/contract/context.ts";
import { errorCode } from "../../mixins/errors.ts";
import {
  assertMaySave,
  assertMayUse,
  type CartOwner,
  decideOwner,
  resolveOwnCart,
  resolveUserCart,
} from "../../services/cart/ownership.ts";

function user(sub: string, more: Partial<Caller> = {}): Caller {
  return { user: { sub, role: "customer", aud: "a", azp: "z" }, admin: false, ...more };
}

const nobody: Caller = { admin: false };
const admin: Caller = { admin: true };
const guest = (sessionId: string): Caller => ({ admin: false, sessionId });

function outcome(rule: () => unknown): string {
  try {
    rule();
    return "ok";
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

describe("Who may use a saved cart", () => {
  const usersCart: CartOwner = { userId: "ada", sessionId: "s1" };
  const guestsCart: CartOwner = { sessionId: "s1" };
  it.each<[string, Caller, CartOwner, string]>([
    ["a user's: that user", user("ada"), usersCart, "ok"],
    ["a user's: nobody", nobody, usersCart, "UNAUTHORIZED"],
    ["a user's: its session without the token", guest("s1"), usersCart, "UNAUTHORIZED"],
    ["a user's: another user", user("bob", { sessionId: "s1" }), usersCart, "FORBIDDEN"],
    ["a user's: an admin", admin, usersCart, "ok"],
    ["a session's: that session", guest("s1"), guestsCart, "ok"],
    ["a session's: that session with a token", user("ada", { sessionId: "s1" }), guestsCart, "ok"],
    ["a session's: another session", guest("s2"), guestsCart, "FORBIDDEN"],
    ["a session's: nobody", nobody, guestsCart, "UNAUTHORIZED"],
    ["a session's: a user without the session", user("ada"), guestsCart, "FORBIDDEN"],
    ["a session's: an admin", admin, guestsCart, "ok"],
    ["nobody's: anybody", nobody, {}, "ok"],
  ])("%s", (_name, caller, owner, expected) => {
    expect(outcome(() => assertMayUse(caller, owner))).toBe(expected);
  });
});

it("A cart of a session names the header that a request without it lacks", () => {
  for (const caller of [nobody, user("ada")])
    expect(() => assertMayUse(caller, { sessionId: "s1" })).toThrow("Missing X-Session-Id header");
});

describe("Who may save a cart", () => {
  it.each<[string, Caller, CartOwner, string]>([
    ["for a user: that user", user("ada"), { userId: "ada" }, "ok"],
    ["for a user: nobody", nobody, { userId: "ada" }, "UNAUTHORIZED"],
    ["for a user: another user", user("bob"), { userId: "ada" }, "FORBIDDEN"],
    ["for a user: an admin", admin, { userId: "ada" }, "ok"],
    ["for a session: whoever knows it", nobody, { sessionId: "s1" }, "ok"],
    ["for a session: that session", guest("s1"), { sessionId: "s1" }, "ok"],
    ["for a session: another session", guest("s2"), { sessionId: "s1" }, "FORBIDDEN"],
    ["for nobody: anybody", guest("s2"), {}, "ok"],
  ])("%s", (_name, caller, owner, expected) => {
    expect(outcome(() => assertMaySave(caller, owner))).toBe(expected);
  });
});

it("A cart opens to the client that saved it with the same credentials", () => {
  const staff = user("root", { user: { sub: "root", role: "admin", aud: "a", azp: "z" } });
  for (const sent of [{}, { sessionId: "s1" }, { userId: "ada" }, { userId: "ada", sessionId: "s1" }])
    for (const caller of [user("ada"), user("ada", { sessionId: "s1" })])
      expect(outcome(() => assertMayUse(caller, decideOwner(caller, sent)))).toBe("ok");
  expect(decideOwner(user("ada"), { sessionId: "s1" })).toEqual({ userId: "ada", sessionId: "s1" });
  for (const caller of [user("ada", { sessionId: "s1" }), guest("s1"), nobody, staff])
    expect(decideOwner(caller, { sessionId: "s1" })).toEqual({ sessionId: "s1" });
});

describe("The caller's own cart", () => {
  it("is the user's, and takes in the session's", () => {
    expect(resolveOwnCart(user("ada"))).toEqual({ cart: "user:ada" });
    expect(resolveOwnCart(user("ada", { sessionId: "s1" }))).toEqual({ cart: "user:ada", absorb: "session:s1" });
  });

  it("is the session's without a user, and nobody's is 401", () => {
    expect(resolveOwnCart(guest("s1"))).toEqual({ cart: "session:s1" });
    expect(outcome(() => resolveOwnCart(nobody))).toBe("UNAUTHORIZED");
    expect(outcome(() => resolveOwnCart(admin))).toBe("UNAUTHORIZED");
  });

  it("never lets a user's id pass for a session's, or the other way round", () => {
    expect(resolveOwnCart(user("session:s1")).cart).not.toBe(resolveOwnCart(guest("s1")).cart);
    expect(resolveOwnCart(guest("user:ada")).cart).not.toBe(resolveOwnCart(user("ada")).cart);
  });

  it("is shown to its user and to admins by the user's id; an admin's session stays out of it", () => {
    expect(resolveUserCart(user("ada", { sessionId: "s1" }), "ada")).toEqual({
      cart: "user:ada",
      absorb: "session:s1",
    });
    expect(resolveUserCart(user("root", { admin: true, sessionId: "s1" }), "ada")).toEqual({ cart: "user:ada" });
    expect(outcome(() => resolveUserCart(nobody, "ada"))).toBe("UNAUTHORIZED");
    expect(outcome(() => resolveUserCart(user("bob"), "ada"))).toBe("FORBIDDEN");
  });
});
