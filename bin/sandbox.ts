/**
 * `npm run sandbox`: stands in for the payment provider and the mail server of a shop that runs as another process, in
 * production mode too. `npm run setup` makes the shop use it.
 */
import { mkdir } from "node:fs/promises";
import { startSandboxes } from "@partline/sandbox";
import { SANDBOX_PORTS, loadSettings } from "../broker/settings.ts";
import { linkBase, toEntryPointUrl } from "../broker/settings/addresses.ts";
import { SettingsError } from "../broker/settings/reader.ts";
import { SUPPLIERS } from "../services/catalog/suppliers/list.ts";
import { readShopSettings } from "../services/shared/settings.ts";
import { fail } from "./fail.ts";
import { readPackageVersion } from "./version.ts";

try {
  const settings = loadSettings(process.env, readPackageVersion(), readShopSettings(SUPPLIERS));
  const { payment, sandboxPort } = settings;
  if (payment.sandbox) throw new SettingsError("Without STRIPE_SECRET_KEY, npm start runs the sandbox itself");
  if (payment.apiBase !== `http://127.0.0.1:${sandboxPort}`)
    throw new SettingsError(`STRIPE_API_BASE is not http://127.0.0.1:${sandboxPort}, the sandbox's address`);
  const getPort = (name: keyof typeof SANDBOX_PORTS): number => sandboxPort + SANDBOX_PORTS[name];
  // Private, as the start of the shop makes it.
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const { addresses, close } = await startSandboxes({
    host: settings.sandboxHost,
    port: getPort,
    dataDir: settings.dataDir,
    payment: {
      secretKey: payment.secretKey,
      webhookSecret: payment.webhookSecret,
      webhookUrls: [`${toEntryPointUrl(settings, "payment")}/webhooks/stripe`],
    },
    listings: [],
    imageUrlBase: `${linkBase(settings, "media")}/api/media`,
    mailbox: true,
  });
  for (const { name, url, note } of addresses) console.log(`${name.padEnd(10)} ${url}   ${note}`);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void close().then(() => process.exit(0), fail));
} catch (error) {
  fail(error);
}
