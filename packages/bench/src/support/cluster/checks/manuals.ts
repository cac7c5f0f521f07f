import { ofType } from "../history.ts";
import type { Check, Violation } from "./check.ts";

/** A manual that was taken is read to its end, and each of its parts is found once. */
export const manuals: Check = (operations, { manuals: final }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "manuals", about, message });
  for (const { input, result, output } of ofType(operations, "manual.upload")) {
    if (result !== "ok") continue;
    const manual = final[output!.batchId];
    if (!manual) tell(output!.batchId, "was taken, and its job is not there");
    else if (manual.status !== "completed") tell(output!.batchId, `was taken, and is ${manual.status}`);
    else if (manual.sha256 !== input.sha256)
      tell(output!.batchId, `was sent as ${input.sha256}, and is kept as ${manual.sha256}`);
    else if (manual.parts !== input.parts)
      tell(output!.batchId, `has ${input.parts} parts, and ${manual.parts} were found`);
  }
  return violations;
};
