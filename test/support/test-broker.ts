import { ServiceBroker, type Middleware, type ServiceSchema } from "moleculer";
import { openChannels, openTasks } from "@partline/moleculer-kit";
import type { Channels } from "../../packages/durable/src/channels/port.ts";
import type { CallMeta, Caller } from "../../broker/contract/context.ts";
import { createBrokerOptions } from "../../broker/options.ts";
import { attachRuntime } from "../../broker/runtime.ts";
import type { Settings } from "../../broker/settings.ts";
import type { Tasks } from "../../packages/durable/src/tasks/tasks.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { eventually } from "./eventually.ts";
import { testSettings } from "./test-settings.ts";

/** A service by its folder's name, or one made for the test (such as a provider's stand-in). */
type TestService = string | ((broker: ServiceBroker) => ServiceSchema);

export interface TestBrokerOptions {
  services: TestService[];
  /**
   * `local`: all on one broker. `fake`: each on a broker of its own, over Moleculer's Fake transporter and the real
   * serializer. `nats`: the same over the NATS of the settings.
   */
  transport?: "local" | "fake" | "nats";
  /** Bytes; what is longer does not arrive, as on NATS. */
  maxMessage?: number;
  settings?: Settings;
  documents?: DocumentStore;
}

export interface TestBroker {
  /** Calls come from here; with `fake` and `nats` no service runs on it. */
  broker: ServiceBroker;
  documents: DocumentStore;
  channels: Channels;
  tasks: Tasks;
  settings: Settings;
  /** Messages of level warn and above, of all brokers. */
  warnings: string[];
  /** `call(as(caller), "order.get", …)`: an origin whose calls carry that caller, as the gateway's do. */
  as(caller: Caller): Pick<ServiceBroker, "call">;
  stop(): Promise<void>;
}

/** Services under test on real brokers over a real store, without HTTP. */
export async function startTestBroker(options: TestBrokerOptions): Promise<TestBroker> {
  const settings = options.settings ?? testSettings();
  const documents =
    options.documents ?? (await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl }));
  const { transport = "local" } = options;
  const isSplit = transport !== "local";
  const namespace = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const brokers: ServiceBroker[] = [];
  const warnings: string[] = [];
  const noteWarnings: Middleware = {
    newLogEntry(level: string, given: unknown[]) {
      // Fields may come first.
      const message = given.find((each) => typeof each === "string") ?? given[0];
      if (["fatal", "error", "warn"].includes(level)) warnings.push(String(message));
    },
  };
  const hearsAll = options.services.some((name) => name === "eventstore" || name === "webhook");
  // The contracts take 150 ms to load.
  const events = hearsAll ? (await import("../../services/all-contracts.ts")).CHANNELS : new Map<string, never>();
  let channels: Channels | undefined;
  let tasks: Tasks | undefined;
  const newBroker = async (): Promise<ServiceBroker> => {
    const usual = createBrokerOptions(settings);
    const broker = new ServiceBroker({
      ...usual,
      middlewares: [...usual.middlewares!, noteWarnings, withMessagesUpTo(options.maxMessage ?? Infinity)],
      namespace,
      nodeID: `node-${brokers.length}`,
      logger: false,
      ...(transport === "nats" ? {} : { transporter: isSplit ? "Fake" : null }),
    });
    channels ??= await openChannels(broker, documents, settings, events);
    tasks ??= openTasks(broker, documents);
    attachRuntime(broker, { settings, stores: { documents, channels, tasks, events } });
    brokers.push(broker);
    return broker;
  };
  const main = await newBroker();
  for (const service of options.services) {
    const broker = isSplit ? await newBroker() : main;
    broker.createService(typeof service === "string" ? await loadService(service, broker) : service(broker));
  }
  await Promise.all(brokers.map((broker) => broker.start()));
  const names = brokers
    .flatMap(({ services }) => services.map(({ name }) => name))
    .filter((name) => !name.startsWith("$"));
  // Not the one that calls first alone: each hears of the others in its own time.
  if (names.length > 0) await Promise.all(brokers.map((each) => each.waitForServices(names, 20_000, 10)));
  await channels!.start();
  await tasks!.start();
  // Tests ask it for what they wrote.
  if (["catalog", "search"].every((name) => options.services.includes(name)))
    await eventually(() =>
      main.call("search.ready").then(
        () => true,
        () => false,
      ),
    );
  return {
    broker: main,
    documents,
    channels: channels!,
    tasks: tasks!,
    settings,
    warnings,
    as: (caller) => ({
      call: (action: string, params?: unknown, opts: { meta?: CallMeta } = {}) =>
        main.call(action, params as object, { ...opts, meta: { ...opts.meta, caller } }),
    }),
    stop: async () => {
      await Promise.all([channels!.stop(), tasks!.stop()]);
      await Promise.all(brokers.map((broker) => broker.stop()));
      if (!options.documents) await documents.close();
    },
  };
}

function withMessagesUpTo(bytes: number): Middleware {
  type Send = (topic: string, data: Buffer, meta: object) => Promise<void>;
  const transporterSend =
    (next: Send): Send =>
    async (topic, data, meta) => {
      if (data.length > bytes) throw new Error(`A message of ${data.length} bytes is too long`);
      return next(topic, data, meta);
    };
  // Moleculer's types take what wraps `send` for `send` itself.
  return { transporterSend } as unknown as Middleware;
}

async function loadService(name: string, broker: ServiceBroker): Promise<ServiceSchema> {
  const module = (await import(`../../services/${name}/${name}.service.ts`)) as {
    default: (broker: ServiceBroker) => ServiceSchema;
  };
  return module.default(broker);
}
