import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { gatewayAt } from "../src/support/cluster/balancer.ts";
import { beginCampaign, type Campaign } from "../src/support/cluster/campaign.ts";
import type { Cluster } from "../src/support/cluster/cluster.ts";
import { startClients } from "../src/support/cluster/load.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { freePorts } from "../../../test/support/ports.ts";

let server: Server | undefined;
let campaign: Campaign | undefined;
afterEach(async () => {
  await campaign?.close();
  server?.close();
  server?.closeAllConnections();
});

/** A gateway that has parts to sell and takes on a receiver of webhooks, and no more. */
async function shopWindow(): Promise<Cluster> {
  const parts = Array.from({ length: 4 }, (_, index) => ({
    productId: `p-${index}`,
    partNumber: String(index),
    title: "Belt",
    unitPrice: 5,
    status: "active",
  }));
  const port = await freePorts(1);
  server = createServer((request, response) =>
    response
      .writeHead(request.url === "/api/admin/webhooks" ? 201 : 200, { "content-type": "application/json" })
      .end(JSON.stringify({ parts, pagination: { total: 4 } })),
  );
  await once(server.listen(port, "127.0.0.1"), "listening");
  const members = [{ name: "edge-1", role: "edge", output: "Partline is ready\n" }];
  return {
    gateways: [gatewayAt("edge-1", port)],
    members,
    adminToken: "",
    identitySandboxUrl: "http://127.0.0.1:1",
    paymentSandboxUrl: "http://127.0.0.1:1",
  } as unknown as Cluster;
}

test("a run that breaks off leaves its own history, what its processes printed and why, nothing of the run before, and no client that goes on", async () => {
  const directory = mkdtempSync(join(tmpdir(), "partline-campaign-"));
  for (const name of ["verdict.json", "final-state.json"]) writeFileSync(join(directory, name), '{ "ok": true }');
  campaign = await beginCampaign(await shopWindow(), directory);
  expect([existsSync(join(directory, "verdict.json")), existsSync(join(directory, "final-state.json"))]).toEqual([
    false,
    false,
  ]);
  const { balancer, shop, history, underLoad, breakOff, close } = campaign;
  underLoad(startClients(balancer, shop, history, 1));
  await eventually(() => history.operations().some(({ type, result }) => type === "search" && result === "ok"));
  breakOff(new Error("edge-2 did not become ready"));
  const written = readFileSync(join(directory, "history.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(written.map(({ type }) => type)).toContain("search");
  expect(JSON.parse(readFileSync(join(directory, "verdict.json"), "utf8"))).toEqual({
    ok: false,
    brokenOff: "Error: edge-2 did not become ready",
  });
  expect(readFileSync(join(directory, "edge-1.txt"), "utf8")).toBe("Partline is ready\n");
  await close();
  const { length } = history.entries;
  await expect(balancer.send({ entry: "gateway", method: "GET", path: "/" })).rejects.toThrow("closed");
  expect(history.entries).toHaveLength(length);
});
