import { EventLoopDelay } from "@partline/toolkit";
import type { Registry } from "prom-client";
import { readMetric } from "./read-metric.ts";

/** Scrapes within it see the same delays, milliseconds. */
const WINDOW = 10_000;

/** Event loop delays since the last window, each shown once. */
export class EventLoopWatch extends EventLoopDelay {
  #readAt = -Infinity;
  #shown = this.take();

  constructor(registry: Registry) {
    super();
    for (const name of ["p50", "p90", "p99", "max"] as const)
      readMetric(
        registry,
        `nodejs_eventloop_lag_${name}_seconds`,
        `Delay of the event loop since the last scrape: ${name}`,
        () => this.#takeLatest()[name] / 1_000,
      );
    readMetric(
      registry,
      "nodejs_eventloop_utilization_ratio",
      "Share of the time that the event loop was busy",
      () => this.#takeLatest().utilization,
    );
  }

  #takeLatest(): ReturnType<EventLoopDelay["take"]> {
    if (performance.now() - this.#readAt >= WINDOW) {
      this.#readAt = performance.now();
      this.#shown = this.take();
    }
    return this.#shown;
  }
}

/** Collects what prom-client's own collector does, which cannot be stopped with its broker. */
export function watchProcess(registry: Registry, version: () => string): void {
  readMetric(
    registry,
    "partline_build_info",
    "1, labelled with the running version",
    () => [[{ version: version(), node: process.versions.node }, 1]],
    ["version", "node"],
  );
  const figures: [name: string, help: string, read: () => number][] = [
    [
      "process_start_time_seconds",
      "Start of the process, seconds since 1970",
      () => Math.round(performance.timeOrigin / 1e3),
    ],
    ["process_cpu_seconds_total", "Processor time", () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6],
    ["process_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss()],
    ["nodejs_heap_size_total_bytes", "Size of the heap", () => process.memoryUsage().heapTotal],
    ["nodejs_heap_size_used_bytes", "Used part of the heap", () => process.memoryUsage().heapUsed],
    ["nodejs_external_memory_bytes", "Memory outside of the heap", () => process.memoryUsage().external],
  ];
  for (const [name, help, readValue] of figures) readMetric(registry, name, help, readValue);
  readMetric(
    registry,
    "nodejs_active_resources",
    "Resources that keep the event loop alive",
    () =>
      [...Map.groupBy(process.getActiveResourcesInfo(), (type) => type)].map(([type, list]) => [{ type }, list.length]),
    ["type"],
  );
}
