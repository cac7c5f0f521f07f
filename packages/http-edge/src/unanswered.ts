import type { Socket } from "node:net";
import { getHeapStatistics } from "node:v8";

/** Maximum number of unanswered requests on a connection. */
export const MOST_UNANSWERED = 16;

/** Heap of a request that is answered or waits for that: up to 22 kB were measured. */
const REQUEST_BYTES = 24 * 1024;

/** Requests of all connections that may be in memory: a quarter of this heap, so that the answers have room, too. */
export function computeMaxInMemory(heapBytes: number): number {
  return Math.min(20_000, Math.floor(heapBytes / 4 / REQUEST_BYTES));
}

export const MOST_IN_MEMORY = computeMaxInMemory(getHeapStatistics().heap_size_limit);

let inMemory = 0;

export type Unanswered = ReturnType<typeof limitUnanswered>;

/**
 * Bounds the requests of a connection that are answered at a time. Node's parser delivers every request of a read at
 * once, thousands if a client does not wait: the rest waits here, and nothing more is read.
 */
export function limitUnanswered(socket: Socket) {
  const waiting: (() => void)[] = [];
  let unanswered = 0;
  const handOver = (handle: () => void): void => {
    unanswered += 1;
    handle();
  };
  socket.once("close", () => {
    inMemory -= waiting.length;
    waiting.length = 0;
  });
  return {
    /**
     * Calls `handle` now, or once there is room. Beyond MOST_IN_MEMORY a connection that sends another request before
     * its answer is cut off; all others are served.
     */
    add(handle: () => void): void {
      if (unanswered > 0 && inMemory >= MOST_IN_MEMORY) {
        socket.destroy();
        return;
      }
      if (unanswered === MOST_UNANSWERED) {
        if (socket.destroyed) return;
        waiting.push(handle);
        socket.pause();
      } else handOver(handle);
      inMemory += 1;
    },
    /** Call it for each answer that is sent or given up. */
    finish(): void {
      unanswered -= 1;
      inMemory -= 1;
      const next = socket.destroyed ? undefined : waiting.shift();
      if (next === undefined) return;
      handOver(next);
      if (waiting.length === 0) socket.resume();
    },
  };
}
