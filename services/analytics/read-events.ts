import { hasCode } from "../../mixins/errors.ts";
import type { ReadEvents } from "./projector.ts";

/**
 * Reads by `list`, which refuses a position beyond the log's end with VALIDATION_FAILED. Calls `onLoss` once for each
 * such position, until the log reaches it again.
 */
export function eventsBy(
  list: (after: number, limit: number) => ReturnType<ReadEvents>,
  onLoss: (error: unknown) => void,
): ReadEvents {
  const beyond = new Set<number>();
  return async (after, limit) => {
    try {
      const events = await list(after, limit);
      beyond.delete(after);
      return events;
    } catch (error) {
      if (!hasCode(error, "VALIDATION_FAILED")) throw error;
      if (!beyond.has(after)) onLoss(error);
      beyond.add(after);
      return undefined;
    }
  };
}
