import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startChatSandbox } from "../src/chat/server.ts";
import { startDealerSandbox } from "../src/dealer/server.ts";
import { startEasyPostSandbox } from "../src/easypost/server.ts";
import { startIdentitySandbox } from "../src/identity/server.ts";
import { startPaymentSandbox } from "../src/payment/server.ts";
import startTireSandbox from "../src/tires/server.ts";
import { testSettings } from "../../../test/support/test-settings.ts";

const at = { host: "127.0.0.1", port: 0 };
const { payment, identity, dis } = testSettings();

describe.each([
  [
    "payment",
    "/sandbox/webhooks",
    () =>
      startPaymentSandbox({
        ...at,
        secretKey: payment.secretKey,
        webhookSecret: payment.webhookSecret,
        webhookUrls: [],
      }),
  ],
  [
    "identity",
    "/v1/tokens",
    () =>
      startIdentitySandbox({
        ...at,
        webhookSecret: identity.webhookSecret,
        webhookUrls: [],
        audience: "a",
        authorizedParty: "http://a.test",
      }),
  ],
  ["dealer", "/sandbox/faults", () => startDealerSandbox({ ...at, dealer: dis })],
  ["tires", "/sandbox/faults", () => startTireSandbox({ ...at, apiKey: "k", imageUrlBase: "http://media.invalid" })],
  ["chat", "/sandbox/faults", () => startChatSandbox(at)],
  ["easypost", "/sandbox/faults", () => startEasyPostSandbox({ ...at, apiKey: "k" })],
] as const)("The %s sandbox", (_name, changing, start) => {
  let sandbox: { url: string; port: number; close(): Promise<void> };
  beforeAll(async () => {
    sandbox = await start();
  });
  afterAll(() => sandbox.close());

  const statusOf = (method: string, path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      request(`${sandbox.url}${path}`, { method, headers }, (answer) => resolve(answer.resume().statusCode!))
        .on("error", reject)
        .end();
    });

  it("answers no web page that a foreign name leads here, and none of another origin", async () => {
    for (const host of ["evil.example", `evil.example:${sandbox.port}`, "127.0.0.1.evil.example", "evil.example."]) {
      expect([host, await statusOf("GET", "/", { host }), await statusOf("POST", changing, { host })]).toEqual([
        host,
        403,
        403,
      ]);
    }
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      expect([origin, await statusOf("POST", changing, { origin })]).toEqual([origin, 403]);
    }
  });

  it("answers by its address and by a container's name, and its own pages", async () => {
    for (const host of [
      `127.0.0.1:${sandbox.port}`,
      `localhost:${sandbox.port}`,
      `sandbox:${sandbox.port}`,
      "[::1]",
      "10.1.2.3",
    ]) {
      expect([host, await statusOf("GET", "/", { host })]).toEqual([host, 200]);
    }
    expect(await statusOf("POST", changing, { origin: sandbox.url })).not.toBe(403);
  });
});
