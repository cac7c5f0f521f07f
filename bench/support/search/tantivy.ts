import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generatedRows } from "../generated-catalog/rows.ts";
import { lines } from "./filled-system.ts";
import type { Timed } from "./latencies.ts";

const run = promisify(execFile);
const PACKAGE = "tantivy==0.27.0";
const MOST_PRINTED = 64 * 2 ** 20;

export interface TantivyFigures {
  indexingSeconds: number;
  timed: Timed[];
}

/**
 * Asks Tantivy, from PyPI, the queries of a JSON file over the same parts.
 * @returns undefined where it cannot be installed
 */
export async function measureTantivy(
  parts: number,
  queriesFile: string,
  directory: string,
): Promise<TantivyFigures | undefined> {
  const python = await installed();
  if (python === undefined) return undefined;
  const rows = join(directory, "parts.ndjson");
  writeFileSync(rows, [...lines(generatedRows(parts))].join(""));
  const script = fileURLToPath(new URL("./ask-tantivy.py", import.meta.url));
  const { stdout } = await run(python, [script, rows, queriesFile], { maxBuffer: MOST_PRINTED });
  return JSON.parse(stdout) as TantivyFigures;
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
