import configuration from "../moleculer.config.ts";
import { fail } from "./fail.ts";
import { runNode, type RunningNode } from "./node.ts";
import { whenNpmEnds } from "./parent.mjs";
import { printStartTable } from "./start-table.ts";
import { LONGEST_STOP_MS } from "./stop-node.ts";

// A failed write to the log (full disk, closed pipe) does not end the process.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
/** Handles a signal: until the process serves others, there is nothing to finish. */
let end = (): void => process.exit(0);
endOnSignal();
try {
  const options = configuration((serving) => {
    end = () => stopWithinTime(serving);
    serving.runtime.leave = end;
  });
  const node = await runNode({ ...options, skipProcessEventRegistration: true });
  if (!node.runtime.draining) {
    await printStartTable(node, performance.now(), process.argv.includes("--all"));
  }
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
        // The terminal and the launcher may both pass on one signal; a later one means: do not wait.
        if (performance.now() - toldAt > 1_000) process.exit(1);
        return;
      }
      begin();
    });
  }
}

/** A store that hangs does not keep the process from ending. */
function stopWithinTime(node: RunningNode): void {
  const longest = node.runtime.settings.drainSeconds * 1_000 + LONGEST_STOP_MS;
  setTimeout(() => {
    process.stderr.write(`Partline did not stop within ${longest / 1_000} s; what had not ended is cut off.\n`);
    process.exit(1);
  }, longest).unref();
  process.stdout.write("Partline is stopping: it finishes what it has begun. A second Ctrl-C ends it at once.\n");
  node.stop().then(() => {
    process.stdout.write("Partline has stopped.\n");
    process.exit(0);
  }, fail);
}
