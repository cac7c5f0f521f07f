import { ENTRY_POINTS } from "../broker/contract/define.ts";
import { entryPointUrl } from "../broker/settings/addresses.ts";
import { isUsed } from "../broker/settings/run.ts";
import type { RunningNode } from "./node.ts";

interface SandboxDescription {
  addresses: { name: string; url: string; note: string }[];
  tokens: { name: string; value: string }[];
}

/** Prints addresses, backends and what to try. Tokens are shown only on a terminal outside production. */
export async function printStartTable({ broker, runtime }: RunningNode, tookMs: number): Promise<void> {
  const { settings, stores } = runtime;
  const seconds = (tookMs / 1000).toFixed(1);
  const lines: string[] = [
    `Partline ${settings.version} is ready after ${seconds} s (node ${broker.nodeID}, pid ${process.pid})`,
  ];
  const entries = ENTRY_POINTS.filter((entry) => settings.run.entryPoints.includes(entry));
  if (entries.length > 0) {
    lines.push("", "  Entry point        Address                    Docs");
    for (const entry of entries) {
      const url = entryPointUrl(settings, entry);
      lines.push(`  ${entry.padEnd(18)} ${url.padEnd(26)} ${url}/docs`);
    }
  }
  if (entries.includes("shop")) lines.push("", `  Shop               ${settings.storeUrl}`);
  if (entries.includes("console")) lines.push(`  Console            ${settings.consoleUrl}`);
  lines.push("", `  Broker             ${settings.natsUrl ? "NATS" : "in this process"}`);
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
  if (settings.run.sandbox) lines.push(...(await sandboxLines(broker)));
  if (process.stdout.isTTY && !settings.production && entries.length > 0) {
    lines.push("", `  X-Admin-Token      ${settings.adminToken}`);
  }
  if (entries.includes("gateway")) {
    lines.push("", "  Try", `    curl '${entryPointUrl(settings, "gateway")}/api/search?q=carburetor&limit=3'`);
  }
  console.log(`${lines.join("\n")}\n`);
}

async function sandboxLines(broker: RunningNode["broker"]): Promise<string[]> {
  const { addresses, tokens } = await broker.call<SandboxDescription, object>("sandbox.describe", {});
  const lines = ["", "  Sandbox            Address                    Stands in for"];
  for (const { name, url, note } of addresses) lines.push(`  ${name.padEnd(18)} ${url.padEnd(26)} ${note}`);
  if (process.stdout.isTTY) for (const { name, value } of tokens) lines.push("", `  ${name}`, `    ${value}`);
  return lines;
}
