import { constants, getPriority, setPriority } from "node:os";

/** What a process that works for another one alone begins with: it gives way to the shop, and ends with the process that started it. */
export function workForParent(): void {
  // Whoever waits for a search or a checkout comes first. To take back what a parent gave away needs rights that a process in a container lacks.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // A terminal sends its signals to every process of the group.
  process
    .on("SIGINT", () => undefined)
    .on("SIGTERM", () => undefined)
    .on("disconnect", () => process.exit(0));
}
