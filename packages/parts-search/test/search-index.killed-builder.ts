import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SearchIndexOptions } from "../src/search-index/open.ts";

/** Runs a process that fills a live index with PARTS and builds another, and kills it (with SIGKILL) amid the build. */
export async function killBuilder(options: Partial<SearchIndexOptions>): Promise<void> {
  const script = fileURLToPath(new URL("./search-index.crash-builder.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface(child.stdout)) if (line === "4") child.kill("SIGKILL");
  const [code, signal] = (await exited) as [number | null, string | null];
  if (signal !== "SIGKILL") throw new Error(`The builder ended by itself, with ${code}`);
}
