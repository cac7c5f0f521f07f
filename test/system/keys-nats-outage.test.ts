import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { eventually } from "../support/eventually.ts";
import { testNamespace } from "../support/jetstream.ts";
import { NATS_SERVER, startOwnNats, type OwnNats } from "../support/nats-server.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";

/** The user entry point is beside the access service; NATS alone leads there from all others. */
const PROCESSES = [
  "access,http:user",
  [
    "analytics,ai,cart,catalog,customer,dis-router,eventstore,health-analytics,mail,media,order,payment,pipeline,sandbox",
    "search,settings,user,webhook",
    ...ENTRY_POINTS.filter((entry) => entry !== "user").map((entry) => `http:${entry}`),
  ].join(","),
];

(NATS_SERVER && process.env.MONGO_URL ? describe : describe.skip)("Keys while NATS is away", () => {
  let nats: OwnNats;
  let system: System;
  beforeAll(async () => {
    nats = await startOwnNats();
    const env = { NATS_URL: nats.url, NATS_NAMESPACE: testNamespace() };
    system = await startSystem({ mode: "split", env, processes: PROCESSES });
  }, 240_000);
  afterAll(async () => {
    await system?.stop();
    await nats?.stop();
  });

  const statusAt = async (entry: "gateway" | "user", key: string): Promise<number> =>
    // It is the process's own page: nothing but the key's check asks another.
    (await system.request(entry, "GET", "/metrics", { token: key })).status;

  it("a revoked key ends within five seconds on a node that cannot learn of it, and stays ended", async () => {
    const body = { name: "Revoked", scopes: ["system:read"] };
    const made = await system.request("gateway", "POST", "/api/admin/keys", { body, adminToken: ADMIN_TOKEN });
    const { keyId, key } = made.body.data;
    for (const entry of ["gateway", "user"] as const) expect(await statusAt(entry, key)).toBe(200);
    await nats.kill();
    try {
      const revoked = await system.request("user", "DELETE", `/api/admin/keys/${keyId}`, { adminToken: ADMIN_TOKEN });
      expect([revoked.status, revoked.body.data.revokedAt]).toEqual([200, expect.any(String)]);
      const since = performance.now();
      let lastTaken = 0;
      const endedWith = async (entry: "gateway" | "user"): Promise<number> =>
        eventually(async () => {
          const askedAt = performance.now();
          const status = await statusAt(entry, key);
          if (status === 200) lastTaken = Math.max(lastTaken, askedAt - since);
          return status !== 200 && status;
        }, 20_000);
      const ended = await Promise.all([endedWith("gateway"), endedWith("user")]);
      expect([503, 504]).toContain(ended[0]);
      expect(ended[1]).toBe(401);
      expect(lastTaken).toBeLessThan(5_000);
    } finally {
      await nats.start();
    }
    await eventually(async () => (await statusAt("gateway", key)) === 401, 60_000);
  }, 120_000);
});
