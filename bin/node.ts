import { hostname } from "node:os";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { openChannels } from "../broker/channels/open.ts";
import { ChannelsUnavailable } from "../broker/channels/port.ts";
import { brokerOptions } from "../broker/options.ts";
import { attachFacts } from "../broker/cluster/admission.ts";
import { factsOf } from "../broker/cluster/facts.ts";
import { nodeService } from "../broker/cluster/node-service.ts";
import { assertStoreFits, claimStore } from "../broker/cluster/store-claim.ts";
import { assertNamespaceFits, claimNamespace } from "../broker/cluster/store-identity.ts";
import { metricsOf } from "../broker/metrics/metrics.ts";
import { attachRuntime, type Runtime, type Stores } from "../broker/runtime.ts";
import type { Settings } from "../broker/settings.ts";
import { startTracing } from "../broker/tracing/tracer.ts";
import { entryPointService } from "../gateway/entry-point.ts";
import { createNodeHealth } from "../gateway/node-health.ts";
import { createNodeProbe } from "../gateway/node-probe.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import { openDocumentStore } from "../mixins/document-store/open.ts";
import { hasStoreCode, type DocumentStore } from "../mixins/document-store/port.ts";
import { hasEventLogCode } from "../mixins/event-log/port.ts";
import { ObjectStoreError } from "../mixins/object-store/port.ts";
import { SearchIndexError } from "../mixins/search-index/port.ts";
import { withinTime } from "../mixins/within-time.ts";
import { contracts } from "../services/contracts.ts";
import { preflight } from "./preflight.ts";
import { stopNode } from "./stop-node.ts";

export interface RunningNode {
  broker: ServiceBroker;
  runtime: Runtime;
  /** Finishes what has begun, entry points first (see `stopNode`). A second call waits for the first. */
  stop(): Promise<void>;
}

/** Longest that what a start that fails has begun is given to end; milliseconds. */
const FAILED_START_ENDS_MS = 10_000;

/** The catalog's own start, then a few thousand parts: seconds, but for engines that start too, and a store that is slow or far away. */
const FILL_TIMEOUT_MS = 360_000;

/** Source: mongodb/mongo, src/mongo/base/error_codes.yml */
const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;

type ServiceModule = { default: (broker: ServiceBroker) => ServiceSchema };

/**
 * Starts what `settings.run` names in this process and resolves when all of it is ready.
 * @param serves told of the node before that, as soon as it has something to finish in a stop: it may be called, and is asked
 */
export async function startNode(
  settings: Settings,
  serves: (node: RunningNode) => void = () => undefined,
): Promise<RunningNode> {
  await preflight(settings);
  const broker = new ServiceBroker(brokerOptions(settings));
  const stores = settings.run.services.length > 0 ? await openStores(broker, settings) : undefined;
  const runtime: Runtime = { settings, stores, starting: true };
  attachRuntime(broker, runtime);
  const tracing = await startTracing(broker, settings);
  const health = createNodeHealth({ broker, runtime, contracts });
  metricsOf(broker).readiness.watch("node", health.look);
  const probe =
    settings.healthPort === undefined ? undefined : createNodeProbe(broker, runtime, health, settings.healthPort);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopNode({ broker, runtime, probe }).finally(tracing.stop));
  try {
    await probe?.listen();
    if (settings.natsUrl !== undefined) attachFacts(broker, await factsOf(settings, stores?.documents));
    broker.createService(nodeService(broker, hostname()));
    if (settings.run.sandbox) await createServices(broker, ["../sandbox/sandbox.service.ts"]);
    await createServices(
      broker,
      settings.run.services.map((name) => `../services/${name}/${name}.service.ts`),
    );
    for (const entry of settings.run.entryPoints) broker.createService(entryPointService(broker, entry));
    await broker.start();
    const node = { broker, runtime, stop };
    // A fill that is stopped goes on at the next start: it keeps nobody waiting.
    if (!settings.run.sandbox) serves(node);
    if (stores) {
      await claimNamespace(stores.documents, settings);
      await claimStore(stores.documents, settings.version);
    }
    await stores?.channels.start();
    delete runtime.starting;
    if (settings.run.sandbox) await broker.call("sandbox.fill", {}, { timeout: FILL_TIMEOUT_MS });
    serves(node);
    return node;
  } catch (error) {
    // Why the start failed counts, and not what failed in its wake.
    await withinTime(stop(), FAILED_START_ENDS_MS, () => undefined).catch((wake: unknown) =>
      broker.logger.warn("What the start had begun did not end well", wake),
    );
    throw explained(error, settings);
  }
}

async function openStores(broker: ServiceBroker, settings: Settings): Promise<Stores> {
  const { mongoUrl, dataDir } = settings;
  let documents: DocumentStore | undefined;
  try {
    documents = await openDocumentStore({ mongoUrl, dataDir, logger: broker.getLogger("documents") });
    await assertStoreFits(documents, settings.version);
    await assertNamespaceFits(documents, settings);
    return { documents, channels: openChannels(broker, documents, settings) };
  } catch (error) {
    await documents?.close().catch(() => undefined);
    throw explained(error, settings);
  }
}

/** A server or a directory that cannot be used is told by the setting that names it. */
function explained(error: unknown, { mongoUrl, elasticsearchUrl, s3, dataDir }: Settings): unknown {
  if (error instanceof SearchIndexError) {
    return new SettingsError(`${elasticsearchUrl ? "ELASTICSEARCH_URL" : `DATA_DIR ${dataDir}`}: ${error.message}`, {
      cause: error,
    });
  }
  // Of an S3 it is told which of its settings is wrong.
  if (error instanceof ObjectStoreError)
    return new SettingsError(s3 ? error.message : `DATA_DIR ${dataDir}: ${error.message}`, { cause: error });
  if (error instanceof ChannelsUnavailable) return new SettingsError(`NATS_URL: ${error.message}`, { cause: error });
  if (!hasStoreCode(error, "UNAVAILABLE") && !hasEventLogCode(error, "UNAVAILABLE")) return error;
  return new SettingsError(
    mongoUrl
      ? `MONGO_URL: ${refusalOfMongo(error) ?? "no server answers there"}`
      : `DATA_DIR ${dataDir}: ${error.message}`,
    { cause: error },
  );
}

/** Of a password that was changed the server is not away, though to what runs on it comes to the same. */
function refusalOfMongo({ cause }: Error): string | undefined {
  const { code, codeName } = (cause ?? {}) as { code?: unknown; codeName?: string };
  return code === UNAUTHORIZED || code === AUTHENTICATION_FAILED
    ? `the server does not let this process in (${codeName ?? code})`
    : undefined;
}

async function createServices(broker: ServiceBroker, paths: string[]): Promise<void> {
  const modules = await Promise.all(paths.map((path) => import(path) as Promise<ServiceModule>));
  for (const module of modules) broker.createService(module.default(broker));
}
