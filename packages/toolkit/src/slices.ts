import { setImmediate as nextTurn } from "node:timers/promises";

/** Items in one go: another request waits for at most so many. */
const SLICE = 100;

/** Takes items one by one, and lets other requests of the thread in between. */
export async function takeInSlices<T>(items: readonly T[], take: (item: T) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    take(item);
    if ((index + 1) % SLICE === 0) await nextTurn();
  }
}
