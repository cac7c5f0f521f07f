import { workForParent } from "../../../mixins/child-process.ts";
import { assembleFiles } from "./assemble-files.ts";
import type { AssemblyJob } from "./job.ts";

/** Entry of the process that puts one manual together. */

workForParent();

process.once("message", (job: AssemblyJob) => {
  void assembleFiles(job).then(
    (assembled) => process.send!({ assembled }),
    (error: unknown) => {
      const { message, code } = error as NodeJS.ErrnoException;
      process.send!({ failed: message, code });
    },
  );
});
