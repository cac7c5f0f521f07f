import { workForParent } from "../../../mixins/child-process.ts";
import type { RenderJob, RenderOutcome } from "./job.ts";
import { RefusedImage, render } from "./render.ts";

workForParent();

process.on("message", (job: RenderJob) => {
  void outcomeOf(job).then((outcome) => process.send!(outcome));
});

async function outcomeOf(job: RenderJob): Promise<RenderOutcome> {
  try {
    return { rendered: await render(job) };
  } catch (error) {
    if (error instanceof RefusedImage) return { refused: error.message };
    if (!(error instanceof Error)) return { failed: String(error) };
    const { code } = error as NodeJS.ErrnoException;
    return { failed: error.stack ?? error.message, ...(code === undefined ? {} : { code }) };
  }
}
