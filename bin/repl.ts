import type { REPLServer } from "node:repl";
import { connectToProcess, SocketTransporter } from "@partline/moleculer-kit";
import { SettingsError } from "../broker/settings/reader.ts";
import { loadSettings } from "../broker/settings.ts";
import { readShopSettings } from "../services/shared/settings.ts";
import { SUPPLIERS } from "../services/catalog/suppliers/list.ts";
import { fail } from "./fail.ts";
import { startNode } from "./node.ts";
import { PortsTakenError } from "./preflight.ts";
import { helpText, createReplCommands } from "./repl/commands.ts";
import { runInSequence } from "./repl/one-after-another.ts";
import { readPackageVersion } from "./version.ts";

if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
  process.stdout.write(helpText());
} else {
  await startRepl().catch((error: unknown) => fail(explainError(error)));
}

async function startRepl(): Promise<void> {
  const settings = loadSettings(process.env, readPackageVersion(), readShopSettings(SUPPLIERS));
  const joined = settings.natsUrl === undefined ? await joinProcess(settings.dataDir) : undefined;
  // A joined REPL brings no service and leaves HEALTH_PORT to the other process; alone it is the whole system.
  const joins = joined !== undefined || (settings.natsUrl !== undefined && !process.env.SERVICES);
  const ownRun = joins ? { run: { services: [], entryPoints: [], sandbox: false }, healthPort: undefined } : {};
  const { broker } = await startNode({ ...settings, ...ownRun }, undefined, joined);
  broker.options.replOptions = { customCommands: createReplCommands() };
  const repl = broker.repl as () => unknown;
  runInSequence(repl.call(broker) as REPLServer);
}

async function joinProcess(dataDir: string): Promise<SocketTransporter | undefined> {
  const socket = await connectToProcess(dataDir).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `DATA_DIR ${dataDir}: this user cannot join the process that runs there (${code ?? "error"})`,
    );
  });
  if (!socket) return undefined;
  const joined = new SocketTransporter(socket);
  socket
    .on("error", () => undefined)
    .once("close", () => {
      if (!joined.connected) return;
      process.stderr.write("The process that this REPL joined has ended.\n");
      process.exit(1);
    });
  return joined;
}

function explainError(error: unknown): unknown {
  if (!(error instanceof PortsTakenError)) return error;
  const why =
    process.env.NATS_URL || process.env.NATS_URL_FILE
      ? "With SERVICES set, the REPL starts those services. To join the running system, empty it: SERVICES= npm run repl"
      : "The REPL found no running system and starts one. It joins a running system that has the same DATA_DIR or the same NATS_URL.";
  return new SettingsError(`${error.message}\n${why}`, { cause: error });
}
