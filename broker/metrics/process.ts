import { EventLoopDelay } from "../event-loop-delay.ts";
import { Family } from "./exposition.ts";

/** Scrapes that come closer together than this see the same delays; milliseconds. */
const WINDOW = 10_000;

/** How late the event loop is. Each window's delays are shown once and forgotten, so that the figures are of late and not since the start. */
export class EventLoopWatch {
  readonly #delay = new EventLoopDelay();
  #readAt = -Infinity;
  #shown: Family[] = [];

  start(): void {
    this.#delay.start();
  }

  stop(): void {
    this.#delay.stop();
  }

  families(): Family[] {
    if (performance.now() - this.#readAt < WINDOW) return this.#shown;
    this.#readAt = performance.now();
    const { utilization, ...delays } = this.#delay.take();
    this.#shown = [
      ...Object.entries(delays).map(([name, milliseconds]) =>
        new Family(
          `nodejs_eventloop_lag_${name}_seconds`,
          "gauge",
          `How late the event loop was since the last scrape: ${name}`,
        ).add(milliseconds / 1_000),
      ),
      new Family("nodejs_eventloop_utilization_ratio", "gauge", "Share of the time that the event loop was busy").add(
        utilization,
      ),
    ];
    return this.#shown;
  }
}

/** What the process uses, read when asked for. The names are those of the Prometheus client libraries. */
export function processFamilies(version: string): Family[] {
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage();
  const resources = Map.groupBy(process.getActiveResourcesInfo(), (type) => type);
  const active = new Family("nodejs_active_resources", "gauge", "Resources that keep the event loop alive");
  for (const [type, list] of resources) active.add(list.length, { type });
  return [
    new Family("partline_build_info", "gauge", "1, with the versions that run").add(1, {
      version,
      node: process.versions.node,
    }),
    new Family("process_start_time_seconds", "gauge", "Start of the process, since 1970").add(
      Math.round(performance.timeOrigin / 1_000),
    ),
    new Family("process_cpu_seconds_total", "counter", "Processor time").add((cpu.user + cpu.system) / 1e6),
    new Family("process_resident_memory_bytes", "gauge", "Memory that the process holds").add(memory.rss),
    new Family("nodejs_heap_size_total_bytes", "gauge", "Size of the heap").add(memory.heapTotal),
    new Family("nodejs_heap_size_used_bytes", "gauge", "Used part of the heap").add(memory.heapUsed),
    new Family("nodejs_external_memory_bytes", "gauge", "Memory outside of the heap").add(memory.external),
    active,
  ];
}
