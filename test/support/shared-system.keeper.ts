import { appendFileSync, existsSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { measureCosts } from "./costs.mjs";
import { filesOf, IDENTITY_WEBHOOK_SECRET, type Kept, type SharedSystem } from "./shared-system.ts";
import { startSystem, type System } from "./system.ts";

/**
 * Runs a system for the suites that share it, until none has used it for a while, or Jest says that all are over, or is
 * gone.
 */

/** The next suite may be that far away on a busy machine; a start costs up to ten seconds of a processor. */
const UNUSED_MS = 60_000;
const LOOK_EVERY_MS = 250;

const [directory, words, jest] = process.argv.slice(2) as [string, string, string];
const shared = JSON.parse(words) as SharedSystem;
const files = filesOf(directory, shared);
let usedAt = Date.now();
/** The process of a suite, which may end before this one. */
const startedBy = process.ppid;

function tell(kept: Kept): void {
  writeFileSync(`${files.kept}.new`, JSON.stringify(kept));
  renameSync(`${files.kept}.new`, files.kept);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Once true, nobody can begin to use the system: a use is a file in `uses`, which is taken away while it is empty. */
function isToEnd(): boolean {
  if (existsSync(files.over) || !isAlive(Number(jest))) return true;
  for (const use of readdirSync(files.uses)) {
    // A test process that crashed has left its own behind.
    if (isAlive(Number.parseInt(use))) usedAt = Date.now();
    else rmSync(join(files.uses, use), { force: true });
  }
  if (Date.now() - usedAt < UNUSED_MS) return false;
  try {
    rmdirSync(files.uses);
    return true;
  } catch {
    return false;
  }
}

let system: System | undefined;
try {
  system = await startSystem({
    ...shared,
    env: { IDENTITY_WEBHOOK_SECRET, TRUSTED_PROXIES: "127.0.0.1" },
    onOutput: (text) => process.stdout.write(text),
  });
  tell({ firstPort: system.firstPort });
} catch (error) {
  tell({ error: `The shared system did not start: ${String(error)}` });
}
while (!isToEnd()) await pause(LOOK_EVERY_MS);
// A suite that needs one now starts another.
const ended = `${files.directory}-ended-${process.pid}`;
renameSync(files.directory, ended);
await system?.stop();
const { SUITE_COSTS } = process.env;
if (SUITE_COSTS) {
  const { seconds, childSeconds } = measureCosts();
  const cost = { shared: basename(files.directory), startedBy, endedAt: Date.now(), seconds, childSeconds };
  appendFileSync(SUITE_COSTS, `${JSON.stringify(cost)}\n`);
}
rmSync(ended, { recursive: true });
