import { jest } from "@jest/globals";

/** Makes the time of day move only by what the test lets pass; timers run. */
export function fakeClock(options: { now?: number; advanceTimers?: boolean } = {}): void {
  jest.useFakeTimers({
    ...options,
    doNotFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "setImmediate",
      "clearImmediate",
      "nextTick",
      "queueMicrotask",
      "performance",
      "hrtime",
    ],
  });
}
