import { workForParent } from "../../../mixins/child-process.ts";
import { assembleFiles } from "./assemble-files.ts";
import type { AssemblyJob } from "./job.ts";

/** Entry of the process that puts one manual together. */

workForParent();

process.once("message", (job: AssemblyJob) => {
  void assembleFiles(job).then(
    (assembled) => process.send!({ assembled }),
    (error: unknown) => process.send!({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
