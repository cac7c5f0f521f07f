import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { RUNS } from "@partline/moleculer-kit";
import type { Document } from "../../../packages/durable/src/document-store/port.ts";
import { eventually } from "../../support/eventually.ts";
import { startEdge, type Reply } from "./edge-client.ts";
import { heldCalls, payments } from "./shop-contract.ts";
import { useStarted } from "../../support/use-started.ts";

interface Run extends Document {
  heldUntil: Date;
  answer?: string;
  expiresAt: Date;
}

const SESSION = { "x-session-id": "session-0001" };

describe("a POST that pays", () => {
  const edge = useStarted(() => startEdge(["payment", "gateway"], { transport: "fake" }));

  let key: string;
  beforeEach(() => {
    key = randomUUID();
    payments.made = 0;
    payments.ids = [];
    heldCalls.begun = 0;
    heldCalls.end = Promise.withResolvers();
  });

  const pay = (body: object, headers: Record<string, string> = {}, entry: "payment" | "gateway" = "gateway") =>
    edge.ask(entry, "POST", "/api/payments", { body, headers: { "idempotency-key": key, ...SESSION, ...headers } });
  const code = ({ status, json }: Reply): [number, string] => [status, json.error?.code];
  const runs = () => edge.documents.collection<Run>(RUNS);

  test("gives the same answer to the same request, from any gateway, and says so", async () => {
    const first = await pay({ amount: 5, more: { a: "1", b: "2" } });
    const again = await pay({ more: { b: "2", a: "1" }, amount: 5 }, {}, "payment");
    expect([first.status, first.json]).toEqual([
      201,
      { success: true, data: { n: 1, at: "2026-01-31T09:00:00.000Z" } },
    ]);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
    expect(payments.made).toBe(1);
  });

  test("runs each time without a key, and writes nothing about it", async () => {
    await runs().deleteMany({});
    for (const n of [1, 2]) {
      const reply = await edge.ask("gateway", "POST", "/api/payments", { body: { amount: 5 } });
      expect(reply.json.data.n).toBe(n);
    }
    expect(await runs().count({})).toBe(0);
  });

  test("refuses the key of another request", async () => {
    await pay({ amount: 5 });
    expect(code(await pay({ amount: 6 }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    const beside = await edge.ask("gateway", "POST", "/api/payments/beside", {
      body: { amount: 5 },
      headers: { "idempotency-key": key, ...SESSION },
    });
    // A route without sessions: its callers are nobody.
    expect([beside.status, payments.made]).toEqual([200, 3]);
    expect((await pay({ amount: 5 })).json.data.n).toBe(1);
  });

  test("keeps callers apart", async () => {
    await pay({ amount: 5 });
    expect((await pay({ amount: 6 }, { "x-session-id": "session-0002" })).status).toBe(201);
    expect((await pay({ amount: 7 }, { "x-admin-token": "test-admin-token" })).status).toBe(201);
    expect(payments.made).toBe(3);
  });

  test("runs once when two ask at once: the second is to come back", async () => {
    const first = pay({ amount: 5, how: "held" });
    await eventually(() => heldCalls.begun === 1);
    const second = await pay({ amount: 5, how: "held" }, {}, "payment");
    expect(code(second)).toEqual([409, "IDEMPOTENCY_KEY_IN_USE"]);
    expect(second.headers["retry-after"]).toBe("1");
    heldCalls.end.resolve();
    const { text } = await first;
    expect((await pay({ amount: 5, how: "held" }, {}, "payment")).text).toBe(text);
    expect(payments.made).toBe(1);
  });

  test("is free again after its process died, for one of those who ask", async () => {
    const lost = pay({ amount: 5, how: "held" });
    await eventually(() => heldCalls.begun === 1);
    const [run] = await runs().find({ answer: null });
    expect(run!.heldUntil.getTime()).toBeGreaterThan(Date.now() + 55_000);
    // What a death and a minute leave.
    await runs().updateOne({ _id: run!._id }, { $set: { heldUntil: new Date(Date.now() - 1) } });
    const asked = [pay({ amount: 5, how: "held" }), pay({ amount: 5, how: "held" }, {}, "payment")];
    expect(code(await Promise.race(asked))).toEqual([409, "IDEMPOTENCY_KEY_IN_USE"]);
    await eventually(() => heldCalls.begun === 2);
    heldCalls.end.resolve();
    await Promise.all([lost, ...asked]);
    const after = await pay({ amount: 5, how: "held" });
    expect([after.json.data.n, payments.made]).toEqual([2, 2]);
  });

  test.each([
    ["refused", 409, "OUT_OF_STOCK"],
    ["late", 504, "TIMEOUT"],
    ["bug", 500, "INTERNAL_ERROR"],
  ])("answers the same if it was %s", async (how, status, expected) => {
    const first = await pay({ amount: 5, how });
    const again = await pay({ amount: 5, how });
    expect(code(first)).toEqual([status, expected]);
    expect([again.status, again.json]).toEqual([first.status, first.json]);
    expect(payments.made).toBe(1);
    expect(again.text).not.toContain("hunter2");
  });

  test("runs again if nothing was done: the store was away, or the params were wrong", async () => {
    expect(code(await pay({ amount: 5, how: "away" }))).toEqual([503, "DATABASE_UNAVAILABLE"]);
    expect(code(await pay({ amount: 5, how: "away" }))).toEqual([503, "DATABASE_UNAVAILABLE"]);
    expect(payments.made).toBe(2);
    expect((await pay({ amount: "5" })).status).toBe(400);
    expect((await pay({ amount: 5 })).json.data.n).toBe(3);
  });

  test("runs again under the same id, and another request that takes the free key under its own", async () => {
    for (const amount of [5, 5, 6]) await pay({ amount, how: "away" });
    expect(code(await pay({ amount: 7 }))).toEqual([201, undefined]);
    const [first, again, ...others] = payments.ids;
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
    expect(code(await pay({ amount: 6, how: "away" }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("keeps the answer for a day, and nothing that can be read without the key", async () => {
    await runs().deleteMany({});
    await pay({ amount: 5 });
    const [run] = await runs().find({});
    expect(Math.round((run!.expiresAt.getTime() - Date.now()) / 60_000)).toBe(24 * 60);
    const text = JSON.stringify(run) + Buffer.from(run!.answer!, "base64").toString("latin1");
    for (const secret of [key, "session-0001", "2026-01-31"]) expect(text).not.toContain(secret);
  });

  test("keeps the answer of a later run for a day too", async () => {
    await runs().deleteMany({});
    await pay({ amount: 5, how: "away" });
    // As if it were 23 hours later.
    await runs().updateMany({}, { $set: { expiresAt: new Date(Date.now() + 60 * 60_000) } });
    await pay({ amount: 5, how: "away" });
    const [run] = await runs().find({});
    expect(run!.expiresAt.getTime()).toBeGreaterThan(Date.now() + 23 * 60 * 60_000);
  });

  test.each(["", " ", "a b", "ü", "x".repeat(256)])("refuses the key %p", async (wrong) => {
    key = wrong;
    const reply = await pay({ amount: 5 });
    expect([code(reply), reply.json.error.message, payments.made]).toEqual([
      [400, "VALIDATION_FAILED"],
      expect.stringContaining("'Idempotency-Key'"),
      0,
    ]);
  });
});
