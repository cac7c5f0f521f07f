import { constants, setPriority } from "node:os";
import { assembleFiles } from "./assemble-files.ts";
import type { AssemblyJob } from "./job.ts";

/** Entry of the process that puts one manual together. */

// Whoever waits for a search or a checkout comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// A terminal sends its signals to every process of the group; this one ends with the process that started it.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined).on("disconnect", () => process.exit(0));

process.once("message", (job: AssemblyJob) => {
  void assembleFiles(job).then((assembled) => process.send!({ assembled }), (error: unknown) => process.send!({ failed: error instanceof Error ? error.message : String(error) }));
});
