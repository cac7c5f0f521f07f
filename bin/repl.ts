import { loadSettings } from "../broker/settings.ts";
import { startNode } from "./node.ts";
import { packageVersion } from "./version.ts";

// Joined to a running NATS system the REPL brings no service of its own; alone it is the whole system.
const settings = loadSettings(process.env, packageVersion());
const joins = settings.natsUrl !== undefined && process.env.SERVICES === undefined;
const node = await startNode(joins ? { ...settings, run: { services: [], entryPoints: [], sandbox: false } } : settings);
node.broker.repl();
