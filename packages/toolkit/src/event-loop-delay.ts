import { monitorEventLoopDelay, performance } from "node:perf_hooks";

/** Resolution of Node's histogram, milliseconds; it has the times between two notes. */
const NOTED_EVERY_MS = 20;

/** The event loop's delays and load since the last call of `take`. Each user needs its own. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: NOTED_EVERY_MS });
  #before = performance.eventLoopUtilization();

  start(): void {
    this.#histogram.enable();
  }

  stop(): void {
    this.#histogram.disable();
  }

  /** Delays in milliseconds, 0 without a note; `utilization` is the busy share of the time. */
  take(): { p50: number; p90: number; p99: number; max: number; utilization: number } {
    const histogram = this.#histogram;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    const getDelayMs = (percent: number): number =>
      histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(percent) / 1e6 - NOTED_EVERY_MS);
    const sample = { p50: getDelayMs(50), p90: getDelayMs(90), p99: getDelayMs(99), max: getDelayMs(100), utilization };
    histogram.reset();
    return sample;
  }
}
