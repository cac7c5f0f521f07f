import type { ChildProcess } from "node:child_process";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Kills a process. One that could not be started (EMFILE) has no pid: Node would signal whatever number stands in its
 * handle, and -1 there means every process of this user.
 */
export function endProcess(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill("SIGKILL");
}

/** Prepares a process that works for its parent alone: it gives way to the shop, and ends with its parent. */
export function workForParent(): void {
  // Searches and checkouts come first. Taking a parent's low priority back needs rights that a container lacks.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // A terminal sends its signals to every process of the group.
  process
    .on("SIGINT", () => undefined)
    .on("SIGTERM", () => undefined)
    .on("disconnect", () => process.exit(0));
}
