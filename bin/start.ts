import { loadSettings } from "../broker/settings.ts";
import { fail } from "./fail.ts";
import { startNode, type RunningNode } from "./node.ts";
import { printStartTable } from "./start-table.ts";
import { packageVersion } from "./version.ts";

const startedAt = performance.now();
try {
  const settings = loadSettings(process.env, packageVersion());
  const node = await startNode(settings);
  stopOnSignal(node);
  await printStartTable(node, performance.now() - startedAt);
} catch (error) {
  fail(error);
}

function stopOnSignal(node: RunningNode): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        // A terminal and the launcher may both pass the same signal on; a later one means: do not wait.
        if (performance.now() - stoppingSince > 1_000) process.exit(1);
        return;
      }
      stoppingSince = performance.now();
      node.stop().then(() => process.exit(0), fail);
    });
  }
}
