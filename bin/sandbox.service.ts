import { Readable } from "node:stream";
import type { ActionSchema, ServiceBroker, ServiceSchema } from "moleculer";
import { fillShop, isUnanswered, type ShopToFill, STAFF_EMAIL, startSandboxes } from "@partline/sandbox";
import { getRuntime } from "../broker/runtime.ts";
import { toEntryPointUrl, linkBase } from "../broker/settings/addresses.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import { SANDBOX_PORTS } from "../broker/settings.ts";
import { call } from "../services/contracts.ts";

/** Longest first fill: usually seconds; more if engines start too or a store is slow, ms. */
const FILL_WITHIN_MS = 360_000;

/** Stand-ins for the providers that are not configured, as plain HTTP servers of this process. Never in production. */
export default function createSandboxService(broker: ServiceBroker): ServiceSchema {
  const runtime = getRuntime(broker);
  const { settings } = runtime;
  const { payment, identity, dis, suppliers, shipping } = settings;
  const imageUrlBase = `${linkBase(settings, "media")}/api/media`;
  let sandboxes: Awaited<ReturnType<typeof startSandboxes>> | undefined;

  const shop: ShopToFill = {
    findService: (name, withinMs) => broker.waitForServices(name, withinMs, 50),
    countParts: async () => (await call(broker, "catalog.stats", {})).total,
    importPrices: (vendor, stream) =>
      call(broker, "catalog.import", { vendor, contentType: "text/csv" }, { stream, timeout: 180_000 }),
    listings: Object.values(suppliers).map(({ slug, sandbox }) => ({ slug, isSandbox: sandbox !== undefined })),
    startSync: async (supplier) => (await call(broker, "catalog.batchSync", { supplier })).syncId,
    readSync: async (syncId) => {
      const { status, rows } = await call(broker, "catalog.sync", { syncId });
      return { isRunning: status === "running", written: rows.written };
    },
    search: async (q, limit) =>
      (await call(broker, "search.lookUp", { q, limit })).hits.map(({ id, manufacturer, partNumber }) => ({
        id,
        vendor: manufacturer.code,
        partNumber,
      })),
    inquire: async (parts) =>
      (await call(broker, "dis-router.inquire", { parts })).parts.map(
        (answer) => answer.found === true && answer.quantity !== null,
      ),
    isStocked: async (id) => (await call(broker, "catalog.get", { id })).stock !== undefined,
    refreshSearch: () => call(broker, "search.refresh", {}),
    findPictures: async (ids) => (await call(broker, "media.has", { ids })).ids,
    putPicture: (webp) =>
      call(broker, "media.put", { contentType: "image/webp" }, { stream: Readable.from([webp]), timeout: 60_000 }),
    countManuals: async () => (await call(broker, "pipeline.jobs", { page: 1, pageSize: 1 })).pagination.total,
    upload: ({ contentType, stream }) => call(broker, "pipeline.upload", { contentType }, { stream, timeout: 60_000 }),
    warn: (message, error) => broker.logger.warn(message, error),
    isStopping: () => runtime.draining === true || broker.stopping,
  };

  /** @throws SettingsError if no node has the catalog */
  const fill = (): Promise<number> =>
    fillShop(shop, { store: settings, imageUrlBase, hasDealer: dis?.sandbox === true }).catch((error: unknown) => {
      throw isUnanswered(error)
        ? new SettingsError(
            `SERVICES: the sandbox fills the catalog, and no node answers for that (${error.message})`,
            { cause: error },
          )
        : error;
    });

  return {
    name: "sandbox",
    actions: {
      fill: { timeout: FILL_WITHIN_MS, handler: fill } as ActionSchema,
      describe: () => ({
        addresses: sandboxes?.addresses ?? [],
        ...(identity.sandbox ? { staff: STAFF_EMAIL } : {}),
        tokens: sandboxes?.tokens ?? [],
      }),
    },
    async started() {
      sandboxes = await startSandboxes({
        host: settings.sandboxHost,
        port: (name) => settings.sandboxPort + SANDBOX_PORTS[name],
        dataDir: settings.dataDir,
        ...(payment.sandbox && {
          payment: {
            secretKey: payment.secretKey,
            webhookSecret: payment.webhookSecret,
            webhookUrls: [`${toEntryPointUrl(settings, "payment")}/webhooks/stripe`],
          },
        }),
        ...(identity.sandbox && {
          identity: {
            webhookSecret: identity.webhookSecret,
            webhookUrls: [`${toEntryPointUrl(settings, "user")}/webhooks/clerk`],
            issuer: identity.issuer,
            audience: identity.audience,
            authorizedParty: identity.authorizedParties[0]!,
          },
        }),
        ...(dis?.sandbox && { dealer: dis }),
        listings: Object.values(suppliers).flatMap(({ apiKey, sandbox }) => (sandbox ? [{ ...sandbox, apiKey }] : [])),
        imageUrlBase,
        mailbox: settings.mail?.sandbox === true,
        ...(shipping.easyPost?.sandbox && {
          easyPost: {
            apiKey: shipping.easyPost.apiKey,
            webhookSecret: shipping.easyPost.webhookSecret,
            webhookUrls: [`${toEntryPointUrl(settings, "payment")}/webhooks/easypost`],
          },
        }),
      });
    },
    async stopped() {
      await sandboxes?.close();
    },
  };
}
