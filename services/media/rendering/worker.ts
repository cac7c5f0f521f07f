import { constants, setPriority } from "node:os";
import type { RenderJob, RenderOutcome } from "./job.ts";
import { RefusedImage, render } from "./render.ts";

// Whoever waits for a search or a checkout comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// A terminal sends its signals to every process of the group; this one ends with the process that started it.
process.on("SIGINT", () => undefined).on("SIGTERM", () => undefined).on("disconnect", () => process.exit(0));

process.on("message", (job: RenderJob) => {
  void outcomeOf(job).then((outcome) => process.send!(outcome));
});

async function outcomeOf(job: RenderJob): Promise<RenderOutcome> {
  try {
    return { rendered: await render(job) };
  } catch (error) {
    if (error instanceof RefusedImage) return { refused: error.message };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
