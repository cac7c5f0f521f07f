import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import type { S3Location } from "@partline/durable";
import { madeOnce } from "@partline/toolkit";
import { isTimeZone } from "../mixins/shop/shop-days.ts";
import { entryPointUrl, readPorts } from "./settings/addresses.ts";
import { readMail } from "./settings/mail.ts";
import { readChat, readEmbeddings } from "./settings/models.ts";
import { isOrigin, SettingsError, SettingsReader } from "./settings/reader.ts";
import { readRun } from "./settings/run.ts";
import { readShipping } from "./settings/shipping.ts";
import { readStock } from "./settings/stock.ts";
import { VENDOR_CODES } from "@partline/parts-language";
import { type DeclaredSupplier, readSuppliers } from "./settings/suppliers.ts";
import { readTrust } from "./settings/trust.ts";
import { readTracing } from "./settings/tracing.ts";

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Offsets from SANDBOX_PORT; suppliers declare their own. */
export const SANDBOX_PORTS = { payment: 0, identity: 1, dealer: 2, chat: 4, mailbox: 5, easypost: 7, smtp: 8 } as const;

const HOUR_MS = 60 * 60_000;

/** Of a system that has its servers to itself. */
export const DEFAULT_NAMESPACE = "partline";

export const DEFAULT_STRIPE_API = "https://api.stripe.com";

/** Defaults with sandboxes; production has none. */
const SANDBOX_SECRETS = {
  stripeKey: "sk_test_partline_sandbox",
  stripeWebhook: "whsec_partline_sandbox",
  identityWebhook: "whsec_cGFydGxpbmUtc2FuZGJveC1pZGVudGl0eS0zMmJ5dGVz",
  disKey: "dis_partline_sandbox",
  disDealer: "SANDBOX-DEALER",
} as const;

const SANDBOX_IDENTITY = { audience: "partline-api", authorizedParty: "http://127.0.0.1:8000" } as const;

/**
 * Reads the settings of this process and of the suppliers. Missing or unusable ones are thrown as one `SettingsError`
 * with a line for each.
 */
export function loadSettings(
  env: NodeJS.ProcessEnv,
  version: string,
  suppliers: readonly DeclaredSupplier[],
): Settings {
  const read = new SettingsReader(env);
  const settings = readSettings(read, { production: env.NODE_ENV === "production", version }, suppliers);
  if (settings.natsUrl === undefined && settings.run.entryPoints.length === 0) {
    read.unusable("SERVICES", "names no entry point, and without NATS_URL nobody can call what runs here");
  }
  refusePublished(settings, read);
  const adminToken = read.secret("ADMIN_TOKEN");
  if (adminToken === undefined && settings.production) read.missing("ADMIN_TOKEN");
  read.throwIfBroken();
  return {
    ...settings,
    /** Of the web pages that may call the entry points. A party may be a client's id in place of an origin. */
    corsOrigins: [...new Set([...settings.identity.authorizedParties.filter(isOrigin), ...settings.corsOrigins])],
    storeUrl: settings.storeUrl || entryPointUrl(settings, "shop"),
    consoleUrl: settings.consoleUrl || entryPointUrl(settings, "console"),
    adminToken: adminToken ?? readAdminToken(settings.dataDir),
  };
}

function readTimeZone(read: SettingsReader): string {
  const name = read.text("SHOP_TIME_ZONE") ?? "UTC";
  if (!isTimeZone(name)) read.unusable("SHOP_TIME_ZONE", "is not a time zone like America/Chicago");
  return name;
}

function readSettings(
  read: SettingsReader,
  { production, version }: { production: boolean; version: string },
  suppliers: readonly DeclaredSupplier[],
) {
  const run = readRun(read, production);
  const host = read.text("HOST") ?? "127.0.0.1";
  const dataDir = readDataDir(read);
  const namespace = read.text("NATS_NAMESPACE") ?? DEFAULT_NAMESPACE;
  const servers = { natsUrl: read.natsUrl("NATS_URL"), mongoUrl: read.mongoUrl("MONGO_URL") };
  const sandboxPort = read.port("SANDBOX_PORT", 4000);
  const sandboxUrl = (name: keyof typeof SANDBOX_PORTS): string =>
    `http://127.0.0.1:${sandboxPort + SANDBOX_PORTS[name]}`;
  const stripeKey = read.secret("STRIPE_SECRET_KEY");
  const stripeApi = read.url("STRIPE_API_BASE");
  const jwksUrl = read.url("IDENTITY_JWKS_URL");
  const issuer = read.text("IDENTITY_ISSUER");
  const disUrl = read.url("DIS_URL");
  /** Reads a setting that is required in production and with a real provider, whose address or key is set. */
  const beside =
    (address: string | undefined) =>
    (name: string, fallback: string): string =>
      read.secret(name) ?? (production || address !== undefined ? read.missing(name) : fallback);
  const ofStripe = beside(stripeKey ?? realOnly(stripeApi));
  const identity = jwksUrl ?? realOnly(issuer);
  const ofIdentity = beside(identity);
  const identitySandbox = jwksUrl === undefined && !production ? sandboxUrl("identity") : undefined;
  const ofDis = beside(disUrl);
  return {
    production,
    version,
    host,
    /** Entry points are reached from this machine only. */
    loopback: /^(127\.|::1$|localhost$)/.test(host),
    ports: readPorts(read),
    /** Health and metrics of the process itself; none unless set. */
    healthPort: read.text("HEALTH_PORT") === undefined ? undefined : read.port("HEALTH_PORT", 0),
    sandboxHost: read.text("SANDBOX_HOST") ?? "127.0.0.1",
    sandboxPort,
    storeUrl: read.url("STORE_URL") ?? "",
    consoleUrl: read.url("CONSOLE_URL") ?? "",
    /** On papers, pages and in mails; days are those of its time zone. */
    shop: {
      name: read.text("SHOP_NAME") ?? "Partline",
      address: read.list("SHOP_ADDRESS", "|") ?? [],
      timeZone: readTimeZone(read),
    },
    /** Undefined: no mail is sent. */
    mail: readMail(read, {
      production,
      sends: run.services.includes("mail"),
      sandboxUrl: `smtp://127.0.0.1:${sandboxPort + SANDBOX_PORTS.smtp}`,
    }),
    /** Base of absolute links; the entry point's own address unless set. */
    publicUrl: read.url("PUBLIC_URL"),
    dataDir,
    run,
    ...servers,
    ...readTrust(read, servers, production),
    /** Separates systems that share a NATS server or an Elasticsearch. */
    namespace,
    /** Of this system's index names; none by default, so that they are the specification's. */
    indexPrefix: namespace === DEFAULT_NAMESPACE ? "" : `${namespace.toLowerCase().replace(/[^a-z0-9_]+/g, "_")}_`,
    /** Of the search index; may carry credentials. */
    elasticsearchUrl: read.url("ELASTICSEARCH_URL"),
    elasticsearchShards: read.integer("ELASTICSEARCH_SHARDS", { min: 1, max: 100 }) ?? 1,
    /** For the rate limit's counters; may carry credentials. */
    redisUrl: read.url("REDIS_URL", ["redis:", "rediss:"]),
    /** Objects are in DATA_DIR unless set. */
    s3: readS3(read),
    payment: {
      sandbox: stripeKey === undefined && !production,
      secretKey: ofStripe("STRIPE_SECRET_KEY", SANDBOX_SECRETS.stripeKey),
      apiBase: stripeApi ?? (stripeKey === undefined ? sandboxUrl("payment") : DEFAULT_STRIPE_API),
      webhookSecret: ofStripe("STRIPE_WEBHOOK_SECRET", SANDBOX_SECRETS.stripeWebhook),
      automaticTax: read.flag("STRIPE_AUTOMATIC_TAX"),
      promotionCodes: read.flag("STRIPE_PROMOTION_CODES"),
    },
    identity: {
      sandbox: identitySandbox !== undefined,
      jwksUrl:
        jwksUrl ??
        (production || identity !== undefined
          ? read.missing("IDENTITY_JWKS_URL")
          : `${sandboxUrl("identity")}/.well-known/jwks.json`),
      issuer: issuer ?? identitySandbox,
      signIn: readSignIn(read, issuer, identitySandbox),
      audience: ofIdentity("IDENTITY_AUDIENCE", SANDBOX_IDENTITY.audience),
      authorizedParties: read.list("IDENTITY_AUTHORIZED_PARTIES") ?? [
        ofIdentity("IDENTITY_AUTHORIZED_PARTIES", SANDBOX_IDENTITY.authorizedParty),
      ],
      webhookSecret: ofIdentity("IDENTITY_WEBHOOK_SECRET", SANDBOX_SECRETS.identityWebhook),
    },
    /** The dealer inventory system. */
    dis: {
      sandbox: disUrl === undefined && !production,
      url: disUrl ?? (production ? read.missing("DIS_URL") : sandboxUrl("dealer")),
      apiKey: ofDis("DIS_API_KEY", SANDBOX_SECRETS.disKey),
      dealerId: ofDis("DIS_DEALER_ID", SANDBOX_SECRETS.disDealer),
    },
    /** Suppliers whose listings are synced, by vendor code. */
    suppliers: readSuppliers(read, suppliers, { production, sandboxPort }),
    /** The chat model that words answers; they are composed unless set. */
    chat: readChat(read),
    /** Makes vectors of texts; retrieval is by words unless set. */
    embeddings: readEmbeddings(read),
    syncTimeoutSeconds: read.integer("SYNC_TIMEOUT_SECONDS", { min: 1, max: 86_400 }) ?? 1_800,
    /** Of every supplier's listing; undefined syncs on demand alone. */
    tireSyncEveryMs: read.duration("TIRE_SYNC_EVERY", 6 * HOUR_MS),
    /** Of the parts that were seen; undefined refreshes on demand alone. */
    disRefreshEveryMs: read.duration("DIS_REFRESH_EVERY", HOUR_MS),
    /** Age from which a checkout asks the dealer for a price; undefined: a price of any age is accepted. */
    priceMaxAgeMs: read.duration("PRICE_MAX_AGE", 24 * HOUR_MS),
    /** Pieces of work on manuals at a time on this node. */
    pipelineWorkers: read.integer("PIPELINE_WORKERS", { min: 1, max: 100 }) ?? 10,
    pipelineOcr: read.flag("PIPELINE_OCR"),
    adminToken: "",
    /** Of an entry of the audit stream; undefined keeps it for good. */
    auditKeptMs: read.duration("AUDIT_KEPT", 730 * 24 * HOUR_MS),
    /** Between /health/ready turning 503 and the closing of the listeners at a stop. */
    drainSeconds: read.integer("DRAIN_SECONDS", { min: 0, max: 300 }) ?? (production ? 5 : 0),
    /** What becomes of pieces beyond the stock. */
    stock: readStock(read, [...Object.values(VENDOR_CODES).flat(), ...suppliers.map(({ code }) => code)]),
    shipping: readShipping(read, { production, sandboxUrl: sandboxUrl("easypost") }),
    corsOrigins: read.origins("CORS_ORIGINS"),
    rateLimit: read.rateLimit("RATE_LIMIT", production ? { requests: 300, seconds: 60 } : undefined),
    /** What the guests of one address may make the shop keep in a day, megabytes. */
    guestStorageMb: read.integer("GUEST_STORAGE_MB", { min: 1, max: 1_000_000 }) ?? 50,
    /** Addresses and networks whose X-Forwarded-For counts. */
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    logLevel: read.oneOf(
      "LOG_LEVEL",
      ["fatal", "error", "warn", "info", "debug", "trace"],
      production ? "info" : "warn",
    ),
    /** Calls and requests that take longer are logged, milliseconds. */
    slowCallMs: read.integer("SLOW_CALL_MS", { min: 1, max: 600_000 }) ?? 1_000,
    tracing: readTracing(read),
  };
}

/** How pages sign people in: OpenID Connect at the issuer; not at all without a client's id. The sandbox takes any. */
function readSignIn(read: SettingsReader, issuer: string | undefined, sandbox: string | undefined) {
  const clientId = read.text("IDENTITY_CLIENT_ID") ?? (sandbox === undefined ? undefined : "partline");
  const clientSecret = read.secret("IDENTITY_CLIENT_SECRET");
  const at = issuer ?? sandbox;
  if (clientId === undefined) return undefined;
  if (at === undefined || !URL.canParse(at)) {
    read.unusable("IDENTITY_CLIENT_ID", "is for an issuer that is an address: set IDENTITY_ISSUER");
    return undefined;
  }
  return { issuer: at, clientId, clientSecret };
}

/** Refuses a webhook secret published in this repository beside a real provider: its events could be forged. */
function refusePublished({ production, payment, identity }: Settings, read: SettingsReader): void {
  const why = "is the sandbox's, which is published: set the real provider's";
  if (
    payment.webhookSecret === SANDBOX_SECRETS.stripeWebhook &&
    (production || payment.secretKey !== SANDBOX_SECRETS.stripeKey || realOnly(payment.apiBase) !== undefined)
  ) {
    read.unusable("STRIPE_WEBHOOK_SECRET", why);
  }
  if (
    identity.webhookSecret === SANDBOX_SECRETS.identityWebhook &&
    (production || (realOnly(identity.jwksUrl) ?? realOnly(identity.issuer)) !== undefined)
  ) {
    read.unusable("IDENTITY_WEBHOOK_SECRET", why);
  }
}

/** An https address is a real provider's; a sandbox's begins with http. */
function realOnly(address: string | undefined): string | undefined {
  return address?.toLowerCase().startsWith("https:") ? address : undefined;
}

export function readDataDir(read: SettingsReader): string {
  return resolve(read.text("DATA_DIR") ?? "./data");
}

function readS3(read: SettingsReader): S3Location | undefined {
  const endpoint = read.url("S3_ENDPOINT");
  const given = {
    bucket: read.text("S3_BUCKET"),
    accessKeyId: read.secret("S3_ACCESS_KEY_ID"),
    secretAccessKey: read.secret("S3_SECRET_ACCESS_KEY"),
  };
  if (endpoint === undefined) {
    // A bucket without an S3 is a mistake: the objects would be in DATA_DIR.
    if (given.bucket !== undefined) read.missing("S3_ENDPOINT");
    return undefined;
  }
  if (given.bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given.bucket)) {
    read.unusable("S3_BUCKET", "is not 3 to 63 lower-case letters, digits, dots and dashes");
  }
  return {
    endpoint,
    region: read.text("S3_REGION") ?? "us-east-1",
    bucket: given.bucket ?? read.missing("S3_BUCKET"),
    accessKeyId: given.accessKeyId ?? read.missing("S3_ACCESS_KEY_ID"),
    secretAccessKey: given.secretAccessKey ?? read.missing("S3_SECRET_ACCESS_KEY"),
  };
}

/**
 * Returns this installation's X-Admin-Token: made once, in DATA_DIR, readable by its owner alone.
 * @throws SettingsError if DATA_DIR cannot be used
 */
function readAdminToken(dataDir: string): string {
  try {
    return madeOnce(join(dataDir, "admin-token"), () => randomBytes(24).toString("base64url"));
  } catch (error) {
    throw new SettingsError(
      `DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code ?? "error"})`,
      { cause: error },
    );
  }
}
