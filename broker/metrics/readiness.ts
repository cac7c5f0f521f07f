import { Family } from "./exposition.ts";

/** How an entry point is, or the process itself, which has dependencies. */
export type ReadinessProbe = () => Promise<{
  ready: boolean;
  dependencies?: Readonly<Record<string, { status: string }>>;
}>;

/** Asked at each scrape: what is unready need not notice that by itself. */
export class ReadinessMetrics {
  readonly #probes = new Map<string, ReadinessProbe>();

  /** @param entry an entry point, or `node` for the process itself */
  watch(entry: string, probe: ReadinessProbe): void {
    this.#probes.set(entry, probe);
  }

  async families(): Promise<Family[]> {
    const ready = new Family(
      "partline_ready",
      "gauge",
      "Whether an entry point, or the process itself (node), is ready",
    );
    const up = new Family(
      "partline_dependency_up",
      "gauge",
      "Whether the process itself has what it cannot do without",
    );
    const looks = await Promise.all([...this.#probes].map(async ([entry, probe]) => ({ entry, ...(await probe()) })));
    for (const { entry, ready: isReady, dependencies = {} } of looks) {
      ready.add(isReady ? 1 : 0, { entry });
      for (const [dependency, { status }] of Object.entries(dependencies))
        up.add(status === "ok" ? 1 : 0, { dependency });
    }
    return [ready, up];
  }
}
