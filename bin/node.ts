import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { openChannels } from "../broker/channels/open.ts";
import { brokerOptions } from "../broker/options.ts";
import { attachRuntime, type Runtime, type Stores } from "../broker/runtime.ts";
import type { Settings } from "../broker/settings.ts";
import { entryPointService } from "../gateway/entry-point.ts";
import { SettingsError } from "../broker/settings-reader.ts";
import { openDocumentStore } from "../mixins/document-store/open.ts";
import { DocumentStoreError } from "../mixins/document-store/port.ts";
import { preflight } from "./preflight.ts";

export interface RunningNode {
  broker: ServiceBroker;
  runtime: Runtime;
  /** Entry points first: what they have begun is finished, then the services stop, then the stores close. */
  stop(): Promise<void>;
}

type ServiceModule = { default: (broker: ServiceBroker) => ServiceSchema };

/** Starts what `settings.run` names in this process and resolves when all of it is ready. */
export async function startNode(settings: Settings): Promise<RunningNode> {
  await preflight(settings);
  const broker = new ServiceBroker(brokerOptions(settings));
  const stores = settings.run.services.length > 0 ? await openStores(broker, settings) : undefined;
  const runtime: Runtime = { settings, stores };
  attachRuntime(broker, runtime);
  const stop = async (): Promise<void> => {
    const entryPoints = broker.services.filter(({ name }) => name.startsWith("http-"));
    await Promise.all(entryPoints.map((service) => broker.destroyService(service)));
    await stores?.channels.stop();
    await broker.stop();
    await stores?.documents.close();
  };
  try {
    if (settings.run.sandbox) await createServices(broker, ["../sandbox/sandbox.service.ts"]);
    await createServices(broker, settings.run.services.map((name) => `../services/${name}/${name}.service.ts`));
    for (const entry of settings.run.entryPoints) broker.createService(entryPointService(broker, entry));
    await broker.start();
    await stores?.channels.start();
    if (settings.run.sandbox) await broker.call("sandbox.fill", {}, { timeout: 60_000 });
    return { broker, runtime, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openStores(broker: ServiceBroker, { mongoUrl, dataDir }: Settings): Promise<Stores> {
  try {
    const documents = await openDocumentStore({ mongoUrl, dataDir, logger: broker.getLogger("documents") });
    return { documents, channels: openChannels(broker, documents) };
  } catch (error) {
    if (!(error instanceof DocumentStoreError) || error.code !== "UNAVAILABLE") throw error;
    throw new SettingsError(mongoUrl ? "MONGO_URL: no server answers there" : `DATA_DIR ${dataDir}: ${error.message}`, { cause: error });
  }
}

async function createServices(broker: ServiceBroker, paths: string[]): Promise<void> {
  const there = paths.filter((path) => existsSync(fileURLToPath(new URL(path, import.meta.url))));
  const modules = await Promise.all(there.map((path) => import(path) as Promise<ServiceModule>));
  for (const module of modules) broker.createService(module.default(broker));
}
