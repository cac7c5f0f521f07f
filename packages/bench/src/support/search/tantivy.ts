import { execFile, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generatedRows } from "../generated-catalog/price-rows.ts";
import { lines } from "./filled-system.ts";
import type { Timed } from "./latencies.ts";
import { talkTo, type Limits, type Talker } from "./limited-child.ts";

const run = promisify(execFile);
const PACKAGE = "tantivy==0.27.0";

/**
 * Has Tantivy, from PyPI, index the same parts. It answers the queries of a JSON file as often as it is asked to.
 * @returns undefined where it cannot be installed
 */
export async function openTantivy(
  parts: number,
  queriesFile: string,
  { directory, ...limits }: Limits & { directory: string },
): Promise<Talker<{ indexingSeconds: number }, Timed[]> | undefined> {
  const python = await installed();
  if (python === undefined) return undefined;
  const rows = join(directory, "parts.ndjson");
  writeFileSync(rows, [...lines(generatedRows(parts))].join(""));
  const script = fileURLToPath(new URL("./ask-tantivy.py", import.meta.url));
  const child = spawn(python, [script, rows, queriesFile], { stdio: ["pipe", "pipe", "inherit"] });
  return talkTo(child, "Tantivy", limits);
}

async function installed(): Promise<string | undefined> {
  const home = join(tmpdir(), `partline-bench-${PACKAGE.replace("==", "-")}`);
  const python = join(home, "bin", "python");
  try {
    if (!existsSync(python)) await run("python3", ["-m", "venv", home]);
    await run(python, ["-m", "pip", "install", "--quiet", PACKAGE]);
    return python;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    console.log(`Tantivy takes no part: it cannot be installed (${reason})`);
    return undefined;
  }
}
