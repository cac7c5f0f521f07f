import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { NodeSample } from "./sample.ts";

/** Milliseconds. Sampled off the JavaScript thread's path, and seldom enough to cost nothing. */
const RESOLUTION = 50;

/** How late the event loop was since this was last asked. The metrics have a watch of their own, whose windows a scrape ends. */
export class EventLoopSinceLast {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  #before = performance.eventLoopUtilization();

  start(): void {
    this.#histogram.enable();
  }

  stop(): void {
    this.#histogram.disable();
  }

  take(): NodeSample["eventLoop"] {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    const late = (nanoseconds: number): number => Math.max(0, Math.round(nanoseconds / 1e4 - RESOLUTION * 100) / 100);
    const isKnown = this.#histogram.count > 0;
    const delay = { p99: isKnown ? late(this.#histogram.percentile(99)) : 0, max: isKnown ? late(this.#histogram.max) : 0 };
    this.#histogram.reset();
    return { ...delay, utilization: Math.round(utilization * 1_000) / 1_000 };
  }
}
