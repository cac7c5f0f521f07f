import { basename, resolve } from "node:path";
import { ENTRY_POINTS, type EntryPoint } from "./contract/define.ts";
import type { EmbeddingsSource } from "../mixins/embeddings/port.ts";
import type { S3Location } from "../mixins/object-store/open.ts";
import { readAdminToken } from "./admin-token.ts";
import { SettingsReader } from "./settings-reader.ts";
import { readTracing, type TracingSettings } from "./tracing/settings.ts";

/** The folders of `services/`. */
export const SERVICE_NAMES = ["cart", "payment", "order", "customer", "user", "catalog", "dis-router", "search", "ai", "eventstore", "media", "pipeline", "analytics", "health-analytics"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export interface ShippingRate {
  provider: string;
  serviceType: string;
  /** Decimal currency units. */
  cost: number;
  estimatedDays: number;
}

/** An OpenAI-compatible endpoint, and how it is asked. */
export interface ChatModelLocation {
  baseUrl: string;
  apiKey?: string;
  model: string;
  /** Longest that an answer waits for it. */
  timeoutSeconds: number;
}

export interface Settings {
  production: boolean;
  version: string;
  host: string;
  /** HOST is a loopback address, so nobody outside this machine reaches an entry point. */
  loopback: boolean;
  ports: Record<EntryPoint, number>;
  /** Health and metrics of the process itself, whatever it runs; nowhere where it is not set. */
  healthPort?: number;
  sandboxHost: string;
  sandboxPort: number;
  storeUrl: string;
  /** Base of absolute links in answers; the entry point's own address where it is not set. */
  publicUrl?: string;
  dataDir: string;
  run: { services: readonly ServiceName[]; entryPoints: readonly EntryPoint[]; sandbox: boolean };
  natsUrl?: string;
  /** Systems with different namespaces share a NATS server without hearing each other, and an Elasticsearch without meeting. */
  namespace: string;
  mongoUrl?: string;
  /** The search index is on Elasticsearch; it may carry credentials. */
  elasticsearchUrl?: string;
  /** Cached answers and the counters of the rate limit are in Redis; it may carry credentials. */
  redisUrl?: string;
  /** Objects are on this S3; in DATA_DIR where it is not set. */
  s3?: S3Location;
  payment: {
    sandbox: boolean;
    secretKey: string;
    apiBase: string;
    webhookSecret: string;
    automaticTax: boolean;
    promotionCodes: boolean;
  };
  identity: {
    sandbox: boolean;
    jwksUrl: string;
    issuer?: string;
    audience: string;
    authorizedParties: readonly string[];
    webhookSecret: string;
  };
  /** The dealer inventory system. */
  dis: {
    sandbox: boolean;
    url: string;
    apiKey: string;
    dealerId: string;
  };
  tireSupplier: {
    sandbox: boolean;
    url: string;
    apiKey: string;
    /** The path segment of its catalog routes. */
    slug: string;
    /** Other spellings of its code. */
    aliases: readonly string[];
  };
  /** The chat model that puts answers into words; they are composed without one where it is not set. */
  chat?: ChatModelLocation;
  /** What makes vectors of texts; retrieval is by words alone where it is not set. */
  embeddings?: EmbeddingsSource;
  /** Longest catalog sync. */
  syncTimeoutSeconds: number;
  /** Pieces of work on manuals that this node takes at a time. */
  pipelineWorkers: number;
  /** Scanned pages of manuals are read by OCR. */
  pipelineOcr: boolean;
  adminToken: string;
  /** Between saying that it leaves and ceasing to listen, a process that stops waits so long for its load balancers to see it. */
  drainSeconds: number;
  /** Rates that a checkout may name; undefined allows any. */
  shippingRates?: readonly ShippingRate[];
  rateLimit?: { requests: number; seconds: number };
  /** Addresses and networks whose word counts for whom they pass on. */
  trustedProxies: readonly string[];
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace";
  /** A call of an action, or a request, that takes longer is told in the log. Milliseconds. */
  slowCallMs: number;
  /** What is traced, where an endpoint takes traces. */
  tracing?: TracingSettings;
}

const DEFAULT_PORTS: Record<EntryPoint, number> = {
  gateway: 8000, cart: 3000, search: 3001, media: 3002, payment: 3004, user: 3005, catalog: 3010,
  analytics: 3020, "health-analytics": 3021, ai: 8001, eventstore: 8002, pipeline: 8080,
};

/** Of a system that has its servers to itself. */
export const DEFAULT_NAMESPACE = "partline";

/** Of the names of a system's indexes. None for one that has its servers to itself, so that they are the specification's. */
export function indexPrefixOf(namespace: string): string {
  return namespace === DEFAULT_NAMESPACE ? "" : `${namespace.toLowerCase().replace(/[^a-z0-9_]+/g, "_")}_`;
}

/** Offsets from SANDBOX_PORT. */
export const SANDBOX_PORTS = { payment: 0, identity: 1, dealer: 2, tires: 3, chat: 4 } as const;

/** The payment provider itself. */
export const DEFAULT_STRIPE_API = "https://api.stripe.com";

/** What the sandboxes use where no secret is set; production has no default. */
const SANDBOX_SECRETS = {
  stripeKey: "sk_test_partline_sandbox",
  stripeWebhook: "whsec_partline_sandbox",
  identityWebhook: "whsec_cGFydGxpbmUtc2FuZGJveC1pZGVudGl0eS0zMmJ5dGVz",
  disKey: "dis_partline_sandbox",
  disDealer: "SANDBOX-DEALER",
  tireSupplierKey: "tires_partline_sandbox",
} as const;

export const SANDBOX_IDENTITY = { audience: "partline-api", authorizedParty: "http://127.0.0.1:8000" } as const;

/**
 * The settings of this process, from its environment. What is missing in production, or given but unusable, is
 * collected and thrown as one `SettingsError` whose message has a line for each.
 */
export function loadSettings(env: NodeJS.ProcessEnv, version: string): Settings {
  const read = new SettingsReader(env);
  const production = env.NODE_ENV === "production";
  const host = read.text("HOST") ?? "127.0.0.1";
  const dataDir = readDataDir(read);
  const sandboxPort = read.port("SANDBOX_PORT", 4000);
  const sandboxUrl = (name: keyof typeof SANDBOX_PORTS): string => `http://127.0.0.1:${sandboxPort + SANDBOX_PORTS[name]}`;
  /** A secret that production must be given, and that a sandbox otherwise has a default for. */
  const secret = (name: string, fallback: string): string => read.secret(name) ?? (production ? read.missing(name) : fallback);

  const stripeKey = read.secret("STRIPE_SECRET_KEY");
  const jwksUrl = read.url("IDENTITY_JWKS_URL");
  const disUrl = read.url("DIS_URL");
  /** What the real system needs beside its address; the sandbox has a default. */
  const forDis = (name: string, fallback: string): string => read.secret(name) ?? (production || disUrl !== undefined ? read.missing(name) : fallback);
  const tireSupplierUrl = read.url("TIRE_SUPPLIER_URL");
  const settings: Settings = {
    production,
    version,
    host,
    loopback: /^(127\.|::1$|localhost$)/.test(host),
    ports: Object.fromEntries(
      ENTRY_POINTS.map((entry) => [entry, read.port(portSetting(entry), DEFAULT_PORTS[entry])]),
    ) as Record<EntryPoint, number>,
    healthPort: read.text("HEALTH_PORT") === undefined ? undefined : read.port("HEALTH_PORT", 0),
    sandboxHost: read.text("SANDBOX_HOST") ?? "127.0.0.1",
    sandboxPort,
    storeUrl: read.url("STORE_URL") ?? "",
    publicUrl: read.url("PUBLIC_URL"),
    dataDir,
    run: readRun(read, production),
    natsUrl: read.natsUrl("NATS_URL"),
    namespace: read.text("NATS_NAMESPACE") ?? DEFAULT_NAMESPACE,
    mongoUrl: read.mongoUrl("MONGO_URL"),
    elasticsearchUrl: read.url("ELASTICSEARCH_URL"),
    redisUrl: read.url("REDIS_URL", ["redis:", "rediss:"]),
    s3: readS3(read),
    payment: {
      sandbox: stripeKey === undefined && !production,
      secretKey: stripeKey ?? (production ? read.missing("STRIPE_SECRET_KEY") : SANDBOX_SECRETS.stripeKey),
      apiBase: read.url("STRIPE_API_BASE") ?? (stripeKey === undefined ? sandboxUrl("payment") : DEFAULT_STRIPE_API),
      webhookSecret: secret("STRIPE_WEBHOOK_SECRET", SANDBOX_SECRETS.stripeWebhook),
      automaticTax: read.flag("STRIPE_AUTOMATIC_TAX", false),
      promotionCodes: read.flag("STRIPE_PROMOTION_CODES", false),
    },
    identity: {
      sandbox: jwksUrl === undefined && !production,
      jwksUrl: jwksUrl ?? (production ? read.missing("IDENTITY_JWKS_URL") : `${sandboxUrl("identity")}/.well-known/jwks.json`),
      issuer: read.text("IDENTITY_ISSUER") ?? (jwksUrl === undefined && !production ? sandboxUrl("identity") : undefined),
      audience: read.text("IDENTITY_AUDIENCE") ?? (production ? read.missing("IDENTITY_AUDIENCE") : SANDBOX_IDENTITY.audience),
      authorizedParties:
        read.list("IDENTITY_AUTHORIZED_PARTIES") ??
        (production ? [read.missing("IDENTITY_AUTHORIZED_PARTIES")] : [SANDBOX_IDENTITY.authorizedParty]),
      webhookSecret: secret("IDENTITY_WEBHOOK_SECRET", SANDBOX_SECRETS.identityWebhook),
    },
    dis: {
      sandbox: disUrl === undefined && !production,
      url: disUrl ?? (production ? read.missing("DIS_URL") : sandboxUrl("dealer")),
      apiKey: forDis("DIS_API_KEY", SANDBOX_SECRETS.disKey),
      dealerId: forDis("DIS_DEALER_ID", SANDBOX_SECRETS.disDealer),
    },
    tireSupplier: {
      sandbox: tireSupplierUrl === undefined && !production,
      url: tireSupplierUrl ?? (production ? read.missing("TIRE_SUPPLIER_URL") : sandboxUrl("tires")),
      apiKey: tireSupplierUrl === undefined
        ? secret("TIRE_SUPPLIER_API_KEY", SANDBOX_SECRETS.tireSupplierKey)
        : (read.secret("TIRE_SUPPLIER_API_KEY") ?? read.missing("TIRE_SUPPLIER_API_KEY")),
      slug: readSlug(read, "TIRE_SUPPLIER_SLUG", "kmt"),
      aliases: read.list("TIRE_SUPPLIER_ALIASES") ?? ["K&M", "K&M Tire"],
    },
    chat: readChat(read),
    embeddings: readEmbeddings(read),
    syncTimeoutSeconds: read.integer("SYNC_TIMEOUT_SECONDS", { min: 1, max: 86_400 }) ?? 1_800,
    pipelineWorkers: read.integer("PIPELINE_WORKERS", { min: 1, max: 100 }) ?? 10,
    pipelineOcr: read.flag("PIPELINE_OCR", false),
    adminToken: "",
    drainSeconds: read.integer("DRAIN_SECONDS", { min: 0, max: 300 }) ?? (production ? 5 : 0),
    shippingRates: read.json("SHIPPING_RATES", parseShippingRates),
    rateLimit: read.rateLimit("RATE_LIMIT", production ? { requests: 300, seconds: 60 } : undefined),
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    logLevel: read.oneOf("LOG_LEVEL", ["fatal", "error", "warn", "info", "debug", "trace"], production ? "info" : "warn"),
    slowCallMs: read.integer("SLOW_CALL_MS", { min: 1, max: 600_000 }) ?? 1_000,
    tracing: readTracing(read),
  };
  if (settings.natsUrl === undefined && settings.run.entryPoints.length === 0) {
    read.unusable("SERVICES", "names no entry point, and without NATS_URL nobody can call what runs here");
  }
  const adminToken = read.secret("ADMIN_TOKEN");
  if (adminToken === undefined && production) read.missing("ADMIN_TOKEN");
  read.throwIfBroken();
  return {
    ...settings,
    storeUrl: settings.storeUrl || entryPointUrl(settings, "gateway"),
    adminToken: adminToken ?? readAdminToken(dataDir),
  };
}

export function readDataDir(read: SettingsReader): string {
  return resolve(read.text("DATA_DIR") ?? "./data");
}

/** `PAYMENT_PORT` of `payment`. */
export function portSetting(entry: EntryPoint): string {
  const names: Partial<Record<EntryPoint, string>> = { eventstore: "EVENT_STORE_PORT" };
  return names[entry] ?? `${entry.toUpperCase().replace("-", "_")}_PORT`;
}

/** `http://host:port` of an entry point as a client on this machine reaches it. */
export function entryPointUrl(settings: Pick<Settings, "host" | "ports">, entry: EntryPoint): string {
  const host = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${settings.ports[entry]}`;
}

/** Base of absolute links to what an entry point serves, without a slash at its end. */
export function linkBase(settings: Pick<Settings, "host" | "ports" | "publicUrl">, entry: EntryPoint): string {
  return settings.publicUrl ?? entryPointUrl(settings, entry);
}

function readRun(read: SettingsReader, production: boolean): Settings["run"] {
  const names = read.list("SERVICES") ?? ["all"];
  if (names.includes("all")) return { services: SERVICE_NAMES, entryPoints: ENTRY_POINTS, sandbox: !production };
  const services: ServiceName[] = [];
  const entryPoints: EntryPoint[] = [];
  let sandbox = false;
  for (const name of names) {
    const entry = name.startsWith("http:") ? name.slice("http:".length) : undefined;
    if (name === "http") entryPoints.push(...ENTRY_POINTS);
    else if (entry !== undefined && isOneOf(ENTRY_POINTS, entry)) entryPoints.push(entry);
    else if (isOneOf(SERVICE_NAMES, name)) services.push(name);
    else if (name === "sandbox" && !production) sandbox = true;
    else read.unusable("SERVICES", `"${name}" is not a service, \`http\`, \`http:<entry point>\`${production ? "" : " or `sandbox`"}`);
  }
  return { services: [...new Set(services)], entryPoints: [...new Set(entryPoints)], sandbox };
}

function readS3(read: SettingsReader): S3Location | undefined {
  const endpoint = read.url("S3_ENDPOINT");
  const given = { bucket: read.text("S3_BUCKET"), accessKeyId: read.secret("S3_ACCESS_KEY_ID"), secretAccessKey: read.secret("S3_SECRET_ACCESS_KEY") };
  if (endpoint === undefined) {
    // Whoever names a bucket means an S3, and would find the objects in DATA_DIR.
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

function readChat(read: SettingsReader): ChatModelLocation | undefined {
  const baseUrl = read.url("LLM_BASE_URL");
  const model = read.text("LLM_MODEL");
  const timeoutSeconds = read.integer("LLM_TIMEOUT_SECONDS", { min: 1, max: 60 }) ?? 12;
  const apiKey = read.secret("LLM_API_KEY");
  if (baseUrl === undefined) {
    // Whoever names a model means an endpoint, and would get composed answers without a word.
    if (model !== undefined || apiKey !== undefined) read.missing("LLM_BASE_URL");
    return undefined;
  }
  return { baseUrl, apiKey, model: model ?? read.missing("LLM_MODEL"), timeoutSeconds };
}

function readEmbeddings(read: SettingsReader): EmbeddingsSource | undefined {
  const baseUrl = read.url("EMBEDDINGS_BASE_URL");
  const folder = read.text("EMBEDDINGS_MODEL_DIR");
  const model = read.text("EMBEDDINGS_MODEL");
  const apiKey = read.secret("EMBEDDINGS_API_KEY");
  if (baseUrl !== undefined && folder !== undefined) read.unusable("EMBEDDINGS_MODEL_DIR", "and EMBEDDINGS_BASE_URL are both set: it is one or the other");
  if (baseUrl !== undefined) return { kind: "endpoint", baseUrl, apiKey, model: model ?? read.missing("EMBEDDINGS_MODEL") };
  if (folder !== undefined) return { kind: "folder", folder: resolve(folder), model: model ?? basename(resolve(folder)) };
  if (model !== undefined || apiKey !== undefined) read.missing("EMBEDDINGS_BASE_URL");
  return undefined;
}

function isOneOf<const T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

/** Segments of the catalog's other paths: a slug like one of them would lead elsewhere. */
const CATALOG_SEGMENTS = ["import", "refresh", "syncs"];

function readSlug(read: SettingsReader, name: string, fallback: string): string {
  const slug = read.text(name)?.toLowerCase() ?? fallback;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 40) read.unusable(name, "is not a path segment of letters, digits and single dashes");
  if (CATALOG_SEGMENTS.includes(slug)) read.unusable(name, `is a segment of another path: ${CATALOG_SEGMENTS.join(", ")}`);
  return slug;
}

function parseShippingRates(value: unknown): ShippingRate[] {
  if (!Array.isArray(value)) throw new Error("is not a list");
  return value.map((rate: Partial<Record<keyof ShippingRate, unknown>>) => {
    const { provider, serviceType, cost, estimatedDays } = rate;
    if (typeof provider !== "string" || typeof serviceType !== "string" || typeof cost !== "number" || typeof estimatedDays !== "number") {
      throw new Error("has an entry that is not { provider, serviceType, cost, estimatedDays }");
    }
    return { provider, serviceType, cost, estimatedDays };
  });
}
