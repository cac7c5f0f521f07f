import { loadSettings } from "../broker/settings.ts";
import { fail } from "./fail.ts";
import { startNode, type RunningNode } from "./node.ts";
import { whenNpmEnds } from "./parent.mjs";
import { printStartTable } from "./start-table.ts";
import { LONGEST_STOP_MS } from "./stop-node.ts";
import { packageVersion } from "./version.ts";

const startedAt = performance.now();
/** What a signal does: until others are served, nothing has begun that must be finished. */
let end = (): void => process.exit(0);
endOnSignal();
try {
  const node = await startNode(loadSettings(process.env, packageVersion()), (serving) => {
    end = () => stopWithinTime(serving);
    serving.runtime.leave = end;
  });
  if (!node.runtime.draining) await printStartTable(node, performance.now() - startedAt);
} catch (error) {
  fail(error);
}

function endOnSignal(): void {
  let toldAt: number | undefined;
  const begin = (): void => {
    unwatch();
    toldAt = performance.now();
    end();
  };
  const unwatch = whenNpmEnds(begin);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (toldAt !== undefined) {
        // A terminal and the launcher may both pass the same signal on; a later one means: do not wait.
        if (performance.now() - toldAt > 1_000) process.exit(1);
        return;
      }
      begin();
    });
  }
}

/** What hangs (a store, say) keeps no process from ending. */
function stopWithinTime(node: RunningNode): void {
  const longest = node.runtime.settings.drainSeconds * 1_000 + LONGEST_STOP_MS;
  setTimeout(() => {
    process.stderr.write(`Partline did not stop within ${longest / 1_000} s; what had not ended is cut off.\n`);
    process.exit(1);
  }, longest).unref();
  node.stop().then(() => process.exit(0), fail);
}
