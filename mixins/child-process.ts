import type { ChildProcess } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Ends a process at once. One that could not be started (EMFILE) has no pid: Node would then send the signal to
 * whatever number stands in the memory of its handle, and -1 there means every process of this user.
 */
export function endProcess(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill("SIGKILL");
}

/**
 * What a process that works for another one alone begins with: it gives way to the shop, and ends with the process that
 * started it.
 */
export function workForParent(): void {
  // Whoever waits for a search or a checkout comes first. To take back what a parent gave away needs rights that a
  // process in a container lacks.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // A terminal sends its signals to every process of the group.
  process
    .on("SIGINT", () => undefined)
    .on("SIGTERM", () => undefined)
    .on("disconnect", () => process.exit(0));
}
