import { describe, expect, test } from "@jest/globals";
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { loadSettings } from "../../broker/settings.ts";
import { readShopSettings } from "../../services/shared/settings.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";
import { openServers } from "../../broker/settings/trust.ts";
import { SERVICE_NAMES } from "../../broker/settings/run.ts";

const freshDir = (): string => mkdtempSync(join(tmpdir(), "partline-settings-"));
const load = (env: Record<string, string> = {}) =>
  loadSettings({ DATA_DIR: freshDir(), ...env }, "1.2.3", readShopSettings(SUPPLIERS));

const PRODUCTION = {
  NODE_ENV: "production",
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
  IDENTITY_JWKS_URL: "https://identity.example/jwks",
  IDENTITY_AUDIENCE: "api",
  IDENTITY_AUTHORIZED_PARTIES: "https://shop.example, https://admin.example",
  IDENTITY_WEBHOOK_SECRET: "whsec_y",
  DIS_URL: "https://dis.example/",
  DIS_API_KEY: "dis_x",
  DIS_DEALER_ID: "dealer_x",
  TIRE_SUPPLIER_URL: "https://tires.example",
  TIRE_SUPPLIER_API_KEY: "tires_x",
  ADMIN_TOKEN: "t",
  SMTP_URL: "smtp://mail.example",
  MAIL_FROM: "Shop <orders@shop.example>",
};

const tableOf = (steps: object[]) =>
  JSON.stringify({
    weightUnit: "kg",
    defaultWeight: 1,
    zones: [
      {
        name: "All",
        countries: ["US", "CA"],
        methods: [{ provider: "ups", serviceType: "ground", estimatedDays: 3, by: "weight", steps }],
      },
    ],
  });

describe("settings", () => {
  test("nothing set: the documented ports, sandboxes, everything in one process", () => {
    const settings = load();
    expect(settings.ports).toMatchObject({ gateway: 8000, payment: 3004, eventstore: 8002, "health-analytics": 3021 });
    expect(settings.payment).toMatchObject({ sandbox: true, apiBase: "http://127.0.0.1:4000" });
    expect(settings.identity).toMatchObject({ sandbox: true, jwksUrl: "http://127.0.0.1:4001/.well-known/jwks.json" });
    expect(settings.dis).toMatchObject({ sandbox: true, url: "http://127.0.0.1:4002" });
    expect(settings.suppliers.KMT).toMatchObject({
      sandbox: { name: "tires", port: 4003 },
      url: "http://127.0.0.1:4003",
      slug: "kmt",
      aliases: ["K&M", "K&M Tire"],
    });
    expect(settings.syncTimeoutSeconds).toBe(1_800);
    expect(settings.run.sandbox).toBe(true);
    expect(settings.run.services).toContain("order");
    expect(settings.rateLimit).toBeUndefined();
  });

  test("times are numbers with a unit, or off", () => {
    const { tireSyncEveryMs, disRefreshEveryMs, priceMaxAgeMs } = load({
      TIRE_SYNC_EVERY: "90s",
      DIS_REFRESH_EVERY: "OFF",
      PRICE_MAX_AGE: "2d",
    });
    expect([tireSyncEveryMs, disRefreshEveryMs, priceMaxAgeMs]).toEqual([90_000, undefined, 172_800_000]);
    expect(load({ PRICE_MAX_AGE: "0" }).priceMaxAgeMs).toBeUndefined();
    for (const wrong of ["6", "6 h", "-1h", "1.5h", "0h", "1w", "9999999s"])
      expect(() => load({ TIRE_SYNC_EVERY: wrong })).toThrow(
        "TIRE_SYNC_EVERY is neither `off` nor a time like 90s, 30m, 6h or 1d",
      );
  });

  test("the admin token is made once for a DATA_DIR and readable by its owner alone", () => {
    const DATA_DIR = freshDir();
    const { adminToken } = load({ DATA_DIR });
    expect(adminToken.length).toBeGreaterThanOrEqual(32);
    expect(load({ DATA_DIR }).adminToken).toBe(adminToken);
    expect(statSync(join(DATA_DIR, "admin-token")).mode & 0o777).toBe(0o600);
  });

  test("a DATA_DIR that cannot be one is reported in a line", () => {
    const file = join(freshDir(), "file");
    writeFileSync(file, "");
    expect(() => load({ DATA_DIR: join(file, "data") })).toThrow(
      `DATA_DIR ${join(file, "data")} cannot be written to (ENOTDIR)`,
    );
  });

  test("production has no sandbox and no default secret: one message lists everything missing", () => {
    expect(() => load({ NODE_ENV: "production" })).toThrow(
      [
        "SMTP_URL is not set",
        "MAIL_FROM is not set",
        "STRIPE_SECRET_KEY is not set",
        "STRIPE_WEBHOOK_SECRET is not set",
        "IDENTITY_JWKS_URL is not set",
        "IDENTITY_AUDIENCE is not set",
        "IDENTITY_AUTHORIZED_PARTIES is not set",
        "IDENTITY_WEBHOOK_SECRET is not set",
        "DIS_URL is not set",
        "DIS_API_KEY is not set",
        "DIS_DEALER_ID is not set",
        "TIRE_SUPPLIER_URL is not set",
        "TIRE_SUPPLIER_API_KEY is not set",
        "ADMIN_TOKEN is not set",
      ].join("\n"),
    );
    const settings = load(PRODUCTION);
    expect(settings.run.sandbox).toBe(false);
    expect(settings.payment).toMatchObject({ sandbox: false, apiBase: "https://api.stripe.com" });
    expect(settings.dis).toEqual({ sandbox: false, url: "https://dis.example", apiKey: "dis_x", dealerId: "dealer_x" });
    expect(settings.identity.authorizedParties).toEqual(["https://shop.example", "https://admin.example"]);
    expect(settings.rateLimit).toEqual({ requests: 300, seconds: 60 });
    expect(() => load({ ...PRODUCTION, SERVICES: "sandbox" })).toThrow('SERVICES "sandbox" does not run in production');
  });

  test("a shop without an identity provider signs people in by mail", () => {
    const own = Object.fromEntries(Object.entries(PRODUCTION).filter(([name]) => !name.startsWith("IDENTITY_")));
    const env = { ...own, IDENTITY_MODE: "mail", STAFF: "owner:Jo@ｓhop.example, clerk:sam@shop.example" };
    const { identity, storeUrl, consoleUrl } = load(env);
    expect(identity).toMatchObject({ mode: "mail", sandbox: false, authorizedParties: [storeUrl, consoleUrl] });
    expect([...identity.staff]).toEqual([
      ["jo@shop.example", "owner"],
      ["sam@shop.example", "clerk"],
    ]);
    for (const [wrong, message] of [
      [{ STAFF: "boss:jo@shop.example" }, "STAFF has"],
      [{ STAFF: "customer:jo@shop.example" }, "STAFF has"],
      [{ STAFF: "" }, "STAFF names no owner and no admin"],
      [{ STAFF: "clerk:jo@shop.example" }, "STAFF names no owner and no admin"],
      [{ STAFF: "owner:jo@shop.example,clerk:Jo@Shop.example" }, "STAFF names an address twice"],
      [{ STAFF: "owner" }, "STAFF names the owner by what is no email address"],
      [{ STAFF: "owner:jo@a⒈.example" }, "STAFF names the owner by what is no email address"],
      [{ SMTP_URL: "off" }, "IDENTITY_MODE is mail, and SMTP_URL is off"],
      [{ IDENTITY_JWKS_URL: "https://id.example/jwks" }, "IDENTITY_JWKS_URL is a provider's"],
    ] as const)
      expect(() => load({ ...env, ...wrong })).toThrow(message);
    expect(() => load({ ...PRODUCTION, STAFF: "owner:jo@shop.example" })).toThrow("STAFF is for IDENTITY_MODE=mail");
  });

  test.each([{ NODE_ENV: "production" }, {}])(
    "a shop has no dealer system and no tire supplier if it says so",
    (env) => {
      const { DIS_URL, DIS_API_KEY, DIS_DEALER_ID, TIRE_SUPPLIER_URL, TIRE_SUPPLIER_API_KEY, ...others } = PRODUCTION;
      const settings = load({ ...others, ...env, DIS_URL: "off", TIRE_SUPPLIER_URL: "off" });
      expect([settings.dis, settings.suppliers]).toEqual([undefined, {}]);
    },
  );

  test("production lets nobody in who only reaches NATS or MongoDB, unless the network is trusted", () => {
    const CLUSTER_SECRET = "c".repeat(32);
    const open = { NATS_URL: "nats://nats:4222", MONGO_URL: "mongodb://mongo:27017/partline" };
    expect(() => load({ ...PRODUCTION, ...open })).toThrow(
      /^CLUSTER_SECRET is not set\nNATS_URL has no credentials, .+\nMONGO_URL has no credentials, .+$/,
    );
    const signsNothing = { ...PRODUCTION, NATS_URL: "nats://u:p@nats", CLUSTER_SECRET: "unsigned" };
    expect(() => load(signsNothing)).toThrow("CLUSTER_SECRET is not set");
    expect(load({ ...PRODUCTION, ...open, TRUSTED_NETWORK: "true" }).trustedNetwork).toBe(true);
    expect(load(open).clusterSecrets).toEqual([]);
    const file = join(freshDir(), "partline.creds");
    writeFileSync(file, "");
    for (const NATS_URL of ["nats://u:p@nats", "nats://token@nats", `nats://nats?creds=${file}`, `nats?nkey=${file}`])
      for (const MONGO_URL of ["mongodb://u:p@mongo/partline", "mongodb://mongo/partline?authMechanism=MONGODB-X509"])
        expect(load({ ...PRODUCTION, NATS_URL, MONGO_URL, CLUSTER_SECRET })).toMatchObject({
          clusterSecrets: [CLUSTER_SECRET],
        });
    expect(() => load({ NATS_URL: "nats://nats?cred=/x" })).toThrow('NATS_URL has the unknown option "cred"');
    expect(() => load({ NATS_URL: "nats://nats?creds=/none" })).toThrow("NATS_URL names the file /none (creds)");
  });

  test("a cluster's secrets are two while they are changed, and none is short", () => {
    const [first, second] = ["a".repeat(32), "b".repeat(40)];
    expect(load({ CLUSTER_SECRET: `${first}, ${second}` }).clusterSecrets).toEqual([first, second]);
    expect(load({ CLUSTER_SECRET: `unsigned,${first}` }).clusterSecrets).toEqual(["unsigned", first]);
    expect(() => load({ CLUSTER_SECRET: `${first},short` })).toThrow("CLUSTER_SECRET has a secret of fewer than 32");
  });

  test("outside production, servers elsewhere without credentials are warned of", () => {
    const warned = (env: Record<string, string>) => openServers(load(env)).map((line) => line.split(" ")[0]);
    expect(warned({ NATS_URL: "nats", MONGO_URL: "mongodb://mongo/partline" })).toEqual(["NATS_URL", "MONGO_URL"]);
    expect(warned({ NATS_URL: "nats://127.0.0.1:4222", MONGO_URL: "mongodb://localhost:27017/x" })).toEqual([]);
    expect(warned({ NATS_URL: "u:p@nats", MONGO_URL: "mongodb://u:p@mongo/partline" })).toEqual([]);
  });

  test("a real dealer inventory system is never asked with the sandbox's key", () => {
    expect(() => load({ DIS_URL: "https://dis.example" })).toThrow("DIS_API_KEY is not set\nDIS_DEALER_ID is not set");
    const own = { sandbox: true, url: "http://127.0.0.1:4002", apiKey: "own", dealerId: "7" };
    expect(load({ DIS_API_KEY: "own", DIS_DEALER_ID: "7" }).dis).toEqual(own);
  });

  const IDENTITY = {
    IDENTITY_JWKS_URL: "https://id.example/jwks",
    IDENTITY_AUDIENCE: "api",
    IDENTITY_AUTHORIZED_PARTIES: "https://shop.example",
    IDENTITY_WEBHOOK_SECRET: "whsec_y",
  };

  test("a real payment or identity provider stands beside no default of the sandbox's: one message lists everything missing", () => {
    expect(() => load({ STRIPE_SECRET_KEY: "sk_test_real", IDENTITY_JWKS_URL: IDENTITY.IDENTITY_JWKS_URL })).toThrow(
      /^STRIPE_WEBHOOK_SECRET is not set\nIDENTITY_AUDIENCE is not set\nIDENTITY_AUTHORIZED_PARTIES is not set\nIDENTITY_WEBHOOK_SECRET is not set$/,
    );
    const real = { ...IDENTITY, STRIPE_SECRET_KEY: "sk_test_real", STRIPE_WEBHOOK_SECRET: "whsec_x" };
    const { payment, identity } = load(real);
    expect([payment.webhookSecret, identity.webhookSecret, identity.audience]).toEqual(["whsec_x", "whsec_y", "api"]);
  });

  test("a webhook secret of the sandbox's is refused beside a real provider, and taken beside a sandbox that another process runs", () => {
    const sandbox = load();
    const STRIPE_WEBHOOK_SECRET = sandbox.payment.webhookSecret;
    const IDENTITY_WEBHOOK_SECRET = sandbox.identity.webhookSecret;
    expect(() =>
      load({ ...IDENTITY, STRIPE_SECRET_KEY: "sk_test_real", STRIPE_WEBHOOK_SECRET, IDENTITY_WEBHOOK_SECRET }),
    ).toThrow(
      /^STRIPE_WEBHOOK_SECRET is the sandbox's, which is published.*\nIDENTITY_WEBHOOK_SECRET is the sandbox's, which is published/,
    );
    expect(() => load({ ...PRODUCTION, STRIPE_SECRET_KEY: sandbox.payment.secretKey, STRIPE_WEBHOOK_SECRET })).toThrow(
      "STRIPE_WEBHOOK_SECRET is the sandbox's",
    );
    const elsewhere = {
      ...IDENTITY,
      STRIPE_SECRET_KEY: sandbox.payment.secretKey,
      STRIPE_API_BASE: "http://sandbox:4000",
      STRIPE_WEBHOOK_SECRET,
      IDENTITY_JWKS_URL: "http://sandbox:4001/.well-known/jwks.json",
      IDENTITY_WEBHOOK_SECRET,
    };
    expect(load(elsewhere).payment).toMatchObject({ sandbox: false, webhookSecret: STRIPE_WEBHOOK_SECRET });
    for (const address of ["STRIPE_API_BASE", "IDENTITY_JWKS_URL", "IDENTITY_ISSUER"])
      expect(() => load({ ...elsewhere, [address]: "https://real.example" })).toThrow(
        /^\w+_WEBHOOK_SECRET is the sandbox's, which is published/,
      );
  });

  test("a real provider's address alone demands what belongs to it", () => {
    expect(() => load({ STRIPE_API_BASE: "https://api.stripe.com" })).toThrow(
      /^STRIPE_SECRET_KEY is not set\nSTRIPE_WEBHOOK_SECRET is not set$/,
    );
    expect(() => load({ IDENTITY_ISSUER: "HTTPS://id.example" })).toThrow(
      /^IDENTITY_JWKS_URL is not set\n(.*\n){2}IDENTITY_WEBHOOK_SECRET is not set$/,
    );
    expect(load({ STRIPE_API_BASE: "http://sandbox:4000" }).payment.sandbox).toBe(true);
  });

  test.each([
    ["NATS_URL", "nats://ada:secret@a:4222,nats://b:4222", "natsUrl"],
    ["MONGO_URL", "mongodb://ada:secret@a:27017,b:27018,c/partline?replicaSet=rs0", "mongoUrl"],
    ["ELASTICSEARCH_URL", "http://elastic:secret@search:9200", "elasticsearchUrl"],
  ] as const)("%s, which may carry credentials, can come from a file", (name, url, setting) => {
    const file = join(freshDir(), "url");
    writeFileSync(file, `${url}\n`);
    expect(load({ [`${name}_FILE`]: file })[setting]).toBe(url);
  });

  test("a secret can come from a file", () => {
    const file = join(freshDir(), "token");
    writeFileSync(file, "from-the-file\n");
    expect(load({ ADMIN_TOKEN_FILE: file }).adminToken).toBe("from-the-file");
    expect(() => load({ ADMIN_TOKEN_FILE: "/nowhere" })).toThrow("ADMIN_TOKEN_FILE cannot be read (ENOENT)");
  });

  test("SERVICES names what runs here", () => {
    const run = { services: ["cart"], entryPoints: ["payment"], sandbox: false };
    expect(load({ SERVICES: "cart, http:payment" }).run).toEqual(run);
    expect(load({ SERVICES: "http,sandbox" }).run.entryPoints).toEqual(ENTRY_POINTS);
    expect(() => load({ SERVICES: "carts" })).toThrow(
      /SERVICES "carts" is not a service; there are cart, payment, .*, http, http:<entry point>, sandbox and all(\n|$)/,
    );
    expect(() => load({ SERVICES: "http:carts" })).toThrow(
      /SERVICES "http:carts" names no entry point: they are gateway, cart, /,
    );
  });

  test("every service that can be named is there", () => {
    const root = new URL("../../services/", import.meta.url);
    const services = readdirSync(root).filter((name) => existsSync(new URL(`${name}/${name}.service.ts`, root)));
    expect([...SERVICE_NAMES].sort()).toEqual(services.sort());
    expect(load().run.services).toEqual(SERVICE_NAMES);
    expect(load({ SERVICES: "http:ai" }).run).toMatchObject({ services: [], entryPoints: ["ai"] });
  });

  test.each([
    [{ GATEWAY_PORT: "80000" }, "GATEWAY_PORT is not a port from 1 to 65535"],
    [{ MONGO_URL: "localhost:27017" }, "MONGO_URL is not a connection string with mongodb:// or mongodb+srv://"],
    [{ NATS_URL: "nats://a:4222, nats://b:port" }, "NATS_URL is not a list of addresses like nats://host:4222"],
    [{ REDIS_URL: "127.0.0.1:6379" }, "REDIS_URL is not a URL with redis:// or rediss://"],
    [{ SHIP_TO: "US,Canada" }, 'SHIP_TO "Canada" is not an ISO 3166 code of a country, like US'],
    [{ SHIP_TO: "US,VI" }, `SHIP_TO has "VI": the payment provider's page collects no addresses there`],
    [{ STORE_URL: "shop" }, "STORE_URL is not a URL with http:// or https://"],
    [{ DIS_URL: "dis.example" }, "DIS_URL is not a URL with http:// or https://"],
    [
      { TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/33" },
      'TRUSTED_PROXIES "10.0.0.0/33" is neither an IP address nor a network',
    ],
    [{ TRUSTED_PROXIES: "proxy.example" }, 'TRUSTED_PROXIES "proxy.example" is neither'],
    [{ RATE_LIMIT: "10" }, "RATE_LIMIT is neither `off` nor N/SECONDS"],
    [{ SHIPPING_RATES: "[{}]" }, "SHIPPING_RATES cannot be used. The 'rates[0].provider' field is required."],
    [{ SHIPPING_RATES: "{" }, "SHIPPING_RATES is not JSON"],
    [{ SHIPPING_TABLE: "/nowhere/table.json" }, "SHIPPING_TABLE cannot be read (ENOENT)"],
    [{ SHIPPING_TABLE: "{}" }, "SHIPPING_TABLE cannot be used. The 'weightUnit' field is required."],
    [
      { SHIPPING_TABLE: tableOf([{ upTo: 2, cost: -1 }]) },
      "The 'zones[0].methods[0].steps[0].cost' field must be greater than or equal to 0.",
    ],
    [
      { SHIPPING_TABLE: tableOf([{ upTo: 2, cost: 1 }]) },
      "SHIPPING_TABLE cannot be used. The 'zones[0].methods' field has a gap",
    ],
    [
      { SHIPPING_TABLE: tableOf([{ cost: 1 }]), SHIP_TO: "US,FR" },
      "SHIPPING_TABLE cannot be used. The 'zones' field has no zone for all of FR (SHIP_TO)",
    ],
    [{ SHOP_SETTINGS: '{"phone":"none"}' }, "SHOP_SETTINGS cannot be used. The 'phone' field"],
    [{ SHOP_SETTINGS: '{"timeZone":"Mars/Olympus"}' }, "SHOP_SETTINGS has no time zone like America/Chicago"],
    [{ SHOP_SETTINGS: '{"telephone":"+1 775 555 0100"}' }, "SHOP_SETTINGS cannot be used."],
    [{ EASYPOST_API_KEY: "EZAK" }, "SHIP_FROM is not set"],
    [{ EASYPOST_API_BASE: "https://api.easypost.test" }, "EASYPOST_API_KEY is not set"],
    [{ SHIP_FROM: '{"name":"Shop","country":"US"}' }, "SHIP_FROM lacks street, city, state, postalCode"],
    [{ STRIPE_AUTOMATIC_TAX: "maybe" }, "STRIPE_AUTOMATIC_TAX is neither on nor off"],
    ...["https://shop.example/", "shop.example", "null", "*", "https://*.shop.example:x", "file:///shop"].map(
      (origin): [Record<string, string>, string] => [
        { CORS_ORIGINS: `https://shop.example,${origin}` },
        `CORS_ORIGINS "${origin}" is not an origin like https://shop.example`,
      ],
    ),
    [{ SERVICES: "cart" }, "SERVICES names no entry point, and without NATS_URL nobody can call what runs here"],
    [{ TIRE_SUPPLIER_URL: "https://tires.example" }, "TIRE_SUPPLIER_API_KEY is not set"],
    [{ TIRE_SUPPLIER_SLUG: "a/b" }, "TIRE_SUPPLIER_SLUG is not a path segment"],
    [{ TIRE_SUPPLIER_SLUG: "import" }, "TIRE_SUPPLIER_SLUG is a segment of another path: import, refresh, syncs"],
    [{ SYNC_TIMEOUT_SECONDS: "half an hour" }, "SYNC_TIMEOUT_SECONDS is not a whole number from 1 to 86400"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL is not one of"],
  ])("an unusable value stops the start naming the setting: %j", (env, message) => {
    expect(() => load(env)).toThrow(message);
  });

  test("a secret never stands in the message", () => {
    const attempt = (): unknown => load({ MONGO_URL: "postgres://user:hunter2@db/x" });
    expect(attempt).toThrow(/MONGO_URL/);
    try {
      attempt();
    } catch (error) {
      expect(String(error)).not.toContain("hunter2");
    }
  });

  test("an S3 is given whole or not at all, and its secret may come from a file", () => {
    expect(load().s3).toBeUndefined();
    const secret = join(freshDir(), "secret");
    writeFileSync(secret, "s3-secret\n");
    const S3 = { S3_ENDPOINT: "http://127.0.0.1:9000/", S3_BUCKET: "parts", S3_ACCESS_KEY_ID: "id" };
    expect(load({ ...S3, S3_SECRET_ACCESS_KEY_FILE: secret }).s3).toEqual({
      ...{ endpoint: "http://127.0.0.1:9000", region: "us-east-1", bucket: "parts" },
      ...{ accessKeyId: "id", secretAccessKey: "s3-secret" },
    });
    expect(() => load({ S3_ENDPOINT: "http://127.0.0.1:9000" })).toThrow(
      "S3_BUCKET is not set\nS3_ACCESS_KEY_ID is not set\nS3_SECRET_ACCESS_KEY is not set",
    );
    expect(() => load({ S3_BUCKET: "parts" })).toThrow("S3_ENDPOINT is not set");
    const misnamed = { ...S3, S3_BUCKET: "Up/per", S3_SECRET_ACCESS_KEY: "s" };
    expect(() => load(misnamed)).toThrow(/^S3_BUCKET is not 3 to 63/);
  });

  test("PUBLIC_URL is the base of links, without a slash at its end", () => {
    expect(load({ PUBLIC_URL: "https://shop.example/" }).publicUrl).toBe("https://shop.example");
    expect(() => load({ PUBLIC_URL: "shop.example" })).toThrow("PUBLIC_URL is not a URL");
  });
});
