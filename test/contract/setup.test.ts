import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CHECKS } from "../../bin/setup/checks.ts";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { startPaymentSandbox } from "../../packages/sandbox/src/payment/server.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts, SANDBOX_PORT_COUNT } from "../support/ports.ts";

const children: ChildProcess[] = [];
let env: Record<string, string> = {};
const url = (setting: string, path: string, offset = 0): string =>
  `http://127.0.0.1:${Number(env[setting]) + offset}${path}`;

beforeAll(async () => {
  const first = await freePorts(ENTRY_POINTS.length + SANDBOX_PORT_COUNT);
  const folder = mkdtempSync(join(tmpdir(), "setup-"));
  env = {
    ...CHILD_ENVIRONMENT,
    SETTINGS_FILE: join(folder, "partline.env"),
    SANDBOX_PORT: String(first + ENTRY_POINTS.length),
    ...Object.fromEntries(ENTRY_POINTS.map((entry, index) => [toPortSetting(entry), String(first + index)])),
  };
  const here = ["SHOP_PORT", "CONSOLE_PORT", "GATEWAY_PORT"].map((setting) => url(setting, ""));
  const answers = [...here, "jo@shop.example", "", "", "sandbox", "sandbox", "", join(folder, "data"), ""];
  const input = answers.map((answer) => `${answer}\n`).join("");
  spawnSync(process.execPath, ["bin/partline.mjs", "setup"], { env, input });
  for (const command of ["sandbox", "start"])
    children.push(spawn(process.execPath, ["bin/partline.mjs", command], { env, stdio: "ignore" }));
  await eventually(async () => (await fetch(url("GATEWAY_PORT", "/health/ready"))).ok, 120_000);
});

afterAll(() =>
  Promise.all(
    children.map(async (child) => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }),
  ),
);

test("with the file of the setup, a shop in production takes prices and mails a sign-in link, without an account", async () => {
  const settings = parseEnv(readFileSync(env.SETTINGS_FILE!, "utf8"));
  const imported = await fetch(url("CATALOG_PORT", "/catalog/import/BNS"), {
    method: "POST",
    headers: { "X-Admin-Token": settings.ADMIN_TOKEN!, "Content-Type": "text/csv" },
    body: "Part Number,Description,Retail Price,Stock\nSETUP-1,Oil filter,12.50,3\n",
  });
  expect([imported.status, await imported.text()]).toEqual([200, expect.any(String)]);
  await fetch(url("GATEWAY_PORT", "/api/users/sign-in-links"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "jo@shop.example" }),
  });
  const mail = await eventually(async () => {
    const answer = await fetch(url("SANDBOX_PORT", "/sandbox/mails", 5));
    const { mails } = (await answer.json()) as { mails: { recipient: string; text: string }[] };
    return mails.find(({ recipient }) => recipient === "jo@shop.example");
  });
  expect(mail.text).toContain(url("SHOP_PORT", "/"));
});

test("the payment provider says what it thinks of a key, and of its webhook endpoints", async () => {
  const secretKey = "sk_test_right";
  const sandbox = await startPaymentSandbox({
    host: "127.0.0.1",
    port: 0,
    secretKey,
    webhookSecret: "whsec_right",
    webhookUrls: [],
  });
  const answers = { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: sandbox.url, STRIPE_WEBHOOK_SECRET: "whsec_right" };
  expect(await CHECKS.STRIPE_SECRET_KEY?.(answers)).toBeUndefined();
  const wrong = await CHECKS.STRIPE_SECRET_KEY?.({ ...answers, STRIPE_SECRET_KEY: "sk_test_wrong" });
  expect(wrong).toContain("Stripe refuses this key");
  expect(await CHECKS.STRIPE_WEBHOOK_SECRET?.(answers)).toContain("no enabled webhook endpoint");
  await sandbox.close();
  expect(await CHECKS.STRIPE_SECRET_KEY?.(answers)).toContain("Stripe does not answer");
});
