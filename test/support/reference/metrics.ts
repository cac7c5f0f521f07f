import { pageOf, table } from "./page.ts";

const INTRODUCTION =
  "`/metrics` of each entry point and of HEALTH_PORT has these metrics in Prometheus text format. A process exposes those of what it runs; some appear with their first value. [Monitoring](../operations.md#monitoring) says which to watch.";

type Families = ReadonlyMap<string, { type: string; help: string; samples: { labels: object }[] }>;

/**
 * @param families by name, as a process exposed them
 * @param declared labels by name: a metric without a sample shows none
 */
export function metricsPage(families: Families, declared: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, help, samples }]) => {
      const seen = samples.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== "le");
      const labels = new Set([...(declared.get(name) ?? []), ...seen]);
      return [
        `\`${name}\``,
        type,
        [...labels]
          .sort()
          .map((label) => `\`${label}\``)
          .join(", "),
        help,
      ];
    });
  return pageOf(
    "Metrics",
    "what a started system exposes",
    INTRODUCTION,
    table(["metric", "type", "labels", "meaning"], rows),
  );
}
