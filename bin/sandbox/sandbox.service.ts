import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { ActionSchema, ServiceBroker, ServiceSchema } from "moleculer";
import { getRuntime } from "../../broker/runtime.ts";
import { toEntryPointUrl, linkBase } from "../../broker/settings/addresses.ts";
import { SettingsError } from "../../broker/settings/reader.ts";
import type { SupplierSettings } from "../../services/shared/settings/suppliers.ts";
import { SANDBOX_PORTS } from "../../broker/settings.ts";
import { call } from "../../services/contracts.ts";
import {
  fillCatalog,
  fillManuals,
  fillMarkIn,
  createForm,
  keepPictures,
  createManualMarks,
  SANDBOX_MODEL,
  STAFF_EMAIL,
  startChatSandbox,
  startDealerSandbox,
  startEasyPostSandbox,
  startIdentitySandbox,
  startMailboxSandbox,
  startPaymentSandbox,
  startListingSandbox,
} from "@partline/sandbox";
import { stockFirstScreens } from "./first-screens.ts";
import { isUnanswered, waitUntilAnswered } from "./until-answered.ts";

interface RunningSandbox {
  name: string;
  note: string;
  url: string;
  close(): Promise<void>;
}

/** Between two looks at the first sync, ms. */
const SYNC_LOOK_MS = 50;
/** Longest wait for a service of another process, which may wait for its engines, ms. */
const STARTS_MS = 180_000;
/** Longest first fill: usually seconds; more if engines start too or a store is slow, ms. */
const FILL_WITHIN_MS = 360_000;

/** Stand-ins for the providers that are not configured, as plain HTTP servers of this process. Never in production. */
export default function createSandboxService(broker: ServiceBroker): ServiceSchema {
  const runtime = getRuntime(broker);
  const { settings } = runtime;
  const { payment, identity, dis, suppliers, shipping, dataDir } = settings;
  const toLocation = (name: keyof typeof SANDBOX_PORTS) => ({
    host: settings.sandboxHost,
    port: settings.sandboxPort + SANDBOX_PORTS[name],
  });
  const imageUrlBase = `${linkBase(settings, "media")}/api/media`;
  const running: RunningSandbox[] = [];
  const tokens: { name: string; value: string }[] = [];

  const start = async <S extends Pick<RunningSandbox, "url" | "close">>(
    name: string,
    note: string | ((sandbox: S) => string),
    starting: Promise<S>,
  ): Promise<S> => {
    const sandbox = await starting;
    const { url, close } = sandbox;
    running.push({ name, note: typeof note === "string" ? note : note(sandbox), url, close });
    return sandbox;
  };

  const startPayment = (): Promise<unknown> =>
    start(
      "payment",
      "the payment provider (hosted checkout page, webhooks)",
      startPaymentSandbox({
        ...toLocation("payment"),
        dataDir,
        secretKey: payment.secretKey,
        webhookSecret: payment.webhookSecret,
        webhookUrls: [`${toEntryPointUrl(settings, "payment")}/webhooks/stripe`],
      }),
    );

  const startIdentity = async (): Promise<void> => {
    const sandbox = await start(
      "identity",
      "the identity provider (JWKS, tokens, webhooks)",
      startIdentitySandbox({
        ...toLocation("identity"),
        dataDir,
        webhookSecret: identity.webhookSecret,
        webhookUrls: [`${toEntryPointUrl(settings, "user")}/webhooks/clerk`],
        issuer: identity.issuer,
        audience: identity.audience,
        authorizedParty: identity.authorizedParties[0]!,
      }),
    );
    const { admin, customer } = await sandbox.tokens();
    tokens.push({ name: "Token of an admin", value: admin }, { name: "Token of a customer", value: customer });
  };

  /** Starts the stand-in of a supplier that is stood in for. */
  const startListing = async ({ apiKey, sandbox }: SupplierSettings): Promise<void> => {
    if (!sandbox) return;
    const { name, port } = sandbox;
    const options = { host: settings.sandboxHost, port, apiKey, imageUrlBase };
    await start(name, "a supplier whose listing is synced", startListingSandbox(name, options));
  };

  /** Waits for the sync of a sandbox only: that of a real supplier may take long. */
  const syncListing = async ({ slug, sandbox }: SupplierSettings): Promise<number> => {
    const { syncId } = await call(broker, "catalog.batchSync", { supplier: slug });
    for (;;) {
      const { status, rows } = await call(broker, "catalog.sync", { syncId });
      if (status !== "running" || !sandbox) return rows.written;
      await delay(SYNC_LOOK_MS);
    }
  };

  /** Repeats an idempotent call until the service, in any process, answers. */
  const sendTo = async <T>(name: string, send: () => Promise<T>): Promise<T> => {
    await broker.waitForServices(name, STARTS_MS, 50);
    return waitUntilAnswered(send, {
      longestMs: STARTS_MS,
      onWait: (error) =>
        broker.logger.warn(`The service ${name} does not answer the sandbox yet, and is asked again`, error),
      isOver: () => runtime.draining === true || broker.stopping,
    });
  };

  /** Fills an empty catalog with what the suppliers have. @throws SettingsError if no node has the catalog */
  const fill = (): Promise<number> =>
    sendTo("catalog", () =>
      fillCatalog(
        {
          isEmpty: async () => (await call(broker, "catalog.stats", {})).total === 0,
          import: (vendor, stream) =>
            call(broker, "catalog.import", { vendor, contentType: "text/csv" }, { stream, timeout: 180_000 }),
          syncListings: async () => {
            const counts = await Promise.all(Object.values(suppliers).map(syncListing));
            return counts.reduce((sum, parts) => sum + parts, 0);
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

  const sendLater = async (service: string, what: string, send: () => Promise<unknown>): Promise<void> => {
    try {
      await sendTo(service, send);
    } catch (error) {
      const message = `${what} could not be sent to the ${service} service; the next start tries again`;
      if (!runtime.draining && !broker.stopping) broker.logger.warn(message, error);
    }
  };

  const sendPictures = () =>
    keepPictures({
      has: async (ids) => (await call(broker, "media.has", { ids })).ids,
      put: async ({ png }) => {
        // Otherwise a stop would wait for one after another.
        if (runtime.draining) throw new Error("The process stops");
        const options = { stream: Readable.from([png]), timeout: 60_000 };
        await call(broker, "media.put", { contentType: "image/png" }, options);
      },
    });

  const sendManuals = () =>
    fillManuals(
      {
        isEmpty: async () => (await call(broker, "pipeline.jobs", { page: 1, pageSize: 1 })).pagination.total === 0,
        upload: (name, pdf) => {
          const { contentType, stream } = createForm(name, pdf);
          return call(broker, "pipeline.upload", { contentType }, { stream, timeout: 60_000 });
        },
      },
      createManualMarks(settings),
    );

  const fillAll = async (): Promise<number> => {
    const partCount = await fill();
    if (partCount > 0) {
      await call(broker, "search.refresh", {}).catch((error: unknown) =>
        broker.logger.warn("Search finds the sandbox's parts later, as it could not be asked to take them in", error),
      );
    }
    // Before the start is ready, so that no price changes that a shopper has seen. A real dealer does not know
    // these parts.
    if (partCount > 0 && dis.sandbox) {
      await stockFirstScreens(broker).catch((error: unknown) =>
        broker.logger.warn("The dealer could not be asked about the first parts that are shown", error),
      );
    }
    void sendLater("media", "The pictures of the sandbox's parts", sendPictures);
    void sendLater("pipeline", "The sandbox's manuals", sendManuals);
    return partCount;
  };

  return {
    name: "sandbox",
    actions: {
      fill: { timeout: FILL_WITHIN_MS, handler: fillAll } as ActionSchema,
      describe: () => ({
        addresses: running.map(({ name, url, note }) => ({ name, url, note })),
        ...(identity.sandbox ? { staff: STAFF_EMAIL } : {}),
        tokens,
      }),
    },
    async started() {
      await Promise.all([
        payment.sandbox && startPayment(),
        identity.sandbox && startIdentity(),
        start(
          "suppliers",
          `those who send price files${dis.sandbox ? ", and the dealer inventory system" : ""}`,
          startDealerSandbox({ ...toLocation("dealer"), ...(dis.sandbox ? { dealer: dis } : {}) }),
        ),
        ...Object.values(suppliers).map(startListing),
        // It is used only if LLM_BASE_URL names it.
        start(
          "chat",
          ({ url }) => `a chat model (LLM_BASE_URL=${url}/v1 LLM_MODEL=${SANDBOX_MODEL})`,
          startChatSandbox(toLocation("chat")),
        ),
        settings.mail?.sandbox &&
          start(
            "mailbox",
            "the mailbox of all buyers and of the shop",
            startMailboxSandbox({ ...toLocation("mailbox"), smtpPort: toLocation("smtp").port, dataDir }),
          ),
        shipping.easyPost?.sandbox &&
          start(
            "easypost",
            "EasyPost, which says what carriers ask for",
            startEasyPostSandbox({ ...toLocation("easypost"), apiKey: shipping.easyPost.apiKey }),
          ),
      ]);
    },
    async stopped() {
      await Promise.all(running.map((sandbox) => sandbox.close()));
    },
  };
}
