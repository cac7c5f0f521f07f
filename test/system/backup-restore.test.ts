import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buy } from "../support/buy.ts";
import { sendManual } from "../support/requests.ts";
import { newCartId } from "../contract/payment.shop.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { manualPdf, sha256Of } from "../support/manuals.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";

const LANES = 3;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

interface Acknowledged {
  sessionId: string;
  orderId: string;
}

const command = (name: "backup" | "restore", folder: string) =>
  promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", `bin/${name}.ts`, folder], {
    cwd: ROOT,
    env: { ...CHILD_ENVIRONMENT, DATA_DIR: system.dataDir },
  });

async function placeOrder(item: object): Promise<Acknowledged> {
  const cartId = newCartId();
  const { sessionId, orderId } = await buy(system, { cartId, items: [item] });
  return { sessionId, orderId };
}

async function orderOf(sessionId: string): Promise<Acknowledged | undefined> {
  const { status, body } = await system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);
  return status === 200 ? { sessionId, orderId: body.data.orderId as string } : undefined;
}

async function history(orderId: string): Promise<string[]> {
  const { body } = await system.request("eventstore", "GET", `/events?aggregate_id=${orderId}`);
  return (body.events as { event_type: string }[]).map(({ event_type: type }) => type);
}

async function readManual(content: Buffer): Promise<void> {
  const sent = await sendManual(system, content);
  expect(sent.status).toBe(202);
  await eventually(
    async () =>
      (await system.request("pipeline", "GET", `/api/jobs/${sent.body.batch_id}`)).body.status === "completed",
    60_000,
  );
}

test("what was acknowledged before a backup that is taken under load is there after it is restored, once", async () => {
  const { parts } = (await system.request("search", "GET", "/api/search?limit=5&minPrice=1")).body;
  const items = parts.map(({ productId, partNumber, title, unitPrice }: Record<string, unknown>) => ({
    productId,
    partNumber,
    title,
    unitPrice,
    quantity: 1,
  }));
  const manual = await manualPdf({ pages: 3, title: "Kept" });
  await readManual(manual);

  const acknowledged: Acknowledged[] = [];
  let isOpen = true;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = lane; isOpen; turn++) acknowledged.push(await placeOrder(items[turn % items.length]));
  });
  await Promise.race([eventually(() => acknowledged.length >= 2 * LANES, 60_000), ...lanes]);
  const before = [...acknowledged];
  const folder = join(mkdtempSync(join(tmpdir(), "partline-backup-")), "backup");
  const { stdout } = await command("backup", folder);
  expect(stdout).toContain(`${folder} holds`);
  // The load goes on beyond the backup.
  const atItsEnd = acknowledged.length;
  await Promise.race([eventually(() => acknowledged.length > atItsEnd, 60_000), ...lanes]);
  isOpen = false;
  await Promise.all(lanes);

  await system.kill();
  renameSync(system.dataDir, `${system.dataDir}-lost`);
  await command("restore", folder);
  await system.start();

  for (const { sessionId, orderId } of before) {
    expect(await orderOf(sessionId)).toEqual({ sessionId, orderId });
    await eventually(async () => (await history(orderId)).length > 0);
    expect(await history(orderId)).toEqual(["ORDER_CREATED"]);
  }
  // Every order that is there has been announced once, and nothing is announced of an order that is not there.
  await eventually(async () => {
    const orders = (
      await system.request("payment", "GET", "/api/admin/orders?pageSize=100", { adminToken: ADMIN_TOKEN })
    ).body.data.orders as Acknowledged[];
    const { events } = (await system.request("eventstore", "GET", "/events?event_type=ORDER_CREATED&limit=1000"))
      .body as { events: { aggregate_id: string }[] };
    expect(events.map(({ aggregate_id: id }) => id).sort()).toEqual(orders.map(({ orderId }) => orderId).sort());
    return true;
  });

  const again = await eventually(async () => {
    const found = await system.request(
      "search",
      "GET",
      `/api/search?q=${encodeURIComponent(items[0].partNumber)}&limit=1`,
    );
    return found.status === 200 && found.body.parts.length === 1 && found.body.parts;
  }, 60_000);
  expect(again).toMatchObject([{ partNumber: items[0].partNumber }]);
  const source = await fetch(`${system.url("pipeline")}/api/manuals/${sha256Of(manual)}/source.pdf`);
  expect(Buffer.from(await source.arrayBuffer()).equals(manual)).toBe(true);
  expect((await placeOrder(items[0])).orderId).toMatch(/^ord_/);
});
