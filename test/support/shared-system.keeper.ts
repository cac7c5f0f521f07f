import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { filesOf, type Kept } from "./shared-system.ts";
import { startSystem } from "./system.ts";

/** Runs an embedded system for the suites that share it, as long as Jest runs and has not said that the last of them is over. */

const [directory, jest] = process.argv.slice(2) as [string, string];
const files = filesOf(directory);

function tell(kept: Kept): void {
  writeFileSync(`${files.kept}.new`, JSON.stringify(kept));
  renameSync(`${files.kept}.new`, files.kept);
}

function isWanted(): boolean {
  try {
    return existsSync(files.directory) && !existsSync(files.over) && process.kill(Number(jest), 0);
  } catch {
    return false;
  }
}

try {
  const system = await startSystem({ onOutput: (text) => process.stdout.write(text) });
  tell({ firstPort: system.firstPort });
  const timer = setInterval(() => {
    if (isWanted()) return;
    clearInterval(timer);
    void system.stop().finally(() => rmSync(files.kept, { force: true }));
  }, 250);
} catch (error) {
  tell({ error: `The shared system did not start: ${String(error)}` });
}
