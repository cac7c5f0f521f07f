import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startEdge, type Edge } from "./edge-client.ts";

describe.each(["local", "fake"] as const)("an entry point whose services are on a %s broker", (transport) => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge(["payment", "gateway"], { transport });
  });
  afterAll(() => edge.stop());

  test("answers with the envelope and the documented status", async () => {
    const reply = await edge.ask("payment", "POST", "/api/things/abc", { body: { amount: 5 } });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({ success: true, data: { params: { id: "abc", amount: 5 }, atIsDate: false, polluted: false } });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});
