import { describe, expect, it } from "@jest/globals";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";

const system = useSystem();

describe("Durable tasks", () => {
  const id = "catalog.sync:nothing";

  it("are for admins", async () => {
    const token = await system.token("customer");
    for (const [method, path] of [
      ["GET", ""],
      ["GET", `/${id}`],
      ["POST", `/${id}/retry`],
      ["DELETE", `/${id}`],
    ] as const) {
      expect((await system.request("gateway", method, `/admin/tasks${path}`)).status).toBe(401);
      expect((await system.request("gateway", method, `/admin/tasks${path}`, { token })).status).toBe(403);
    }
  });

  it("are listed by kind and state, and 404 to an id that is none's", async () => {
    const ask = (method: "GET" | "POST" | "DELETE", path: string) =>
      system.request("gateway", method, `/admin/tasks${path}`, { adminToken: ADMIN_TOKEN });
    const listed = await ask("GET", "?kind=test.none&state=dead");
    expect([listed.status, listed.body]).toEqual([200, { tasks: [] }]);
    expect((await ask("GET", "?state=lost")).body.error).toMatchObject({ code: "VALIDATION_FAILED" });
    for (const answer of [
      await ask("GET", `/${id}`),
      await ask("POST", `/${id}/retry`),
      await ask("DELETE", `/${id}`),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body.error).toEqual({ code: "NOT_FOUND", message: `Task ${id} not found` });
    }
  });
});

describe("Dead letters", () => {
  it("are for admins", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/cart:1/replay"],
      ["DELETE", "/cart:1"],
    ] as const) {
      expect((await system.request("gateway", method, `/admin/dead-letters${path}`)).status).toBe(401);
      const token = await system.token("customer");
      expect((await system.request("gateway", method, `/admin/dead-letters${path}`, { token })).status).toBe(403);
    }
  });

  it("are none where nothing failed", async () => {
    const { status, body } = await system.request("gateway", "GET", "/admin/dead-letters", { adminToken: ADMIN_TOKEN });
    expect([status, body]).toEqual([200, { dead_letters: [] }]);
  });

  it("answer 404 to an id that is none's", async () => {
    const replay = await system.request("gateway", "POST", "/admin/dead-letters/cart:nothing/replay", {
      adminToken: ADMIN_TOKEN,
    });
    const drop = await system.request("gateway", "DELETE", "/admin/dead-letters/cart:nothing", {
      adminToken: ADMIN_TOKEN,
    });
    for (const { status, body } of [replay, drop]) {
      expect(status).toBe(404);
      expect(body.error).toEqual({ code: "NOT_FOUND", message: "Dead letter cart:nothing not found" });
    }
  });
});
