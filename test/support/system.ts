import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { type HttpMethod } from "@partline/api-contracts";
import { ENTRY_POINTS, type EntryPoint } from "../../broker/contract/define.ts";
import { DEFAULT_NAMESPACE } from "../../broker/settings.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { createManualMarks } from "../../packages/sandbox/src/manuals/manuals.ts";
import { CHILD_ENVIRONMENT } from "./children.ts";
import { eventually } from "./eventually.ts";
import { mongoTestUrl } from "./mongo.ts";
import { freePorts, SANDBOX_PORT_COUNT, SANDBOXES } from "./ports.ts";
import { removeTestBucket, s3Settings, s3TestLocation } from "./s3.ts";

declare const PARTLINE_MODE: Mode | undefined;

/**
 * What each process runs. Only where their index is on Elasticsearch, search and ai run in both, and media and pipeline
 * where their objects are on an S3.
 */
const PROCESSES = {
  embedded: ["all"],
  split: [
    `payment,customer,user,access,settings,mail,eventstore,analytics,health-analytics,http,sandbox${process.env.ELASTICSEARCH_URL ? ",search,ai" : ""}${process.env.S3_ENDPOINT ? ",media,pipeline" : ""}`,
    "cart,order,mail,webhook,catalog,dis-router,search,ai,media,pipeline,analytics,health-analytics",
  ],
} as const;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASK_AGAIN_MS = 200;
export const ADMIN_TOKEN = "test-admin-token";

export interface RequestOptions {
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  rawBody?: string | Uint8Array;
  token?: string;
  adminToken?: string;
  sessionId?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON, or undefined. Tests say what they expect of it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black-box client has no types to rely on
  body: any;
}

/** How the product runs: see jest.config.js. */
export type Mode = "embedded" | "split";

/** A running system, as its clients see it. */
export interface SystemClient {
  mode: Mode;
  url(entry: EntryPoint): string;
  sandboxUrl(name: string): string;
  request(
    entry: EntryPoint,
    method: HttpMethod | "HEAD" | "OPTIONS",
    path: string,
    options?: RequestOptions,
  ): Promise<Answer>;
  /** A bearer token of the sandbox's customer or admin, or of any other user id. */
  token(user: "customer" | "admin" | (string & {}), claims?: Record<string, unknown>): Promise<string>;
  /** Everything that the processes printed. */
  output(): string;
}

export interface System extends SystemClient {
  dataDir: string;
  env: Record<string, string>;
  /** Of the first of its ports; the others follow. */
  firstPort: number;
  processes: ChildProcess[];
  /** kill -9 of every process, as a power cut would. */
  kill(): Promise<void>;
  /** Starts the processes again over the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** The test's own unless given. */
  mode?: Mode;
  env?: Record<string, string>;
  /** What each process runs (SERVICES), where it is not what the mode says. */
  processes?: readonly string[];
  /**
   * Whether a fresh start reads the sandbox's sample manuals, as it does unless Jest runs; otherwise it is as if they
   * had been read before.
   */
  readsSamples?: boolean;
  /** Whether a fresh embedded start fills the catalog itself, as it does when it reads the sample manuals. */
  fillsCatalog?: boolean;
  onOutput?: (text: string) => void;
}

/**
 * The real thing as child processes on free ports with a DATA_DIR of their own; resolves when every entry point is
 * ready.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { mode = modeOfTest(), readsSamples = process.env.JEST_WORKER_ID === undefined } = options;
  const { fillsCatalog = readsSamples } = options;
  // Its pictures' addresses are in the catalog, which is made once for those that have the same (sandbox-catalog.ts).
  // The systems that suites share start beside each other: for each mode one with the samples and one without.
  const first = await freePorts(ENTRY_POINTS.length + SANDBOX_PORT_COUNT, {
    place: 2 * Object.keys(PROCESSES).indexOf(mode) + Number(readsSamples),
  });
  const ports = portsFrom(first);
  const dataDir = mkdtempSync(join(tmpdir(), "partline-system-"));
  const name = `partline_test_${first}_${Date.now()}`;
  const s3 = mode === "split" && process.env.S3_ENDPOINT ? s3TestLocation() : undefined;
  const env: Record<string, string> = {
    ...CHILD_ENVIRONMENT,
    DATA_DIR: dataDir,
    ADMIN_TOKEN,
    SANDBOX_PORT: String(ports.sandbox),
    LOG_LEVEL: "warn",
    // All shoppers of a test have one address.
    GUEST_STORAGE_MB: "1000000",
    ...Object.fromEntries(ENTRY_POINTS.map((entry) => [toPortSetting(entry), String(ports[entry])])),
    ...(mode === "split"
      ? {
          MONGO_URL: mongoTestUrl(mode),
          NATS_URL: process.env.NATS_URL!,
          NATS_NAMESPACE: name,
          CLUSTER_SECRET: "secret-of-the-tests-of-two-processes",
          ...(process.env.ELASTICSEARCH_URL ? { ELASTICSEARCH_URL: process.env.ELASTICSEARCH_URL } : {}),
          ...(process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {}),
        }
      : {}),
    ...(s3 ? s3Settings(s3) : {}),
    ...options.env,
  };
  // Most suites share a system, and load nothing that fills one.
  if (mode !== "embedded" || !fillsCatalog)
    await (
      await import("./sandbox-catalog.ts")
    ).putCatalog({ dataDir: env.DATA_DIR, mongoUrl: env.MONGO_URL }, `http://127.0.0.1:${ports.media}/api/media`);
  if (!readsSamples) await createManualMarks({ dataDir, mongoUrl: env.MONGO_URL }).sent.set();
  let printed = "";
  const system: System = {
    ...clientOf(mode, first, () => printed),
    dataDir,
    env,
    firstPort: first,
    processes: [],
    start: async () => {
      const printedBefore = printed.length;
      system.processes = (options.processes ?? PROCESSES[mode]).map((services) => {
        const child = spawn(process.execPath, [...NODE_FLAGS, "bin/start.ts"], {
          cwd: ROOT,
          env: { ...NODE_ENVIRONMENT, SERVICES: services, ...env },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const take = (chunk: Buffer): void => {
          printed += chunk.toString();
          options.onOutput?.(chunk.toString());
        };
        child.stdout.on("data", take);
        child.stderr.on("data", take);
        return child;
      });
      await ready(system, () => printed.slice(printedBefore));
    },
    kill: () => end(system.processes, "SIGKILL"),
    stop: async () => {
      await end(system.processes, "SIGTERM");
      await Promise.all([
        env.ELASTICSEARCH_URL &&
          import("./elasticsearch.ts").then(({ removeTestIndexes }) => removeTestIndexes(`${name}_`)),
        s3 && removeTestBucket(s3),
        env.NATS_URL &&
          import("./jetstream.ts").then(({ removeStreams }) =>
            removeStreams(env.NATS_URL!, env.NATS_NAMESPACE ?? DEFAULT_NAMESPACE),
          ),
      ]);
    },
  };
  await system.start().catch(async (error: unknown) => {
    await system.kill();
    throw error;
  });
  return system;
}

export function modeOfTest(): Mode {
  return typeof PARTLINE_MODE === "undefined" ? "embedded" : PARTLINE_MODE;
}

/**
 * A client of the system whose ports begin with this one. `headers` go with each of its requests to an entry point.
 */
export function clientOf(
  mode: Mode,
  firstPort: number,
  output: () => string,
  headers: Record<string, string> = {},
): SystemClient {
  const ports = portsFrom(firstPort);
  const client: SystemClient = {
    mode,
    url: (entry) => `http://127.0.0.1:${ports[entry]}`,
    sandboxUrl: (sandbox) => `http://127.0.0.1:${ports.sandbox + SANDBOXES[sandbox]!}`,
    output,
    request: (entry, method, path, request = {}) =>
      send(`${client.url(entry)}${path}`, method, { ...request, headers: { ...headers, ...request.headers } }),
    token: async (user, claims) => {
      const answer = await send(`${client.sandboxUrl("identity")}/v1/tokens`, "POST", {
        body: { user, ...(claims ? { claims } : {}) },
      });
      if (answer.status !== 200 && answer.status !== 201) throw new Error(`No token: ${answer.status} ${answer.text}`);
      return (answer.body as { token: string }).token;
    },
  };
  return client;
}

function portsFrom(first: number): Record<EntryPoint | "sandbox", number> {
  return Object.fromEntries([...ENTRY_POINTS, "sandbox"].map((name, offset) => [name, first + offset])) as Record<
    EntryPoint | "sandbox",
    number
  >;
}

async function send(url: string, method: string, options: RequestOptions): Promise<Answer> {
  const { body, rawBody, token, adminToken, sessionId, headers } = options;
  const response = await fetch(url, {
    method,
    redirect: "manual",
    body: rawBody !== undefined ? rawBody : body !== undefined ? JSON.stringify(body) : undefined,
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(adminToken === undefined ? {} : { "X-Admin-Token": adminToken }),
      ...(sessionId === undefined ? {} : { "X-Session-Id": sessionId }),
      ...headers,
    },
  });
  const text = await response.text();
  let parsed: unknown;
  if (response.headers.get("content-type")?.includes("json") && text !== "") parsed = JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body: parsed };
}

async function ready(system: System, output: () => string): Promise<void> {
  const died = system.processes.map(
    (child) =>
      new Promise<never>((_, reject) => {
        child.once("exit", (code) =>
          reject(new Error(`A process ended with ${code} while starting:\n${output().slice(-4_000)}`)),
        );
      }),
  );
  const unready = new Set(ENTRY_POINTS);
  const allReady = eventually(async () => {
    // Asked before, each entry point would look at its stores again and again while they are made.
    if ((output().match(/is ready after/g)?.length ?? 0) < system.processes.length) return false;
    for (const entry of unready) {
      const response = await fetch(`${system.url(entry)}/health/ready`);
      await response.text();
      if (response.status !== 200) {
        // Each answer costs the stores work, which their filling waits for.
        await pause(ASK_AGAIN_MS);
        throw new Error(`${entry} answers ${response.status} to /health/ready`);
      }
      unready.delete(entry);
    }
    return true;
  }, 240_000).catch((error: unknown) => {
    throw new Error(`Not ready: ${String(error)}\n${output().slice(-4_000)}`, { cause: error });
  });
  await Promise.race([allReady, ...died]);
}

async function end(processes: ChildProcess[], signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await Promise.all(
    processes.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await gone;
    }),
  );
}
