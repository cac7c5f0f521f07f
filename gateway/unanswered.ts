import type { Socket } from "node:net";

export const MOST_UNANSWERED = 16;

/** They wait for answers to earlier ones: some 4 kB each. */
export const MOST_WAITING = 20_000;

let waitingInAll = 0;

export type Unanswered = ReturnType<typeof boundUnanswered>;

/**
 * Bounds the requests of a connection that are answered at a time. Node's parser delivers every request of a read at
 * once, thousands if a client does not wait: the rest waits here, and nothing more is read.
 */
export function boundUnanswered(socket: Socket) {
  const waiting: (() => void)[] = [];
  let unanswered = 0;
  const hand = (handle: () => void): void => {
    unanswered += 1;
    handle();
  };
  socket.once("close", () => {
    waitingInAll -= waiting.length;
    waiting.length = 0;
  });
  return {
    /** Calls `handle` now, or once there is room. Beyond MOST_WAITING the connection is cut off. */
    add(handle: () => void): void {
      if (unanswered < MOST_UNANSWERED) hand(handle);
      else if (waitingInAll === MOST_WAITING) socket.destroy();
      else if (!socket.destroyed) {
        waiting.push(handle);
        waitingInAll += 1;
        socket.pause();
      }
    },
    /** To be called for each answer that is sent or given up. */
    over(): void {
      unanswered -= 1;
      const next = socket.destroyed ? undefined : waiting.shift();
      if (next === undefined) return;
      waitingInAll -= 1;
      hand(next);
      if (waiting.length === 0) socket.resume();
    },
  };
}
