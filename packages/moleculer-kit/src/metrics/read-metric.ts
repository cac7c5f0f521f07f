import { Counter, Gauge, type Registry } from "prom-client";

export type Labels = Record<string, string>;
/** Undefined if unknown now: then it is left out, as it is not 0. */
export type Reading = number | undefined | [labels: Labels, value: number][];

/**
 * Registers a metric that is read at each scrape, in place of one of the same name, as a service may be recreated.
 * @param name a counter's ends in `_total`
 */
export function readMetric(
  registry: Registry,
  name: string,
  help: string,
  readValue: () => Reading | Promise<Reading>,
  labelNames: string[] = [],
): void {
  registry.removeSingleMetric(name);
  const isCounter = name.endsWith("_total");
  const config = { name, help, labelNames, registers: [] };
  const metric: Counter | Gauge = isCounter ? new Counter({ ...config, collect }) : new Gauge({ ...config, collect });
  registry.registerMetric(metric);

  async function collect(): Promise<void> {
    const reading = await readValue();
    metric.reset();
    if (reading === undefined) metric.remove();
    else if (typeof reading === "number") metric.inc(reading);
    else for (const [labels, value] of reading) metric.inc(labels, value);
  }
}

/** Shares one look between several metrics of a scrape. */
export function shareRunning<T>(look: () => Promise<T>): () => Promise<T> {
  let looking: Promise<T> | undefined;
  return () => (looking ??= look().finally(() => (looking = undefined)));
}
