import type { Registry } from "prom-client";
import { onceAtATime, readMetric, type Labels } from "./read-metric.ts";

/** Readiness of an entry point, or of the process with its dependencies. */
export type ReadinessProbe = () => Promise<{
  ready: boolean;
  dependencies?: Readonly<Record<string, { status: string }>>;
}>;

/** Read at each scrape. */
export class ReadinessMetrics {
  readonly #probes = new Map<string, ReadinessProbe>();

  constructor(registry: Registry) {
    const look = onceAtATime(() =>
      Promise.all([...this.#probes].map(async ([entry, probe]) => ({ entry, ...(await probe()) }))),
    );
    readMetric(
      registry,
      "partline_ready",
      "Whether an entry point, or the process itself (node), is ready",
      async () => (await look()).map(({ entry, ready }) => [{ entry }, ready ? 1 : 0]),
      ["entry"],
    );
    readMetric(
      registry,
      "partline_dependency_up",
      "Whether the process itself has what it cannot do without",
      async () =>
        (await look()).flatMap(({ dependencies = {} }) =>
          Object.entries(dependencies).map(([dependency, { status }]): [Labels, number] => [
            { dependency },
            status === "ok" ? 1 : 0,
          ]),
        ),
      ["dependency"],
    );
  }

  /** @param entry an entry point, or `node` */
  watch(entry: string, probe: ReadinessProbe): void {
    this.#probes.set(entry, probe);
  }
}
