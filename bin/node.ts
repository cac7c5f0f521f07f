import { hostname } from "node:os";
import { ServiceBroker, type BrokerOptions, type Middleware, type ServiceSchema } from "moleculer";
import {
  openChannels,
  attachFacts,
  getMetrics,
  type SocketTransporter,
  listenForRepls,
  startTracing,
  openTasks,
  toMiddleware,
} from "@partline/moleculer-kit";
import {
  ChannelsUnavailable,
  hasEventLogCode,
  hasStoreCode,
  ObjectStoreError,
  openDocumentStore,
} from "@partline/durable";
import { createBrokerOptions } from "../broker/options.ts";
import { collectFacts } from "../broker/cluster/facts.ts";
import { createNodeService } from "../broker/cluster/node-service.ts";
import { assertStoreFits, claimStore, assertNamespaceFits, claimNamespace } from "../broker/cluster/store-identity.ts";
import { attachRuntime, getRuntime, type Runtime } from "../broker/runtime.ts";
import type { Settings } from "../broker/settings.ts";
import { createEntryPointService } from "../gateway/http/entry-point.ts";
import { createNodeHealth } from "../gateway/http/health.ts";
import { createNodeProbe, type NodeProbe } from "../gateway/http/node-probe.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import { SearchIndexError } from "@partline/parts-search";
import { setShopTimeZone } from "../mixins/shop/shop-days.ts";
import { withTimeout } from "@partline/toolkit";
import { CHANNELS, contracts } from "../services/all-contracts.ts";
import { createSettingsFollower } from "../services/settings/following.ts";
import { runPreflight } from "./preflight.ts";
import { stopNode } from "./stop-node.ts";

export interface RunningNode {
  broker: ServiceBroker;
  runtime: Runtime;
  /** Runs `stopNode`. A second call waits for the first. */
  stop(): Promise<void>;
}

/** Longest wait, after a failed start, for what had begun to end; milliseconds. */
const FAILED_START_ENDS_MS = 10_000;

/** Source: mongodb/mongo, src/mongo/base/error_codes.yml */
const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;

type ServiceModule = { default: (broker: ServiceBroker) => ServiceSchema };

/**
 * Starts what `settings.run` names and resolves when all of it is ready.
 * @param serves is called earlier, as soon as a stop has something to finish
 * @param joined joins the node to a process without NATS
 * @throws SettingsError that names the setting of an unusable server, directory or port
 */
export const startNode = (
  settings: Settings,
  serves?: (node: RunningNode) => void,
  joined?: SocketTransporter,
): Promise<RunningNode> => runNode(createNodeOptions(settings, serves, joined));

/** Starts a node as `startNode` does, with the options of `createNodeOptions`. */
export async function runNode(options: BrokerOptions): Promise<RunningNode> {
  const broker = new ServiceBroker(options);
  const runtime = getRuntime(broker);
  try {
    await broker.start();
    return { broker, runtime, stop: broker.stop };
  } catch (error) {
    // The cause of the failed start counts, not what followed from it.
    await withTimeout(broker.stop(), FAILED_START_ENDS_MS, () => undefined).catch((wake: unknown) =>
      broker.logger.warn("A failed start could not be cleaned up", wake),
    );
    throw explainStartError(error, runtime.settings);
  }
}

/** Options that make a broker the whole node, also for Moleculer's runner: its `stop` is `stopNode`. */
export function createNodeOptions(
  settings: Settings,
  onServe: (node: RunningNode) => void = () => undefined,
  joined?: SocketTransporter,
): BrokerOptions {
  setShopTimeZone(settings.shop.timeZone);
  const options = createBrokerOptions(settings, joined);
  return { ...options, middlewares: [...options.middlewares!, createNodeMiddleware(settings, onServe)] };
}

function createNodeMiddleware(settings: Settings, serves: (node: RunningNode) => void): Middleware {
  const { run, natsUrl, healthPort, dataDir } = settings;
  const { promise: ready, resolve: endStart } = Promise.withResolvers<void>();
  const runtime: Runtime = { settings, starting: true, ready };
  let tracing: Awaited<ReturnType<typeof startTracing>> | undefined;
  let probe: NodeProbe | undefined;
  let followSettings: (() => Promise<void>) | undefined;
  let endRepls: (() => Promise<void>) | undefined;
  return toMiddleware({
    name: "Node",
    created(broker: ServiceBroker): void {
      attachRuntime(broker, runtime);
      const stopBroker = broker.stop.bind(broker);
      let stopping: Promise<void> | undefined;
      broker.stop = () =>
        (stopping ??= stopNode({ broker, runtime, probe, endRepls, stopBroker }).finally(() => tracing?.stop()));
    },
    async starting(broker: ServiceBroker): Promise<void> {
      // Files of this process and its children are private to their owner, regardless of the shell's umask.
      process.umask(0o077);
      for (const warning of await runPreflight(settings)) broker.logger.warn(warning);
      const [, modules] = await Promise.all([
        run.services.length > 0 ? openStores(broker, runtime) : undefined,
        // While the threads of the stores start.
        loadServices(run),
      ]);
      tracing = await startTracing(broker, settings);
      const health = createNodeHealth({ broker, runtime, contracts });
      getMetrics(broker).readiness.set("node", health.look);
      if (healthPort !== undefined) probe = createNodeProbe(broker, runtime, health, healthPort);
      await probe?.listen();
      if (natsUrl !== undefined) attachFacts(broker, await collectFacts(settings, runtime.stores?.documents));
      broker.createService(createNodeService(broker, hostname()));
      const follower = createSettingsFollower(broker);
      broker.createService(follower.schema);
      followSettings = follower.follow;
      for (const module of modules) broker.createService(module.default(broker));
      for (const entry of run.entryPoints) broker.createService(createEntryPointService(broker, entry));
    },
    async started(broker: ServiceBroker): Promise<void> {
      const { stores } = runtime;
      const node = { broker, runtime, stop: broker.stop };
      // A stopped fill continues at the next start: it delays nobody.
      if (!run.sandbox) serves(node);
      if (stores) {
        await claimNamespace(stores.documents, settings);
        await claimStore(stores.documents, settings.version);
      }
      await followSettings?.();
      await stores?.channels.start();
      await stores?.tasks.start();
      // Over NATS a REPL is a node like any other.
      if (stores && natsUrl === undefined) {
        endRepls = await listenForRepls(broker, dataDir).catch((error: unknown) => {
          broker.logger.warn("npm run repl cannot join this process", error);
          return undefined;
        });
      }
      delete runtime.starting;
      if (run.sandbox) await broker.call("sandbox.fill", {});
      serves(node);
      endStart();
    },
  });
}

async function openStores(broker: ServiceBroker, runtime: Runtime): Promise<void> {
  const { settings } = runtime;
  const { mongoUrl, dataDir } = settings;
  const documents = await openDocumentStore({ mongoUrl, dataDir, logger: broker.getLogger("documents") });
  try {
    await assertStoreFits(documents, settings.version);
    await assertNamespaceFits(documents, settings);
    runtime.stores = {
      documents,
      channels: await openChannels(broker, documents, settings, CHANNELS),
      tasks: openTasks(broker, documents),
      events: CHANNELS,
    };
  } catch (error) {
    await documents.close().catch(() => undefined);
    throw error;
  }
}

/** Names the setting of a server or directory that cannot be used. */
function explainStartError(error: unknown, { mongoUrl, elasticsearchUrl, s3, dataDir }: Settings): unknown {
  if (error instanceof SearchIndexError) {
    return new SettingsError(`${elasticsearchUrl ? "ELASTICSEARCH_URL" : `DATA_DIR ${dataDir}`}: ${error.message}`, {
      cause: error,
    });
  }
  // An error of S3 names its setting itself.
  if (error instanceof ObjectStoreError)
    return new SettingsError(s3 ? error.message : `DATA_DIR ${dataDir}: ${error.message}`, { cause: error });
  if (error instanceof ChannelsUnavailable) return new SettingsError(`NATS_URL: ${error.message}`, { cause: error });
  if (!hasStoreCode(error, "UNAVAILABLE") && !hasEventLogCode(error, "UNAVAILABLE")) return error;
  return new SettingsError(
    mongoUrl
      ? `MONGO_URL: ${describeMongoRefusal(error) ?? "no server answers there"}`
      : `DATA_DIR ${dataDir}: ${error.message}`,
    { cause: error },
  );
}

/** MongoDB reports a changed password as an unavailable server. */
function describeMongoRefusal({ cause }: Error): string | undefined {
  const { code, codeName } = (cause ?? {}) as { code?: unknown; codeName?: string };
  return code === UNAUTHORIZED || code === AUTHENTICATION_FAILED
    ? `the server does not let this process in (${codeName ?? code})`
    : undefined;
}

function loadServices({ sandbox, services }: Settings["run"]): Promise<ServiceModule[]> {
  const paths = [
    ...(sandbox ? ["./sandbox.service.ts"] : []),
    ...services.map((name) => `../services/${name}/${name}.service.ts`),
  ];
  return Promise.all(paths.map((path) => import(path) as Promise<ServiceModule>));
}
