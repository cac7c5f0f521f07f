import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { runtimeOf } from "../broker/runtime.ts";
import { entryPointUrl, linkBase } from "../broker/settings/addresses.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import type { SupplierSettings } from "../broker/settings/suppliers.ts";
import { SANDBOX_PORTS } from "../broker/settings.ts";
import { call } from "../services/contracts.ts";
import { fillCatalog } from "./catalog/fill.ts";
import { fillMarkIn } from "./catalog/fill-mark.ts";
import { stockFirstScreens } from "./first-screens.ts";
import { keepPictures } from "./catalog/pictures.ts";
import { SANDBOX_MODEL, startChatSandbox } from "./chat/server.ts";
import { startDealerSandbox } from "./dealer/server.ts";
import { startIdentitySandbox } from "./identity/server.ts";
import { fillManuals, manualMarksIn } from "./manuals/fill.ts";
import { formOf } from "./manuals/form.ts";
import type { StartSupplierSandbox } from "./listing/server.ts";
import { startPaymentSandbox } from "./payment/server.ts";
import { isUnanswered, untilAnswered } from "./until-answered.ts";

interface RunningSandbox {
  name: string;
  note: string;
  url: string;
  close(): Promise<void>;
}

/** Between two looks at the first sync, in milliseconds. */
const SYNC_LOOK_MS = 50;
/** Longest wait for a service of another process, which may have to wait for its own engines; milliseconds. */
const STARTS_MS = 180_000;

/** Stand-ins for the providers that are not configured, as plain HTTP servers of this process. Never in production. */
export default function sandboxService(broker: ServiceBroker): ServiceSchema {
  const runtime = runtimeOf(broker);
  const { settings } = runtime;
  const { payment, identity, dis, suppliers, dataDir } = settings;
  const at = (name: keyof typeof SANDBOX_PORTS) => ({
    host: settings.sandboxHost,
    port: settings.sandboxPort + SANDBOX_PORTS[name],
  });
  const imageUrlBase = `${linkBase(settings, "media")}/api/media`;
  const running: RunningSandbox[] = [];
  const tokens: { name: string; value: string }[] = [];

  const startPayment = async (): Promise<void> => {
    const { url, close } = await startPaymentSandbox({
      ...at("payment"),
      dataDir,
      secretKey: payment.secretKey,
      webhookSecret: payment.webhookSecret,
      webhookUrls: [`${entryPointUrl(settings, "payment")}/webhooks/stripe`],
      automaticTax: payment.automaticTax,
    });
    running.push({ name: "payment", note: "the payment provider (hosted checkout page, webhooks)", url, close });
  };

  const startIdentity = async (): Promise<void> => {
    const sandbox = await startIdentitySandbox({
      ...at("identity"),
      dataDir,
      webhookSecret: identity.webhookSecret,
      webhookUrls: [`${entryPointUrl(settings, "user")}/webhooks/clerk`],
      issuer: identity.issuer,
      audience: identity.audience,
      authorizedParty: identity.authorizedParties[0]!,
    });
    const { admin, customer } = await sandbox.tokens();
    tokens.push({ name: "Token of an admin", value: admin }, { name: "Token of a customer", value: customer });
    running.push({
      name: "identity",
      note: "the identity provider (JWKS, tokens, webhooks)",
      url: sandbox.url,
      close: sandbox.close,
    });
  };

  const startSuppliers = async (): Promise<void> => {
    const { url, close } = await startDealerSandbox({ ...at("dealer"), ...(dis.sandbox ? { dealer: dis } : {}) });
    running.push({
      name: "suppliers",
      note: `those who send price files${dis.sandbox ? ", and the dealer inventory system" : ""}`,
      url,
      close,
    });
  };

  /** Starts `NAME/server.ts` for each supplier that is stood in for. */
  const startListings = async (): Promise<void> => {
    for (const { apiKey, sandbox } of Object.values(suppliers)) {
      if (!sandbox) continue;
      const { name, port } = sandbox;
      const { default: start } = (await import(`./${name}/server.ts`)) as { default: StartSupplierSandbox };
      const { url, close } = await start({ host: settings.sandboxHost, port, apiKey, imageUrlBase });
      running.push({ name, note: "a supplier whose listing is synced", url, close });
    }
  };

  /** Nobody asks it but who sets LLM_BASE_URL to it: answers are composed otherwise. */
  const startChat = async (): Promise<void> => {
    const { url, close } = await startChatSandbox(at("chat"));
    running.push({
      name: "chat",
      note: `a chat model (LLM_BASE_URL=${url}/v1 LLM_MODEL=${SANDBOX_MODEL})`,
      url,
      close,
    });
  };

  /** A supplier that is not ours may take its time: its sync goes on by itself. */
  const syncListing = async ({ slug, sandbox }: SupplierSettings): Promise<number> => {
    const { syncId } = await call(broker, "catalog.batchSync", { supplier: slug });
    for (;;) {
      const { status, rows } = await call(broker, "catalog.sync", { syncId });
      if (status !== "running" || !sandbox) return rows.written;
      await delay(SYNC_LOOK_MS);
    }
  };

  /** Sends to a service, wherever that runs, what may be sent any number of times over. */
  const sendTo = async <T>(name: string, send: () => Promise<T>): Promise<T> => {
    await broker.waitForServices(name, STARTS_MS, 50);
    return untilAnswered(send, {
      longestMs: STARTS_MS,
      onWait: (error) =>
        broker.logger.warn(`The service ${name} does not answer the sandbox yet, and is asked again`, error),
      isOver: () => runtime.draining === true || broker.stopping,
    });
  };

  /** An empty catalog gets what the suppliers have. @throws SettingsError where nobody answers for the catalog */
  const fill = (): Promise<number> =>
    sendTo("catalog", () =>
      fillCatalog(
        {
          isEmpty: async () => (await call(broker, "catalog.stats", {})).total === 0,
          import: (vendor, stream) =>
            call(broker, "catalog.import", { vendor, contentType: "text/csv" }, { stream, timeout: 180_000 }),
          syncListings: async () => {
            const written = await Promise.all(Object.values(suppliers).map(syncListing));
            return written.reduce((sum, parts) => sum + parts, 0);
          },
        },
        { imageUrlBase, mark: fillMarkIn(settings) },
      ),
    ).catch((error: unknown) => {
      throw isUnanswered(error)
        ? new SettingsError(
            `SERVICES: the sandbox fills the catalog, and no node answers for that (${error.message})`,
            { cause: error },
          )
        : error;
    });

  /** What the catalog links to, sent to the media service wherever that runs, beside what the shop does. */
  const sendPictures = async (): Promise<void> => {
    try {
      await sendTo("media", () =>
        keepPictures({
          has: async (ids) => (await call(broker, "media.has", { ids })).ids,
          put: async ({ png }) => {
            // A stop would wait for one after another.
            if (runtime.draining) throw new Error("The process stops");
            await call(
              broker,
              "media.put",
              { contentType: "image/png" },
              { stream: Readable.from([png]), timeout: 60_000 },
            );
          },
        }),
      );
    } catch (error) {
      if (!runtime.draining)
        broker.logger.warn(
          "The pictures of the sandbox's parts could not be sent to the media service; the next start tries again",
          error,
        );
    }
  };

  /** Two manuals to a pipeline that has read none, wherever that runs, beside what the shop does. */
  const sendManuals = async (): Promise<void> => {
    try {
      await sendTo("pipeline", () =>
        fillManuals(
          {
            isEmpty: async () => (await call(broker, "pipeline.jobs", { page: 1, pageSize: 1 })).pagination.total === 0,
            upload: (name, pdf) => {
              const { contentType, stream } = formOf(name, pdf);
              return call(broker, "pipeline.upload", { contentType }, { stream, timeout: 60_000 });
            },
          },
          manualMarksIn(settings),
        ),
      );
    } catch (error) {
      if (!broker.stopping)
        broker.logger.warn(
          "The sandbox's manuals could not be sent to the pipeline; the next start tries again",
          error,
        );
    }
  };

  return {
    name: "sandbox",
    actions: {
      fill: async () => {
        const written = await fill();
        // A real dealer knows nothing of the sandbox's parts. Before the start is ready:
        // no price that a shopper has seen changes by it.
        if (written > 0 && dis.sandbox) {
          await stockFirstScreens(broker).catch((error: unknown) =>
            broker.logger.warn("The dealer could not be asked about the first parts that are shown", error),
          );
        }
        // Nobody waits for them: a start is ready without.
        void sendPictures();
        void sendManuals();
        return written;
      },
      describe: () => ({ addresses: running.map(({ name, url, note }) => ({ name, url, note })), tokens }),
    },
    async started() {
      await Promise.all([
        ...(payment.sandbox ? [startPayment()] : []),
        ...(identity.sandbox ? [startIdentity()] : []),
        startSuppliers(),
        startListings(),
        startChat(),
      ]);
    },
    async stopped() {
      await Promise.all(running.map((sandbox) => sandbox.close()));
    },
  };
}
