import { SettingsError } from "../broker/settings/reader.ts";
import { loadSettings } from "../broker/settings.ts";
import { fail } from "./fail.ts";
import { startNode } from "./node.ts";
import { PortsTakenError } from "./preflight.ts";
import { replCommands } from "./repl/commands.ts";
import { helpText } from "./repl/help.ts";
import { packageVersion } from "./version.ts";

if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
  process.stdout.write(helpText());
} else {
  await startRepl().catch((error: unknown) => fail(explained(error)));
}

async function startRepl(): Promise<void> {
  const { healthPort, ...settings } = loadSettings(process.env, packageVersion());
  // Joined to a running NATS system the REPL brings no service of its own, and leaves HEALTH_PORT to the process beside it; alone it is the whole system.
  const joins = settings.natsUrl !== undefined && !process.env.SERVICES;
  const own = joins
    ? { run: { services: [], entryPoints: [], sandbox: false } }
    : healthPort === undefined
      ? {}
      : { healthPort };
  const node = await startNode({ ...settings, ...own });
  node.broker.options.replOptions = { customCommands: replCommands() };
  node.broker.repl();
}

function explained(error: unknown): unknown {
  if (!(error instanceof PortsTakenError)) return error;
  const why =
    process.env.NATS_URL || process.env.NATS_URL_FILE
      ? "With SERVICES the REPL runs what it names. It joins the system that runs where SERVICES is empty: SERVICES= npm run repl"
      : "Without NATS_URL the REPL is a system of its own. It joins one that runs where both have the same NATS_URL.";
  return new SettingsError(`${error.message}\n${why}`, { cause: error });
}
