import { constants } from "node:fs";
import { access, chmod, mkdir, readdir, stat } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { ConnectionString } from "mongodb-connection-string-url";
import { findNatsRefusal, parseNatsServers, isReachable } from "@partline/durable";
import { DEFAULT_STRIPE_API, SANDBOX_PORTS, type Settings } from "../broker/settings.ts";
import { toPortSetting } from "../broker/settings/addresses.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import { isUsed } from "../broker/settings/run.ts";
import { openServers } from "../broker/settings/trust.ts";
import { computeMostConnections, connectRedis, getAt, NEEDED_OPEN_FILES, openFilesLimit } from "@partline/toolkit";
import { errorCode } from "../mixins/errors.ts";
import { createPaymentProvider } from "../mixins/payment-provider/payment-provider.ts";
import { findEndpointProblems } from "../services/payment/webhook-endpoints.ts";

/** Longest wait for a server, milliseconds. */
const ANSWER_MS = 3_000;
/** Default ports by protocol; NATS has 4222 for any scheme. */
const PORTS: Record<string, number> = { "http:": 80, "https:": 443, "mongodb:": 27017 };

/** Another process, most likely another Partline, listens on a port of ours. */
export class PortsTakenError extends SettingsError {}

/**
 * Tries ports, DATA_DIR and whether servers answer, before anything starts on them: Moleculer would wait for NATS for
 * ever, and the first shopper would find a provider's wrong address.
 * @returns warnings, a line each, that do not stop the start
 * @throws SettingsError with a line for each problem, PortsTakenError if a port is among them
 */
export async function runPreflight(settings: Settings): Promise<string[]> {
  const [endpoints, ports, ...flaws] = await Promise.all([
    checkWebhookEndpoints(settings),
    checkPorts(settings),
    checkDirectory(settings),
    checkServers(settings),
    checkNats(settings),
    checkRedis(settings),
  ]);
  const text = [...new Set([ports.problems, ...flaws].flat())].join("\n");
  if (text !== "") throw ports.isTaken ? new PortsTakenError(text) : new SettingsError(text);
  return [...(await openDirectory(settings)), ...openServers(settings), ...endpoints, ...checkOpenFiles()];
}

interface Address {
  host: string;
  port: number;
  /** How a problem names it. */
  name: string;
}

interface Tried {
  server?: Server;
  problem?: string;
  isTaken?: true;
}

async function checkPorts(settings: Settings): Promise<{ problems: string[]; isTaken: boolean }> {
  const addresses = listPorts(settings);
  const tried = await Promise.all(
    addresses.map(async (address, index): Promise<Tried> => {
      const same = addresses.slice(0, index).find(({ host, port }) => host === address.host && port === address.port);
      return same
        ? { problem: `${address.name} is the port of ${getAt(same.name.split(" "), 0)} too` }
        : tryToListen(address);
    }),
  );
  await Promise.all(tried.flatMap(({ server }) => (server ? [new Promise((resolve) => server.close(resolve))] : [])));
  const problems = tried.flatMap(({ problem }) => problem ?? []);
  const runsAlready = tried.length > 1 && tried.every(({ isTaken }) => isTaken);
  return {
    problems: runsAlready ? ["Partline seems to run here already: every port of it is taken.", ...problems] : problems,
    isTaken: tried.some(({ isTaken }) => isTaken),
  };
}

function listPorts(settings: Settings): Address[] {
  const { host, ports, run, healthPort, sandboxHost, sandboxPort, payment, identity, mail, suppliers, shipping } =
    settings;
  const entryPoints = run.entryPoints.map((entry) => ({
    host,
    port: ports[entry],
    name: `${toPortSetting(entry)} ${ports[entry]}`,
  }));
  if (healthPort !== undefined) entryPoints.push({ host, port: healthPort, name: `HEALTH_PORT ${healthPort}` });
  if (!run.sandbox) return entryPoints;
  // These two run with the sandbox regardless of the settings: price files come from the dealer's.
  const stoodInFor = {
    payment: payment.sandbox,
    identity: identity.sandbox,
    dealer: true,
    chat: true,
    mailbox: mail?.sandbox === true,
    smtp: mail?.sandbox === true,
    easypost: shipping.easyPost?.sandbox ?? false,
  } as const;
  const sandboxes = [
    ...(Object.keys(stoodInFor) as (keyof typeof stoodInFor)[])
      .filter((name) => stoodInFor[name])
      .map((name) => ({ name, port: sandboxPort + SANDBOX_PORTS[name] })),
    ...Object.values(suppliers).flatMap(({ sandbox }) => sandbox ?? []),
  ];
  return [
    ...entryPoints,
    ...sandboxes.map(({ name, port }) => ({
      host: sandboxHost,
      port,
      name: `SANDBOX_PORT ${sandboxPort}: port ${port}, the ${name} sandbox's,`,
    })),
  ];
}

/**
 * Holds each port until all were tried, so that two settings with one port are found, also under two names of an
 * address.
 */
function tryToListen({ host, port, name }: Address): Promise<Tried> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EADDRINUSE") resolve({ problem: `${name} is taken`, isTaken: true });
      else if (code === "EACCES") resolve({ problem: `${name} cannot be listened on without more rights` });
      else resolve({ problem: `HOST ${host} cannot be listened on (${code ?? "error"})` });
    });
    server.listen(port, host, () => resolve({ server }));
  });
}

async function checkDirectory({ run, dataDir }: Settings): Promise<string[]> {
  if (run.services.length === 0 && !run.sandbox) return [];
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.W_OK);
    return [];
  } catch (error) {
    return [`DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code ?? "error"})`];
  }
}

/** The contents of DATA_DIR except the objects, which are public and which others may add to. */
const STORES = /^(admin-token|[\w-]+\.(sqlite|db)(-wal|-shm|\.lock)?|search|passages|media-work|pipeline-work)$/;

/**
 * Makes the files private to their owner, also those of earlier versions. Others could still list, replace or remove
 * them, so an open directory is a warning.
 */
async function openDirectory({ run, dataDir }: Settings): Promise<string[]> {
  const isUsedHere = (run.services.length > 0 || run.sandbox) && process.platform !== "win32";
  if (!isUsedHere) return [];
  const problems: string[] = [];
  for (const name of (await readdir(dataDir)).filter((name) => STORES.test(name)))
    await narrow(join(dataDir, name)).catch((error: unknown) => {
      const { code = "error" } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") problems.push(`${join(dataDir, name)} stays open to other users (${code})`);
    });
  if ((await stat(dataDir)).mode & 0o077)
    problems.push(`DATA_DIR ${dataDir} is open to other users of this machine: chmod 700 ${dataDir}`);
  return problems;
}

async function narrow(path: string): Promise<void> {
  const { mode } = await stat(path);
  if (mode & 0o077) await chmod(path, mode & 0o700);
}

function checkOpenFiles(): string[] {
  const limit = openFilesLimit();
  if (limit >= NEEDED_OPEN_FILES) return [];
  return [
    `The process may have ${limit} files open: it takes ${computeMostConnections(limit)} connections at a time. Allow it ${NEEDED_OPEN_FILES} (ulimit -n)`,
  ];
}

async function checkServers(settings: Settings): Promise<string[]> {
  const { run, natsUrl, mongoUrl, elasticsearchUrl, s3, payment, identity, suppliers } = settings;
  const servers: [setting: string, isUsed: boolean, urls: (string | undefined)[]][] = [
    ["NATS_URL", true, natsUrl === undefined ? [] : parseNatsServers(natsUrl).servers],
    ["MONGO_URL", isUsed("MONGO_URL", settings), mongoUrl === undefined ? [] : listMongoHosts(mongoUrl)],
    ["ELASTICSEARCH_URL", isUsed("ELASTICSEARCH_URL", settings), [elasticsearchUrl]],
    ["S3_ENDPOINT", isUsed("S3_ENDPOINT", settings), [s3?.endpoint]],
    [
      "STRIPE_API_BASE",
      isUsed("STRIPE_SECRET_KEY", settings) && !payment.sandbox && payment.apiBase !== DEFAULT_STRIPE_API,
      [payment.apiBase],
    ],
    ["IDENTITY_JWKS_URL", run.entryPoints.length > 0 && !identity.sandbox, [identity.jwksUrl]],
    ...Object.values(suppliers).map(({ setting, sandbox, url }): (typeof servers)[number] => [
      setting,
      run.services.includes("catalog") && !sandbox,
      [url],
    ]),
  ];
  const silent = await Promise.all(
    servers.map(async ([setting, used, urls]) => {
      const answers = used ? await Promise.all(urls.flatMap((url) => (url === undefined ? [] : isAccepting(url)))) : [];
      return answers.length > 0 && !answers.includes(true) ? [`${setting}: no server answers there`] : [];
    }),
  );
  return silent.flat();
}

/** Moleculer would wait silently for a server that refuses. Later a refusal may pass. */
async function checkNats({ natsUrl }: Settings): Promise<string[]> {
  const refusal = natsUrl === undefined ? undefined : await findNatsRefusal(natsUrl, ANSWER_MS);
  return refusal === undefined ? [] : [`NATS_URL: the server does not let this process in (${refusal})`];
}

/** Redis may be away later, but a wrong address or password is reported at once. */
async function checkRedis(settings: Settings): Promise<string[]> {
  const { redisUrl, namespace } = settings;
  if (redisUrl === undefined || !isUsed("REDIS_URL", settings)) return [];
  try {
    (await connectRedis(redisUrl, namespace)).disconnect();
    return [];
  } catch (error) {
    return [`REDIS_URL: it cannot be used (${(error as Error).message})`];
  }
}

/** A restricted key may not read endpoints, and the provider may be away: neither keeps the shop closed. */
async function checkWebhookEndpoints(settings: Settings): Promise<string[]> {
  const { payment } = settings;
  if (payment.sandbox || !isUsed("STRIPE_SECRET_KEY", settings)) return [];
  const provider = createPaymentProvider(payment);
  try {
    const { data } = await provider.request((stripe) =>
      stripe.webhookEndpoints.list({ limit: 100 }, { timeout: ANSWER_MS, maxNetworkRetries: 0 }),
    );
    return findEndpointProblems(data, await provider.apiVersion());
  } catch (error) {
    const code = errorCode(error) ?? "error";
    const unseen = "their API version and events are not checked";
    return [`The payment provider does not show its webhook endpoints (${code}): ${unseen}`];
  }
}

/** Returns an address for each host; none for a DNS seed list or a socket file, which only the driver can look up. */
function listMongoHosts(url: string): string[] {
  const { hosts, isSRV } = new ConnectionString(url);
  return isSRV || hosts.some((host) => /%2f/i.test(host)) ? [] : hosts.map((host) => `mongodb://${host}`);
}

function isAccepting(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return Promise.resolve(false);
  return isReachable(url, PORTS[new URL(url).protocol] ?? 4222, ANSWER_MS, "connect");
}
