import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import type { S3Location } from "@partline/durable";
import { makeOnce } from "@partline/toolkit";
import type { ShopFacts } from "../mixins/shop/shop-facts.ts";
import { toEntryPointUrl, readPorts } from "./settings/addresses.ts";
import { keepIfReal, readIdentity, SANDBOX_WEBHOOK_SECRET } from "./settings/identity.ts";
import { readMail } from "./settings/mail.ts";
import { readChat, readEmbeddings } from "./settings/models.ts";
import { isOrigin, SettingsError, SettingsReader } from "./settings/reader.ts";
import { readRun } from "./settings/run.ts";
import { readTrust } from "./settings/trust.ts";
import { readTracing } from "./settings/tracing.ts";

/** Settings that the shop adds to a node's; services/shared/settings.ts declares and reads them. */
export interface ShopSettings {
  /** What the shop says of itself now: each part reads it when it needs it, because people change it meanwhile. */
  shop: ShopFacts;
  /** What this node's environment sets, like a change of the settings. */
  pins: object;
}

/** Reads the shop's settings. `sandboxUrl` is the address of a stand-in at its offset from SANDBOX_PORT. */
export type ReadShopSettings = (
  reader: SettingsReader,
  node: { production: boolean; sandboxPort: number; sandboxUrl: (name: keyof typeof SANDBOX_PORTS) => string },
) => ShopSettings;

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Offsets from SANDBOX_PORT; suppliers declare their own. */
export const SANDBOX_PORTS = { payment: 0, identity: 1, dealer: 2, chat: 4, mailbox: 5, easypost: 7, smtp: 8 } as const;

const HOUR_MS = 60 * 60_000;

/** Namespace of a system that does not share its servers. */
export const DEFAULT_NAMESPACE = "partline";

/** OCR of every page that is a picture, of none, or of lists, covers and manuals that are scans. */
const OCR_MODES = ["auto", "on", "off"] as const;

export const DEFAULT_STRIPE_API = "https://api.stripe.com";

/** Defaults with sandboxes; production has none. */
const SANDBOX_SECRETS = {
  stripeKey: "sk_test_partline_sandbox",
  stripeWebhook: "whsec_partline_sandbox",
  disKey: "dis_partline_sandbox",
  disDealer: "SANDBOX-DEALER",
} as const;

/**
 * Reads the settings of this process and of the shop. Missing or unusable ones are thrown as one `SettingsError`
 * with a line for each.
 */
export function loadSettings(env: NodeJS.ProcessEnv, version: string, readShop: ReadShopSettings): Settings {
  const reader = new SettingsReader(env);
  const settings = readSettings(reader, { production: env.NODE_ENV === "production", version }, readShop);
  if (settings.natsUrl === undefined && settings.run.entryPoints.length === 0) {
    reader.noteUnusable("SERVICES", "names no entry point, and without NATS_URL nobody can call what runs here");
  }
  refusePublished(settings, reader);
  const adminToken = reader.getSecret("ADMIN_TOKEN");
  if (adminToken === undefined && settings.production) reader.noteMissing("ADMIN_TOKEN");
  reader.throwIfBroken();
  const storeUrl = settings.storeUrl || toEntryPointUrl(settings, "shop");
  const consoleUrl = settings.consoleUrl || toEntryPointUrl(settings, "console");
  const { identity } = settings;
  const ownParties = identity.mode === "mail" ? [storeUrl, consoleUrl] : [];
  const authorizedParties = [...identity.authorizedParties, ...ownParties];
  return {
    ...settings,
    identity: { ...identity, authorizedParties },
    /** Origins of web pages that may call the entry points. A party may be a client's id in place of an origin. */
    corsOrigins: [...new Set([...authorizedParties.filter(isOrigin), ...settings.corsOrigins])],
    storeUrl,
    consoleUrl,
    adminToken: adminToken ?? readAdminToken(settings.dataDir),
  };
}

function readSettings(
  reader: SettingsReader,
  { production, version }: { production: boolean; version: string },
  readShop: ReadShopSettings,
) {
  const run = readRun(reader, production);
  const host = reader.getText("HOST") ?? "127.0.0.1";
  const dataDir = readDataDir(reader);
  const namespace = reader.getText("NATS_NAMESPACE") ?? DEFAULT_NAMESPACE;
  const servers = { natsUrl: reader.getNatsUrl("NATS_URL"), mongoUrl: reader.getMongoUrl("MONGO_URL") };
  const sandboxPort = reader.getPort("SANDBOX_PORT", 4000);
  const getSandboxUrl = (name: keyof typeof SANDBOX_PORTS): string =>
    `http://127.0.0.1:${sandboxPort + SANDBOX_PORTS[name]}`;
  const stripeKey = reader.getSecret("STRIPE_SECRET_KEY");
  const stripeApi = reader.getUrl("STRIPE_API_BASE");
  // Required in production, and with a real provider, whose address or key is set.
  const readForStripe = reader.createRequiredReader(production || (stripeKey ?? keepIfReal(stripeApi)) !== undefined);
  const readDis = () => {
    const url = reader.getUrl("DIS_URL");
    const readForDis = reader.createRequiredReader(production || url !== undefined);
    return {
      sandbox: url === undefined && !production,
      url: url ?? (production ? reader.noteMissing("DIS_URL") : getSandboxUrl("dealer")),
      apiKey: readForDis("DIS_API_KEY", SANDBOX_SECRETS.disKey),
      dealerId: readForDis("DIS_DEALER_ID", SANDBOX_SECRETS.disDealer),
    };
  };
  return {
    production,
    version,
    host,
    /** Entry points are reached from this machine only. */
    loopback: /^(127\.|::1$|localhost$)/.test(host),
    ports: readPorts(reader),
    /** Health and metrics of the process itself; none unless set. */
    healthPort: reader.getText("HEALTH_PORT") === undefined ? undefined : reader.getPort("HEALTH_PORT", 0),
    sandboxHost: reader.getText("SANDBOX_HOST") ?? "127.0.0.1",
    sandboxPort,
    storeUrl: reader.getUrl("STORE_URL") ?? "",
    consoleUrl: reader.getUrl("CONSOLE_URL") ?? "",
    /** Undefined: no mail is sent. */
    mail: readMail(reader, {
      production,
      sends: run.services.includes("mail"),
      sandboxUrl: `smtp://127.0.0.1:${sandboxPort + SANDBOX_PORTS.smtp}`,
    }),
    /** Base of absolute links; the entry point's own address unless set. */
    publicUrl: reader.getUrl("PUBLIC_URL"),
    dataDir,
    run,
    ...servers,
    ...readTrust(reader, servers, production),
    /** Separates systems that share a NATS server or an Elasticsearch. */
    namespace,
    /** Prefix of this system's index names; none by default, so that they are the specification's. */
    indexPrefix: namespace === DEFAULT_NAMESPACE ? "" : `${namespace.toLowerCase().replace(/[^a-z0-9_]+/g, "_")}_`,
    /** Address of the search index; may carry credentials. */
    elasticsearchUrl: reader.getUrl("ELASTICSEARCH_URL"),
    elasticsearchShards: reader.getInteger("ELASTICSEARCH_SHARDS", { min: 1, max: 100 }) ?? 1,
    /** For the rate limit's counters; may carry credentials. */
    redisUrl: reader.getUrl("REDIS_URL", ["redis:", "rediss:"]),
    /** Objects are in DATA_DIR unless set. */
    s3: readS3(reader),
    payment: {
      sandbox: stripeKey === undefined && !production,
      secretKey: readForStripe("STRIPE_SECRET_KEY", SANDBOX_SECRETS.stripeKey),
      apiBase: stripeApi ?? (stripeKey === undefined ? getSandboxUrl("payment") : DEFAULT_STRIPE_API),
      webhookSecret: readForStripe("STRIPE_WEBHOOK_SECRET", SANDBOX_SECRETS.stripeWebhook),
      automaticTax: reader.getFlag("STRIPE_AUTOMATIC_TAX"),
      promotionCodes: reader.getFlag("STRIPE_PROMOTION_CODES"),
    },
    identity: readIdentity(reader, { production, sandboxUrl: getSandboxUrl("identity") }),
    /** The dealer inventory system; undefined with DIS_URL=off. */
    dis: reader.isOff("DIS_URL") ? undefined : readDis(),
    /** The chat model that words answers; they are composed unless set. */
    chat: readChat(reader),
    /** Makes vectors of texts; retrieval is by words unless set. */
    embeddings: readEmbeddings(reader),
    syncTimeoutSeconds: reader.getInteger("SYNC_TIMEOUT_SECONDS", { min: 1, max: 86_400 }) ?? 1_800,
    /** Period of the syncs of suppliers' listings; undefined syncs on demand only. */
    tireSyncEveryMs: reader.getDuration("TIRE_SYNC_EVERY", 6 * HOUR_MS),
    /** Period of the refresh of viewed parts; undefined refreshes on demand only. */
    disRefreshEveryMs: reader.getDuration("DIS_REFRESH_EVERY", HOUR_MS),
    /** Age from which a checkout asks the dealer for a price; undefined: a price of any age is accepted. */
    priceMaxAgeMs: reader.getDuration("PRICE_MAX_AGE", 24 * HOUR_MS),
    /** Pieces of work on manuals at a time on this node. */
    pipelineWorkers: reader.getInteger("PIPELINE_WORKERS", { min: 1, max: 100 }) ?? 10,
    pipelineOcr: reader.getOneOf("PIPELINE_OCR", OCR_MODES, "auto"),
    /** Languages of OCR, by their ISO 639-2 codes. */
    pipelineOcrLanguages: reader.getOcrLanguages("PIPELINE_OCR_LANGUAGES"),
    adminToken: "",
    /** Lifetime of an audit entry; undefined keeps it for good. */
    auditKeptMs: reader.getDuration("AUDIT_KEPT", 730 * 24 * HOUR_MS),
    /** Between /health/ready turning 503 and the closing of the listeners at a stop. */
    drainSeconds: reader.getInteger("DRAIN_SECONDS", { min: 0, max: 300 }) ?? (production ? 5 : 0),
    ...readShop(reader, { production, sandboxPort, sandboxUrl: getSandboxUrl }),
    corsOrigins: reader.getOrigins("CORS_ORIGINS"),
    rateLimit: reader.rateLimit("RATE_LIMIT", production ? { requests: 300, seconds: 60 } : undefined),
    /** Data that guests of one address may store in a day, megabytes. */
    guestStorageMb: reader.getInteger("GUEST_STORAGE_MB", { min: 1, max: 1_000_000 }) ?? 50,
    /** Addresses and networks whose X-Forwarded-For counts. */
    trustedProxies: reader.getNetworks("TRUSTED_PROXIES"),
    logLevel: reader.getOneOf(
      "LOG_LEVEL",
      ["fatal", "error", "warn", "info", "debug", "trace"],
      production ? "info" : "warn",
    ),
    /** Calls and requests that take longer are logged, milliseconds. */
    slowCallMs: reader.getInteger("SLOW_CALL_MS", { min: 1, max: 600_000 }) ?? 1_000,
    tracing: readTracing(reader),
  };
}

/** Refuses a webhook secret published in this repository beside a real provider: its events could be forged. */
function refusePublished({ production, payment, identity }: Settings, reader: SettingsReader): void {
  const why = "is the sandbox's, which is published: set the real provider's";
  if (
    payment.webhookSecret === SANDBOX_SECRETS.stripeWebhook &&
    (production || payment.secretKey !== SANDBOX_SECRETS.stripeKey || keepIfReal(payment.apiBase) !== undefined)
  ) {
    reader.noteUnusable("STRIPE_WEBHOOK_SECRET", why);
  }
  if (
    identity.webhookSecret === SANDBOX_WEBHOOK_SECRET &&
    (production || (keepIfReal(identity.jwksUrl) ?? keepIfReal(identity.issuer)) !== undefined)
  ) {
    reader.noteUnusable("IDENTITY_WEBHOOK_SECRET", why);
  }
}

export function readDataDir(reader: SettingsReader): string {
  return resolve(reader.getText("DATA_DIR") ?? "./data");
}

function readS3(reader: SettingsReader): S3Location | undefined {
  const endpoint = reader.getUrl("S3_ENDPOINT");
  const location = {
    bucket: reader.getText("S3_BUCKET"),
    accessKeyId: reader.getSecret("S3_ACCESS_KEY_ID"),
    secretAccessKey: reader.getSecret("S3_SECRET_ACCESS_KEY"),
  };
  if (endpoint === undefined) {
    // A bucket without an S3 is a mistake: the objects would be in DATA_DIR.
    if (location.bucket !== undefined) reader.noteMissing("S3_ENDPOINT");
    return undefined;
  }
  if (location.bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(location.bucket)) {
    reader.noteUnusable("S3_BUCKET", "is not 3 to 63 lower-case letters, digits, dots and dashes");
  }
  return {
    endpoint,
    region: reader.getText("S3_REGION") ?? "us-east-1",
    bucket: location.bucket ?? reader.noteMissing("S3_BUCKET"),
    accessKeyId: location.accessKeyId ?? reader.noteMissing("S3_ACCESS_KEY_ID"),
    secretAccessKey: location.secretAccessKey ?? reader.noteMissing("S3_SECRET_ACCESS_KEY"),
  };
}

/**
 * Returns this installation's X-Admin-Token: made once, in DATA_DIR, readable by its owner alone.
 * @throws SettingsError if DATA_DIR cannot be used
 */
function readAdminToken(dataDir: string): string {
  try {
    return makeOnce(join(dataDir, "admin-token"), () => randomBytes(24).toString("base64url"));
  } catch (error) {
    throw new SettingsError(
      `DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code ?? "error"})`,
      { cause: error },
    );
  }
}
