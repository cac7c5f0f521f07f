import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, type Settings } from "../../../broker/settings.ts";
import { readShopSettings } from "../../../services/shared/settings.ts";
import { SUPPLIERS } from "../../../services/catalog/suppliers/list.ts";
import { pageOf, table } from "./page.ts";

interface Setting {
  names: readonly string[];
  /** By name, as the environment would have it; a test holds these against the code. */
  defaults?: readonly string[];
  /** In place of a value: what happens without one. */
  without?: string;
  meaning: string;
}

const setting = (names: string, defaults: string | { without: string }, meaning: string): Setting => ({
  names: names.split(" "),
  ...(typeof defaults === "string" ? { defaults: defaults.split(" ") } : defaults),
  meaning,
});
const none = (without: string): { without: string } => ({ without });

const ofSupplier = ({
  id,
  name,
  code,
  settings: { unset, aliases, sandbox },
}: (typeof SUPPLIERS)[number]): Setting[] => {
  const names = (...what: string[]): string => what.map((each) => `${id.toUpperCase()}_${each}`).join(" ");
  const without =
    unset === "sandbox"
      ? "The sandbox runs if no address is set; `off` runs neither"
      : `Without an address it is not synced; \`sandbox\` as the address runs its sandbox, at SANDBOX_PORT + ${sandbox.offset}`;
  return [
    setting(names("URL", "API_KEY"), none(unset), `Supplier ${name}. ${without}`),
    setting(
      names("SLUG"),
      code.toLowerCase(),
      `Segment of ${name} in \`/catalog/{supplier}/sync\` and \`/batch-sync\``,
    ),
    setting(
      names("ALIASES"),
      aliases.length > 0 ? aliases.join(",").replaceAll(" ", "\u00a0") : none("none"),
      `Other spellings of its code ${code} in the manufacturer filter of a search`,
    ),
  ];
};

/** Read by OpenTelemetry's SDK itself. */
const OF_THE_SDK = ["OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"];

export const SETTINGS: Record<string, readonly Setting[]> = {
  Process: [
    setting(
      "NODE_ENV",
      none("development"),
      "`production` runs no sandbox and has no default secrets. If settings are missing, the start stops and lists all of them",
    ),
    setting(
      "SERVICES",
      "all",
      "Parts that this process runs: service names (folders of `services/`), `http` for all entry points or `http:payment` for one, `sandbox`",
    ),
    setting(
      "DATA_DIR",
      "./data",
      "Folder of the embedded stores, the admin token, the sandboxes' state, and images and manuals being processed. Only the owner can read the files and, if the start creates it, the folder, regardless of the umask. The log warns about files that others can read",
    ),
    setting(
      "AUDIT_KEPT",
      "730d",
      "Lifetime of an entry of the audit stream ([guide](../guides/authentication.md#who-did-it)); `off` keeps it for good. A change applies to new entries; at a start, entries without an end get one",
    ),
    setting(
      "DRAIN_SECONDS",
      "0",
      "Seconds between SIGTERM and closing the listeners, during which `/health/ready` is 503. Set it above your load balancer's check interval. 5 in production",
    ),
    setting(
      "LOG_LEVEL",
      "warn",
      "fatal, error, warn, info, debug or trace. Log lines are JSON, except on a terminal. info in production",
    ),
    setting(
      "SLOW_CALL_MS",
      "1000",
      "Milliseconds after which an action or a route is logged as slow. An action with a timeout above 10 s is logged after half of its timeout; uploads, files and streams never are",
    ),
  ],
  HTTP: [
    setting("HOST", "127.0.0.1", "Bind address of every entry point"),
    setting(
      "GATEWAY_PORT CART_PORT SEARCH_PORT MEDIA_PORT PAYMENT_PORT USER_PORT CATALOG_PORT ANALYTICS_PORT HEALTH_ANALYTICS_PORT AI_PORT EVENT_STORE_PORT PIPELINE_PORT SHOP_PORT CONSOLE_PORT",
      "8000 3000 3001 3002 3004 3005 3010 3020 3021 8001 8002 8080 3100 3200",
      "Ports of the entry points ([HTTP](http.md)). In `docker/.env`, CART_PORT, SHOP_PORT and CONSOLE_PORT are the proxy's published ports instead",
    ),
    setting(
      "HEALTH_PORT",
      none("none"),
      "Port of the process's own `/health`, `/health/ready`, `/health/live` and `/metrics`, to monitor a process without an entry point",
    ),
    setting(
      "PUBLIC_URL",
      none("the entry point's own address"),
      "Base of links that open without a credential: an image's `url`, a manual's page",
    ),
    setting(
      "STORE_URL",
      "http://127.0.0.1:3100",
      "Address at which shoppers open the shop: that of the entry point `shop`, or of a storefront of your own. Base of the default successUrl and cancelUrl, of store links (`/parts/{slug}`), and of the return from a sign-in (`/session/callback`). Payments carry it as `partline_shop` ([guide](../guides/shop.md#a-shared-payment-account))",
    ),
    setting(
      "CONSOLE_URL",
      "http://127.0.0.1:3200",
      "Address at which staff open the console: that of the entry point `console`. Base of the links in mails to the shop, and of the return from a sign-in (`/session/callback`)",
    ),
    setting(
      "SHOP_NAME SHOP_ADDRESS",
      none("`Partline`, no address"),
      "Name and address on invoices, packing slips, pages and mails; buyers pick up there. `|` separates the lines of the address. If they are set here, nobody can change them in the shop's settings (`PATCH /api/admin/settings`)",
    ),
    setting(
      "SHOP_SETTINGS",
      none("none"),
      "Settings of the shop that nobody can change in the console: JSON with the fields of `PATCH /api/admin/settings`, or the path of a file with it. A setting with a variable of its own (`SHOP_NAME`, for example) takes that one",
    ),
    setting(
      "SHOP_TIME_ZONE",
      none("`UTC`"),
      "The shop's time zone, an IANA name (`America/Chicago`), the same for every process. If it is set here, nobody can change it in the shop's settings. It determines the days of order numbers, invoices, statistics, pages, and `from` and `to` in the API. After a change to or from a zone whose hours do not begin with those of UTC (`Asia/Kolkata`), rebuild the figures",
    ),
    setting(
      "SMTP_URL MAIL_FROM SHOP_EMAIL MAIL_TEMPLATES",
      none("the sandbox's mailbox"),
      "Mail server (`smtp://`, `smtps://` or `off`); sender (if it is set here, nobody can change it in the shop's settings); the shop's own address, also the sender while none is set (by default the email address in the shop's settings; without both, the shop gets no mails); folder with templates that replace those of `services/mail/templates`. Production requires SMTP_URL and one of the addresses, or `SMTP_URL=off`",
    ),
    setting(
      "ALERT_MAILS",
      "on",
      "The shop gets a mail when an incident begins and one when it ends ([alerts](../operations.md#alerts)). `off` where Prometheus sends alerts",
    ),
    setting("ADMIN_TOKEN", none("made once, kept in `DATA_DIR`"), "X-Admin-Token. Required in production"),
    setting(
      "RATE_LIMIT",
      "off",
      "`off`, or `N/SECONDS` for each client on each entry point. Webhooks and health do not count. `300/60` in production",
    ),
    setting(
      "GUEST_STORAGE_MB",
      "50",
      "Megabytes that guests of one address may store in a day: carts, checkouts, conversations ([decision 6](../decisions/0006-how-long-carts-live.md)). More is 429; users and keys have no limit",
    ),
    setting(
      "CORS_ORIGINS",
      none("none"),
      "Comma-separated origins (`https://shop.example`) of web pages that may call the entry points, in addition to those in IDENTITY_AUTHORIZED_PARTIES ([guide](../guides/front-ends.md#pages-of-another-origin))",
    ),
    setting(
      "TRUSTED_PROXIES",
      none("none"),
      "Comma-separated addresses or CIDR ranges of trusted proxies. The client is the right-most `X-Forwarded-For` entry that is not one of them",
    ),
  ],
  "Stores and broker": [
    setting(
      "NATS_URL",
      none("in process"),
      "Broker and, with JetStream, durable events. A comma-separated list is a cluster. Credentials: `nats://user:password@host:4222`, `nats://token@host`, `?creds=FILE`, `?nkey=FILE`, or `?cert=FILE&key=FILE` with `ca=FILE`. Production needs them, or TRUSTED_NETWORK ([trust](../trust.md))",
    ),
    setting(
      "CLUSTER_SECRET",
      none("none"),
      "Secret with which processes over NATS sign their messages and events; they accept nothing else. 32 characters or more, the same for all; two during a change ([how](../trust.md#changing-the-secret)). Production with NATS_URL needs it, or TRUSTED_NETWORK",
    ),
    setting(
      "TRUSTED_NETWORK",
      "off",
      "`true` declares that only this system's processes reach NATS and MongoDB: production then starts without their credentials and CLUSTER_SECRET ([trust](../trust.md))",
    ),
    setting(
      "NATS_NAMESPACE",
      "partline",
      "Systems with different namespaces can share NATS servers and Elasticsearch. A namespace other than the default is a prefix of index names. All processes of one MONGO_URL need the same one",
    ),
    setting(
      "MONGO_URL",
      none("embedded"),
      "Document store and event store: a MongoDB replica set. Production needs credentials (`mongodb://user:password@…`, or an `authMechanism`), or TRUSTED_NETWORK",
    ),
    setting("ELASTICSEARCH_URL", none("embedded"), "Search index, on Elasticsearch 9. May carry credentials"),
    setting("ELASTICSEARCH_SHARDS", "1", "Shards of new search indexes, 1 to 100"),
    setting(
      "REDIS_URL",
      none("memory"),
      "Counters of RATE_LIMIT and GUEST_STORAGE_MB, shared by all processes. `redis://` or `rediss://`; may carry credentials",
    ),
    setting(
      "S3_ENDPOINT S3_BUCKET S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY",
      none("files in `DATA_DIR`"),
      "Images, manuals and their content, on any S3. The bucket is created if it does not exist",
    ),
    setting("S3_REGION", "us-east-1", "Region of the S3"),
  ],
  Providers: [
    setting(
      "STRIPE_SECRET_KEY STRIPE_API_BASE STRIPE_WEBHOOK_SECRET",
      none("sandbox"),
      "Payment provider. The sandbox runs if no key is set; with a key or an https address, key and webhook secret are required. A restricted key must be able to read events, for webhooks that never arrive",
    ),
    setting(
      "STRIPE_AUTOMATIC_TAX STRIPE_PROMOTION_CODES",
      "off off",
      "The provider's own tax and promotion codes ([guide](../guides/shop.md#checkout))",
    ),
    setting(
      "STOCK_POLICY",
      none("`sell`"),
      "Policy for pieces beyond the stock: `sell` (backordered), `sell:14` (backordered, ships in 14 days) or `up_to_stock` (refused). Exceptions by vendor code follow after commas: `sell,KAW=up_to_stock,BNS=sell:14`. If it is set here, nobody can change it in the shop's settings",
    ),
    setting(
      "SHIP_TO",
      "US,CA",
      "Comma-separated ISO 3166 codes of the countries to which the shop ships. The hosted page and quotes take addresses there; if shipping costs are enforced, a checkout with an address elsewhere is refused. The start stops at a country for which the provider's page takes no address; territories of the US are states there (`US`, `VI`)",
    ),
    setting(
      "SHIPPING_RATES",
      none("none"),
      "JSON list of flat rates: `{ provider, serviceType, cost, estimatedDays }`. The hosted page offers them to a checkout without a rate; a checkout may name them as well as quoted ones",
    ),
    setting(
      "SHIPPING_TABLE",
      none("a table for the US, Canada and elsewhere"),
      "Table of shipping costs: JSON, or the path of a file with it ([guide](../guides/shop.md#shipping-costs)). A table with gaps or unusable values stops the start. If it is set here, nobody can change it in the shop's settings",
    ),
    setting(
      "EASYPOST_API_KEY EASYPOST_API_BASE",
      none("off"),
      "Take shipping costs from EasyPost in place of the table. The address is EasyPost's own by default; `sandbox` runs its sandbox, at SANDBOX_PORT + 7",
    ),
    setting(
      "EASYPOST_WEBHOOK_SECRET",
      none("off"),
      "Secret of EasyPost's webhook to `/webhooks/easypost`, which says that parcels have arrived ([guide](../guides/shop.md#delivery)). Without it, the address answers 404",
    ),
    setting(
      "SHIP_FROM",
      none("none"),
      "JSON of the address from which parcels are sent: `{ name, street, city, state, postalCode, country, phone }`. Required with EasyPost",
    ),
    setting(
      "IDENTITY_MODE",
      "provider",
      "Sign-in by the identity `provider`, or by the shop itself with a link in a `mail` ([guide](../guides/authentication.md#sign-in-by-mail)). With `mail`, the settings below are not used, except audience and parties",
    ),
    setting(
      "STAFF",
      none("none"),
      "Roles with IDENTITY_MODE=mail: `owner:jo@shop.example,clerk:sam@shop.example`. Production needs an owner or admin. Everybody else is a customer. A change takes effect with the next sign-in",
    ),
    setting(
      "IDENTITY_JWKS_URL IDENTITY_ISSUER IDENTITY_AUDIENCE IDENTITY_AUTHORIZED_PARTIES IDENTITY_WEBHOOK_SECRET",
      none("sandbox"),
      "Identity provider. The sandbox runs if no JWKS address is set; with one, or an https issuer, all but the issuer are required. Parties is a comma-separated list",
    ),
    setting(
      "IDENTITY_CLIENT_ID IDENTITY_CLIENT_SECRET",
      none("sandbox"),
      "Client at the identity provider, for sign-in by redirect (OpenID Connect, discovered at IDENTITY_ISSUER, which must be a URL). Without an id, nobody can sign in on a page; a client without a secret is a public one ([guide](../guides/authentication.md#browsers))",
    ),
    setting(
      "DIS_URL DIS_API_KEY DIS_DEALER_ID",
      none("sandbox"),
      "Dealer inventory system. The sandbox runs if no address is set. `off` runs neither, and price files set all prices. It need not answer at the start",
    ),
    ...SUPPLIERS.flatMap(ofSupplier),
    setting("SYNC_TIMEOUT_SECONDS", "1800", "Longest sync or refresh of the catalog, seconds"),
    setting(
      "TIRE_SYNC_EVERY DIS_REFRESH_EVERY",
      "6h 1h",
      "How often suppliers' listings are synced, and the dealer is asked about viewed parts ([guide](../guides/catalog.md#prices-stay-current)): `90s`, `30m`, `6h`, `1d` or `off`, for example",
    ),
    setting(
      "PRICE_MAX_AGE",
      "24h",
      "Age from which a checkout asks the dealer for a part's price, for a second at most; `off` never asks",
    ),
    setting(
      "SANDBOX_HOST SANDBOX_PORT",
      "127.0.0.1 4000",
      "Address of the sandboxes. SANDBOX_PORT is the payment provider's; identity (+ 1), suppliers (+ 2), tires (+ 3), chat model (+ 4), mailbox (+ 5) and SMTP (+ 8) follow. Those of other suppliers and of EasyPost are in their rows. They accept requests to addresses, to names without a dot (`localhost`, a container's name) and to SANDBOX_HOST, and none from other web pages",
    ),
  ],
  "Manuals and the parts desk": [
    setting(
      "PIPELINE_WORKERS",
      "10",
      "Number of tasks on manuals (a file to fetch, ten pages to read) that a node works on at a time. It reads in as many processes as it has processors",
    ),
    setting(
      "PIPELINE_OCR",
      "auto",
      "OCR: `auto` reads lists that are pictures, after all other pages; `on` also every scanned page; `off` nothing ([guide](../guides/manuals.md#upload-a-manual))",
    ),
    setting(
      "PIPELINE_OCR_LANGUAGES",
      "eng",
      "Languages of OCR, comma-separated: `eng`, `deu`, `fra`, `spa`, `por`, `ita`. Each needs its package `@tesseract.js-data/…`",
    ),
    setting(
      "LLM_BASE_URL LLM_API_KEY LLM_MODEL",
      none("answers from templates"),
      "OpenAI-compatible chat endpoint (`http://127.0.0.1:11434/v1`, for example)",
    ),
    setting("LLM_TIMEOUT_SECONDS", "12", "Seconds that an answer waits for the chat model"),
    setting(
      "EMBEDDINGS_BASE_URL EMBEDDINGS_API_KEY EMBEDDINGS_MODEL",
      none("search by words only"),
      "OpenAI-compatible embeddings endpoint",
    ),
    setting(
      "EMBEDDINGS_MODEL_DIR",
      none("none"),
      "Folder with `model.onnx` and `tokenizer.json` or `vocab.txt` of a sentence model, in place of an endpoint. Needs `npm install --no-save onnxruntime-node`",
    ),
  ],
  Traces: [
    setting(
      "OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      none("no traces"),
      "Receiver of the traces, by OTLP as JSON over HTTP (`http://127.0.0.1:4318`). The exporter itself reads OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION and _CERTIFICATE",
    ),
    setting("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "The only supported protocol"),
    setting("OTEL_TRACES_EXPORTER OTEL_SDK_DISABLED", "otlp false", "`none` or `true` turns traces off"),
    setting(OF_THE_SDK.join(" "), none("partline, none"), "Name and attributes of the process in traces"),
    setting(
      "OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG",
      "parentbased_always_on 1",
      "Sampler (also always_on, always_off, traceidratio, parentbased_always_off, parentbased_traceidratio), and the share that a ratio samples",
    ),
  ],
};

const all = Object.values(SETTINGS).flat();

/** Returns the names that the page has and, of them, those that come from a file too, as the code reads them. */
export function namesRead(): { names: Set<string>; fromFile: Set<string> } {
  const asked = new Set<string>();
  // Some settings are asked for only beside another.
  const given: NodeJS.ProcessEnv = { DATA_DIR: newFolder(), S3_ENDPOINT: "http://127.0.0.1:1", S3_BUCKET: "bucket" };
  const env = new Proxy(given, {
    get: (target, name: string) => {
      asked.add(name);
      return target[name];
    },
  });
  try {
    loadSettings(env, "1.0.0", readShopSettings(SUPPLIERS));
  } catch {
    // What is missing beside an S3 does not matter here.
  }
  const fromFile = new Set([...asked].flatMap((name) => (name.endsWith("_FILE") ? [name.slice(0, -5)] : [])));
  return { names: new Set([...asked].filter((name) => !name.endsWith("_FILE"))), fromFile };
}

/** The names that the page has and the code reads. */
export const namesDescribed = (): string[] =>
  all.flatMap(({ names }) => names).filter((name) => !OF_THE_SDK.includes(name));

/** Returns the settings of an empty environment, and those of one that has the defaults that the page names. */
export function withDefaults(): { unset: Settings; set: Settings } {
  const DATA_DIR = newFolder();
  const named = all.flatMap(({ names, defaults = [] }) =>
    defaults.map((value, index) => [names[index]!, value] as const),
  );
  const given = Object.fromEntries(named.map(([name, value]) => [name, value.replaceAll("\u00a0", " ")]));
  return {
    unset: loadSettings({ DATA_DIR }, "1.0.0", readShopSettings(SUPPLIERS)),
    set: loadSettings({ ...given, DATA_DIR }, "1.0.0", readShopSettings(SUPPLIERS)),
  };
}

export function settingsPage(): string {
  const { fromFile } = namesRead();
  const code = (text: string): string => `\`${text.replaceAll("\u00a0", " ")}\``;
  const rowOf = ({ names, defaults, without, meaning }: Setting): string[] => [
    names.map((name) => code(name) + (fromFile.has(name) ? " †" : "")).join(", "),
    defaults ? defaults.map(code).join(", ") : `(${without!})`,
    meaning,
  ];
  return pageOf(
    "Settings",
    "broker/settings.ts and test/support/reference/settings.ts",
    "All settings come from the environment, or from the file `partline.env` that [`npm run setup`](../guides/one-server.md) writes; SETTINGS_FILE names another file. What the environment sets takes precedence over the file. A setting with † can come from a file instead: `NAME_FILE=/run/secrets/name`. If both are set, the file takes precedence. An unusable value (a port in use, a URL that does not parse, a store that does not answer or refuses the password) stops the start with a line that names the setting; a mail server that does is logged, as mails wait for it.",
    ...Object.entries(SETTINGS).flatMap(([topic, settings]) => [
      `## ${topic}`,
      table(["setting", "default", "meaning"], settings.map(rowOf)),
    ]),
  );
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "partline-reference-"));
