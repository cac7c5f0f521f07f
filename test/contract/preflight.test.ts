import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { runPreflight } from "../../bin/preflight.ts";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { SANDBOX_PORTS } from "../../broker/settings.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { NATS_SERVER, startOwnNats } from "../support/nats-server.ts";
import { freePorts, SANDBOX_PORT_COUNT } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";
import { sandbox, SECRET_KEY, WEBHOOK_SECRET } from "./payment-sandbox.support.ts";

let first: number;
let other: Server;
let taken: number;
beforeEach(async () => {
  first = await freePorts(ENTRY_POINTS.length + SANDBOX_PORT_COUNT);
  other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  taken = (other.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => other.close(resolve)));

/** Settings on ports that are free, except for what a test changes. */
function tried(env: Record<string, string> = {}): Promise<string[]> {
  const ports = Object.fromEntries(ENTRY_POINTS.map((entry, offset) => [toPortSetting(entry), String(first + offset)]));
  return runPreflight(
    testSettings({ ...ports, SANDBOX_PORT: String(first + ENTRY_POINTS.length), ADMIN_TOKEN: "t", ...env }),
  );
}

/** An identity provider at an address. */
const identityAt = (jwksUrl: string): Record<string, string> => ({
  IDENTITY_JWKS_URL: jwksUrl,
  IDENTITY_AUDIENCE: "api",
  IDENTITY_AUTHORIZED_PARTIES: "http://shop.example",
  IDENTITY_WEBHOOK_SECRET: "whsec_eA==",
});

/** A port where nobody listens. */
const silent = (): string => String(first + ENTRY_POINTS.length + SANDBOX_PORTS.easypost);

test("usable settings pass, and leave the ports free", async () => {
  await tried();
  await tried({
    NATS_URL: `nats://127.0.0.1:${silent()}, 127.0.0.1:${taken}`,
    ...identityAt(`http://127.0.0.1:${taken}/jwks`),
  });
});

test("a port that is taken is named by its setting, and two settings with one port are named", async () => {
  await expect(tried({ CART_PORT: String(taken) })).rejects.toMatchObject({
    name: "SettingsError",
    message: `CART_PORT ${taken} is taken`,
  });
  await expect(tried({ GATEWAY_PORT: String(first + 1) })).rejects.toMatchObject({
    message: `CART_PORT ${first + 1} is the port of GATEWAY_PORT too`,
  });
  await expect(tried({ SANDBOX_PORT: String(taken - 1) })).rejects.toThrow(
    `SANDBOX_PORT ${taken - 1}: port ${taken}, the identity sandbox's, is taken`,
  );
  await expect(tried({ SANDBOX_PORT: String(taken - 4) })).rejects.toThrow(
    `SANDBOX_PORT ${taken - 4}: port ${taken}, the chat sandbox's, is taken`,
  );
});

test("when every port is taken, Partline seems to run already; when one is free, it does not", async () => {
  const one = { SERVICES: "http:gateway", GATEWAY_PORT: String(taken) };
  await expect(tried(one)).rejects.toMatchObject({ message: `GATEWAY_PORT ${taken} is taken` });
  const second = createServer();
  await new Promise<void>((resolve) => second.listen(0, "127.0.0.1", resolve));
  try {
    const both = {
      SERVICES: "http:gateway,http:cart",
      GATEWAY_PORT: String(taken),
      CART_PORT: String((second.address() as AddressInfo).port),
    };
    const lines = await tried(both).then(
      () => [],
      ({ message }: Error) => message.split("\n"),
    );
    expect(lines).toEqual([
      "Partline seems to run here already: every port of it is taken.",
      `GATEWAY_PORT ${taken} is taken`,
      `CART_PORT ${both.CART_PORT} is taken`,
    ]);
    await expect(tried({ ...both, SERVICES: "http" })).rejects.toThrow(
      new RegExp(`^GATEWAY_PORT ${taken} is taken\\nCART_PORT \\d+ is taken$`),
    );
  } finally {
    await new Promise((resolve) => second.close(resolve));
  }
});

test("a port of an entry point that runs elsewhere does not matter", async () => {
  await tried({ CART_PORT: String(taken), SERVICES: "http:gateway" });
});

test("a HOST that is no address of this machine is one line", async () => {
  await expect(tried({ HOST: "192.0.2.1" })).rejects.toMatchObject({
    message: "HOST 192.0.2.1 cannot be listened on (EADDRNOTAVAIL)",
  });
});

test("a server that does not answer is named by its setting, where it is needed", async () => {
  const address = `127.0.0.1:${silent()}`;
  await expect(tried({ NATS_URL: address })).rejects.toThrow("NATS_URL: no server answers there");
  await expect(tried({ ELASTICSEARCH_URL: `http://${address}` })).rejects.toThrow(
    "ELASTICSEARCH_URL: no server answers there",
  );
  await expect(tried({ ELASTICSEARCH_URL: `http://${address}`, SERVICES: "ai,http:ai" })).rejects.toThrow(
    "ELASTICSEARCH_URL: no server answers there",
  );
  await tried({ ELASTICSEARCH_URL: `http://${address}`, SERVICES: "cart,http:cart" });
  const s3 = {
    S3_ENDPOINT: `http://${address}`,
    S3_BUCKET: "parts",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  await expect(tried(s3)).rejects.toMatchObject({ message: "S3_ENDPOINT: no server answers there" });
  await tried({ ...s3, SERVICES: "cart,http:cart" });
  for (const SERVICES of ["media,http:media", "pipeline,http:pipeline"])
    await expect(tried({ ...s3, SERVICES })).rejects.toThrow("S3_ENDPOINT: no server answers there");
  await expect(tried({ REDIS_URL: `redis://somebody:hunter2@${address}` })).rejects.toMatchObject({
    message: "REDIS_URL: it cannot be used (ECONNREFUSED)",
  });
  await tried({ REDIS_URL: `redis://${address}`, SERVICES: "media,http:media" });
  await expect(tried(identityAt(`http://${address}/jwks`))).rejects.toThrow(
    "IDENTITY_JWKS_URL: no server answers there",
  );
  const stripe = {
    STRIPE_SECRET_KEY: "sk_test_x",
    STRIPE_WEBHOOK_SECRET: "whsec_x",
    STRIPE_API_BASE: `http://${address}`,
  };
  await expect(tried(stripe)).rejects.toThrow("STRIPE_API_BASE: no server answers there");
  await tried({ ...stripe, SERVICES: "cart,http:cart" });
});

test("a dealer inventory system that is away stops no start", async () => {
  await tried({ DIS_URL: `http://127.0.0.1:${silent()}`, DIS_API_KEY: "k", DIS_DEALER_ID: "d" });
});

test("every server that does not answer is named, MongoDB too where a service needs it", async () => {
  const address = `127.0.0.1:${silent()}`;
  const dead = {
    NATS_URL: address,
    MONGO_URL: `mongodb://user:secret@${address}/shop?replicaSet=x`,
    ...identityAt(`http://${address}/jwks`),
  };
  await expect(tried(dead)).rejects.toMatchObject({
    message: ["NATS_URL", "MONGO_URL", "IDENTITY_JWKS_URL"]
      .map((name) => `${name}: no server answers there`)
      .join("\n"),
  });
  await tried({ MONGO_URL: dead.MONGO_URL, SERVICES: "http:cart" });
  await tried({ MONGO_URL: `mongodb://user:secret@127.0.0.1:${taken}/shop` });
  await tried({ MONGO_URL: "mongodb://%2Ftmp%2Fmongodb.sock" });
});

test("a DATA_DIR that cannot be one is named", async () => {
  const file = join(testSettings().dataDir, "file");
  writeFileSync(file, "");
  await expect(tried({ DATA_DIR: join(file, "data") })).rejects.toThrow(
    `DATA_DIR ${join(file, "data")} cannot be written to (ENOTDIR)`,
  );
});

test("a DATA_DIR that a start makes is its owner's alone, and one that was there stays as it is", async () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  const { dataDir } = testSettings();
  await tried({ DATA_DIR: join(dataDir, "new", "data") });
  expect([join(dataDir, "new"), join(dataDir, "new", "data")].map(modeOf)).toEqual([0o700, 0o700]);
  const given = join(dataDir, "given");
  mkdirSync(given);
  chmodSync(given, 0o750);
  expect((await tried({ DATA_DIR: given })).filter((warning) => warning.startsWith("DATA_DIR"))).toEqual([
    `DATA_DIR ${given} is open to other users of this machine: chmod 700 ${given}`,
  ]);
  expect(modeOf(given)).toBe(0o750);
  chmodSync(given, 0o700);
  expect((await tried({ DATA_DIR: given })).filter((warning) => warning.startsWith("DATA_DIR"))).toEqual([]);
});

test("stores that a version before left open to others are narrowed, and nothing else is", async () => {
  const { dataDir } = testSettings();
  const STORES = [
    "documents.sqlite",
    "documents.sqlite-wal",
    "events.db.lock",
    "payment-sandbox.sqlite",
    "admin-token",
  ];
  const FOLDERS = ["search", "media-work"];
  const OTHERS = ["notes.txt", "objects"];
  for (const name of [...FOLDERS, "objects"]) mkdirSync(join(dataDir, name));
  for (const name of [...STORES, "notes.txt"]) writeFileSync(join(dataDir, name), "");
  const of = (names: string[]) => names.map((name) => statSync(join(dataDir, name)).mode & 0o777);
  for (const name of [...STORES, ...OTHERS]) chmodSync(join(dataDir, name), 0o664);
  for (const name of FOLDERS) chmodSync(join(dataDir, name), 0o755);
  expect((await tried({ DATA_DIR: dataDir })).filter((warning) => warning.includes(dataDir))).toEqual([]);
  expect(of(STORES)).toEqual(STORES.map(() => 0o600));
  expect(of(FOLDERS)).toEqual([0o700, 0o700]);
  expect(of(OTHERS)).toEqual([0o664, 0o664]);
});

test("webhook endpoints of the payment provider that do not serve this system are warnings", async () => {
  const provider = (url: string) => ({
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: url,
  });
  const about = (warnings: string[]) => warnings.filter((warning) => warning.includes("webhook endpoint"));
  const serving = await sandbox({ webhookUrls: ["https://shop.example/webhooks/stripe"] });
  const other = await sandbox({ webhookUrls: ["https://crm.example/hook"] });
  try {
    expect(about(await tried(provider(serving.url)))).toEqual([]);
    expect(about(await tried(provider(other.url)))).toEqual([expect.stringContaining("/webhooks/stripe")]);
    const refused = { ...provider(serving.url), STRIPE_SECRET_KEY: "sk_test_of_another" };
    expect(about(await tried(refused))).toEqual([expect.stringContaining("are not checked")]);
  } finally {
    await Promise.all([serving.close(), other.close()]);
  }
});

(NATS_SERVER ? test : test.skip)(
  "a NATS that does not take the password is named with its reason, and without the password",
  async () => {
    const nats = await startOwnNats({
      configuration: "authorization { users: [{ user: partline, password: right }] }",
      jetStream: false,
    });
    const at = (credentials: string): string => nats.url.replace("://", `://${credentials}`);
    try {
      for (const NATS_URL of [at("partline:hunter2@"), at(""), `${at("partline:hunter2@")},127.0.0.1:${silent()}`])
        expect(await tried({ NATS_URL }).catch(String)).toBe(
          "SettingsError: NATS_URL: the server does not let this process in (Authorization Violation)",
        );
      await tried({ NATS_URL: at("partline:right@") });
    } finally {
      await nats.stop();
    }
  },
  60_000,
);
