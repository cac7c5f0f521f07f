import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { UserDocument } from "../../services/user/collections.ts";
import { createSignatureCheck, readIdentityEvent } from "../../services/user/identity-webhook.ts";
import { type IdentityEvent, applyIdentityEvent } from "../../services/user/users.ts";
import { clerkEvent, clerkUser, svixHeaders } from "../support/identity-events.ts";

const now = new Date("2026-06-01T12:00:00Z");

describe("reading Clerk's payload", () => {
  const read = (type: string, data: object) => readIdentityEvent(JSON.parse(clerkEvent(type, data)));

  test("takes the primary address and number, the whole name and the role", () => {
    const data = clerkUser({ id: "user_1", phone: "+15550100", role: "admin", createdAt: 1_000, updatedAt: 2_000 });
    expect(read("user.created", data)).toEqual({
      type: "user.created",
      userId: "user_1",
      profile: { email: "ada@shop.example", identityName: "Ada Mechanic", identityPhone: "+15550100", role: "admin" },
      createdAt: new Date(1_000),
      updatedAt: 2_000,
    });
  });

  test.each([
    [{ firstName: null }, "Mechanic"],
    [{ lastName: null }, "Ada"],
    [{ firstName: " ", lastName: null }, undefined],
  ])("makes %j the name %s", (names, name) => {
    expect(read("user.updated", clerkUser({ id: "user_1", ...names }))).toMatchObject({
      profile: { identityName: name },
    });
  });

  test.each(["boss", "ADMIN", "", "__proto__"])("makes role %j a customer", (role) => {
    expect(read("user.updated", clerkUser({ id: "user_1", role }))).toMatchObject({ profile: { role: "customer" } });
  });

  test("needs only the id of a deleted user", () => {
    expect(read("user.deleted", { id: "user_1", object: "user", deleted: true })).toEqual({
      type: "user.deleted",
      userId: "user_1",
    });
  });

  test("ignores what is not of users", () => {
    for (const type of ["session.created", "organization.created", "user.createdAtLeast"])
      expect(read(type, { id: "x" })).toBeUndefined();
  });

  test("refuses a user without an id or a time", () => {
    const user = clerkUser({ id: "user_1" });
    const refused = expect.objectContaining({ code: "VALIDATION_FAILED" });
    expect(() => read("user.created", { ...user, id: 5 })).toThrow(refused);
    for (const id of [undefined, "a\u0000b", "\ud800", "x".repeat(256)])
      expect(() => read("user.deleted", { id })).toThrow(refused);
    expect(() => read("user.updated", { ...user, updated_at: 8.64e15 })).toThrow(refused);
    expect(read("user.updated", { ...user, created_at: -8.64e15 })).toMatchObject({ createdAt: undefined });
    const data = [expect.objectContaining({ field: "data.updated_at" })];
    expect(() => read("user.updated", { ...user, updated_at: "soon" })).toThrow(expect.objectContaining({ data }));
  });

  test("does not fail on any other shape", () => {
    const types = fc.constantFrom("user.created", "user.updated", "user.deleted", "other");
    fc.assert(
      fc.property(types, fc.jsonValue(), (type, data) => {
        try {
          readIdentityEvent({ type, data });
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_FAILED" });
        }
      }),
    );
  });
});

describe("applying events", () => {
  const upsert = (updatedAt: number, email = `${updatedAt}@shop.example`): IdentityEvent => ({
    type: updatedAt === 0 ? "user.created" : "user.updated",
    userId: "user_1",
    profile: { email, role: "customer" },
    createdAt: new Date(0),
    updatedAt,
  });
  const deleted: IdentityEvent = { type: "user.deleted", userId: "user_1" };
  const applyAll = (events: IdentityEvent[]): UserDocument | undefined =>
    events.reduce<UserDocument | undefined>(
      (current, event) => applyIdentityEvent(current, event, now) ?? current,
      undefined,
    );
  const stable = (document: UserDocument | undefined) => ({ ...document, version: undefined });

  const shuffledWithRepeats = (events: IdentityEvent[]) =>
    fc
      .shuffledSubarray([...events, ...events, ...events], { minLength: events.length })
      .filter((list) => events.every((event) => list.includes(event)));
  const events = [upsert(0), upsert(10), upsert(20), upsert(30)];

  test("in any order and with repeats, the newest update stands", () => {
    fc.assert(
      fc.property(shuffledWithRepeats(events), (delivered) => {
        expect(stable(applyAll(delivered))).toEqual(stable(applyAll(events)));
        expect(applyAll(delivered)).toMatchObject({ email: "30@shop.example", identityUpdatedAt: 30 });
      }),
    );
  });

  test("in any order and with repeats, a deleted user stays deleted and nothing personal is left", () => {
    fc.assert(
      fc.property(shuffledWithRepeats([...events, deleted]), (delivered) => {
        expect(stable(applyAll(delivered))).toEqual({ _id: "user_1", deletedAt: now });
      }),
    );
  });

  test("what the user set here outlives the identity provider's updates", () => {
    const own = { name: "Ada", phone: "+1 555 0100", addresses: [{ city: "Springfield" }] };
    const current = { ...(applyAll([upsert(10)]) as UserDocument), ...own } as UserDocument;
    expect(applyIdentityEvent(current, upsert(20), now)).toMatchObject({
      ...own,
      email: "20@shop.example",
      version: current.version + 1,
    });
  });
});

describe("Svix's signature", () => {
  const secret = "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==";
  const check = createSignatureCheck(secret);
  const body = clerkEvent("user.deleted", { id: "user_1" });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const invalid = expect.objectContaining({ code: "INVALID_SIGNATURE" });

  test("lets the exact text through", () => {
    expect(check({ body, headers: svixHeaders(secret, body, { id: "msg_1" }) })).toEqual({
      id: "msg_1",
      payload: JSON.parse(body),
    });
  });

  test("may be one of several, as while a secret is changed", () => {
    const headers = svixHeaders(secret, body);
    headers["svix-signature"] = `v1,${Buffer.from("other").toString("base64")} ${headers["svix-signature"]}`;
    expect(check({ body, headers })).toMatchObject({ payload: JSON.parse(body) });
  });

  test.each([4.9, -4.9])("made %d minutes ago is in time", (minutes) => {
    expect(() => check({ body, headers: svixHeaders(secret, body, { at: minutesAgo(minutes) }) })).not.toThrow();
  });

  test.each([5.1, -5.1])("made %d minutes ago is not", (minutes) => {
    expect(() => check({ body, headers: svixHeaders(secret, body, { at: minutesAgo(minutes) }) })).toThrow(invalid);
  });

  test.each(["svix-id", "svix-timestamp", "svix-signature"])("is refused without %s", (name) => {
    const { [name]: _left, ...headers } = svixHeaders(secret, body);
    expect(() => check({ body, headers })).toThrow(invalid);
  });

  test("is refused for another text, id, time or secret", () => {
    const headers = svixHeaders(secret, body);
    expect(() => check({ body: `${body} `, headers })).toThrow(invalid);
    expect(() => check({ body, headers: { ...headers, "svix-id": "msg_other" } })).toThrow(invalid);
    const earlier = String(Number(headers["svix-timestamp"]) - 1);
    expect(() => check({ body, headers: { ...headers, "svix-timestamp": earlier } })).toThrow(invalid);
    const others = svixHeaders("whsec_b3RoZXItc2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXM=", body);
    expect(() => check({ body, headers: others })).toThrow(invalid);
    for (const signature of [headers["svix-signature"]!.replace("v1,", "v2,"), "v1"])
      expect(() => check({ body, headers: { ...headers, "svix-signature": signature } })).toThrow(invalid);
  });

  test("over what is not JSON is another refusal", () => {
    expect(() => check({ body: "{", headers: svixHeaders(secret, "{") })).toThrow(
      expect.objectContaining({ code: "INVALID_JSON" }),
    );
  });

  test("needs a secret of Svix's form, and does not show a bad one", () => {
    expect(() => createSignatureCheck("whsec_not base64!")).toThrow(
      /^IDENTITY_WEBHOOK_SECRET is not a Svix secret: whsec_ followed by base64$/,
    );
  });
});
