import { ENTRY_POINTS, type EntryPoint } from "../broker/contract/define.ts";
import type { Runtime } from "../broker/runtime.ts";
import type { Settings } from "../broker/settings.ts";
import { toEntryPointUrl } from "../broker/settings/addresses.ts";
import { isUsed } from "../broker/settings/run.ts";
import type { RunningNode } from "./node.ts";

interface SandboxDescription {
  addresses: { name: string; url: string; note: string }[];
  /** User who signs in to the sandbox's console. */
  staff?: string;
  tokens: { name: string; value: string }[];
}

/**
 * Prints what a newcomer opens first; with `all` every address, store and sandbox as well, and on a terminal outside
 * production the tokens.
 */
export async function printStartTable(node: RunningNode, tookMs: number, all: boolean): Promise<void> {
  const { broker, runtime } = node;
  const { settings } = runtime;
  const seconds = (tookMs / 1000).toFixed(1);
  const entries = ENTRY_POINTS.filter((entry) => settings.run.entryPoints.includes(entry));
  const sandbox = settings.run.sandbox
    ? await broker.call<SandboxDescription, object>("sandbox.describe", {})
    : undefined;
  const mailbox = sandbox?.addresses.find(({ name }) => name === "mailbox");
  const lines = [
    `Partline ${settings.version} is ready after ${seconds} s (node ${broker.nodeID}, pid ${process.pid})`,
    "",
  ];
  if (entries.includes("shop")) lines.push(`  Shop       ${settings.storeUrl}`);
  if (entries.includes("console")) {
    const signIn = sandbox?.staff === undefined ? "" : `   sign in as ${sandbox.staff}`;
    lines.push(`  Console    ${settings.consoleUrl}${signIn}`);
  }
  if (mailbox) lines.push(`  Mailbox    ${mailbox.url}   every mail that the shop sends`);
  if (entries.includes("gateway")) {
    const url = toEntryPointUrl(settings, "gateway");
    lines.push(`  API        ${url}/docs`, `  Try        curl '${url}/api/search?q=carburetor&limit=3'`);
  }
  if (all) lines.push(...listEntryPoints(settings, entries), ...listBackends(runtime), ...listSandboxes(sandbox));
  if (all && process.stdout.isTTY && !settings.production && entries.length > 0)
    lines.push("", `  X-Admin-Token      ${settings.adminToken}`);
  if (entries.length > 0) {
    const hint = all ? "" : " All addresses, stores and tokens: npm start -- --all";
    lines.push("", `  Ctrl-C stops everything.${hint}`);
  }
  console.log(`${lines.join("\n")}\n`);
}

function listEntryPoints(settings: Settings, entries: readonly EntryPoint[]): string[] {
  if (entries.length === 0) return [];
  const lines = ["", "  Entry point        Address                    Docs"];
  for (const entry of entries) {
    const url = toEntryPointUrl(settings, entry);
    lines.push(`  ${entry.padEnd(18)} ${url.padEnd(26)} ${url}/docs`);
  }
  return lines;
}

function listBackends({ settings, stores }: Runtime): string[] {
  const lines = ["", `  Broker             ${settings.natsUrl ? "NATS" : "in this process"}`];
  if (stores) {
    const { documents, channels } = stores;
    lines.push(
      `  Documents          ${documents.backend === "mongodb" ? "MongoDB" : `embedded (SQLite in ${settings.dataDir})`}`,
      `  Durable channels   ${channels.backend === "jetstream" ? "JetStream" : "over the document store"}`,
    );
  }
  if (settings.run.services.includes("eventstore"))
    lines.push(`  Events             ${settings.mongoUrl ? "MongoDB" : "embedded (SQLite)"}`);
  if (isUsed("ELASTICSEARCH_URL", settings))
    lines.push(
      `  Search index       ${settings.elasticsearchUrl ? "Elasticsearch" : "embedded (SQLite, words in memory)"}`,
    );
  if (settings.run.services.includes("ai")) {
    lines.push(
      `  Answers            ${settings.chat ? `${settings.chat.model}, checked` : "composed (LLM_BASE_URL is not set)"}; passages by words${settings.embeddings ? ` and ${settings.embeddings.model}` : ""}`,
    );
  }
  if (isUsed("S3_ENDPOINT", settings))
    lines.push(`  Objects            ${settings.s3 ? "S3" : `files in ${settings.dataDir}`}`);
  return lines;
}

function listSandboxes(sandbox: SandboxDescription | undefined): string[] {
  if (!sandbox) return [];
  const lines = ["", "  Sandbox            Address                    Stands in for"];
  for (const { name, url, note } of sandbox.addresses) lines.push(`  ${name.padEnd(18)} ${url.padEnd(26)} ${note}`);
  if (process.stdout.isTTY) for (const { name, value } of sandbox.tokens) lines.push("", `  ${name}`, `    ${value}`);
  return lines;
}
