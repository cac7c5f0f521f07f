import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Registry } from "prom-client";
import { readMetric } from "./read-metric.ts";

/** Resolution of Node's histogram, milliseconds. */
const NOTED_EVERY_MS = 20;

/** Since the last call of `take`. Each user needs its own. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: NOTED_EVERY_MS });
  #before = performance.eventLoopUtilization();

  start(): void {
    this.#histogram.enable();
  }

  stop(): void {
    this.#histogram.disable();
  }

  /** Milliseconds, 0 without a note; `utilization` is the busy share of the time. */
  take(): { p50: number; p90: number; p99: number; max: number; utilization: number } {
    const histogram = this.#histogram;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#before);
    this.#before = now;
    const late = (percent: number): number =>
      histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(percent) / 1e6 - NOTED_EVERY_MS);
    const taken = { p50: late(50), p90: late(90), p99: late(99), max: late(100), utilization };
    histogram.reset();
    return taken;
  }
}

/** Scrapes within it see the same delays, milliseconds. */
const WINDOW = 10_000;

/** Each delay is shown once. */
export class EventLoopWatch extends EventLoopDelay {
  #readAt = -Infinity;
  #shown = this.take();

  constructor(registry: Registry) {
    super();
    for (const name of ["p50", "p90", "p99", "max"] as const)
      readMetric(
        registry,
        `nodejs_eventloop_lag_${name}_seconds`,
        `How late the event loop was since the last scrape: ${name}`,
        () => this.#latest()[name] / 1_000,
      );
    readMetric(
      registry,
      "nodejs_eventloop_utilization_ratio",
      "Share of the time that the event loop was busy",
      () => this.#latest().utilization,
    );
  }

  #latest(): ReturnType<EventLoopDelay["take"]> {
    if (performance.now() - this.#readAt >= WINDOW) {
      this.#readAt = performance.now();
      this.#shown = this.take();
    }
    return this.#shown;
  }
}

/** prom-client's own collector cannot be stopped with its broker. */
export function watchProcess(registry: Registry, version: () => string): void {
  readMetric(
    registry,
    "partline_build_info",
    "1, with the versions that run",
    () => [[{ version: version(), node: process.versions.node }, 1]],
    ["version", "node"],
  );
  const figures: [name: string, help: string, read: () => number][] = [
    ["process_start_time_seconds", "Start of the process, since 1970", () => Math.round(performance.timeOrigin / 1e3)],
    ["process_cpu_seconds_total", "Processor time", () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
    ["process_resident_memory_bytes", "Memory that the process holds", () => process.memoryUsage.rss()],
    ["nodejs_heap_size_total_bytes", "Size of the heap", () => process.memoryUsage().heapTotal],
    ["nodejs_heap_size_used_bytes", "Used part of the heap", () => process.memoryUsage().heapUsed],
    ["nodejs_external_memory_bytes", "Memory outside of the heap", () => process.memoryUsage().external],
  ];
  for (const [name, help, read] of figures) readMetric(registry, name, help, read);
  readMetric(
    registry,
    "nodejs_active_resources",
    "Resources that keep the event loop alive",
    () =>
      [...Map.groupBy(process.getActiveResourcesInfo(), (type) => type)].map(([type, list]) => [{ type }, list.length]),
    ["type"],
  );
}
