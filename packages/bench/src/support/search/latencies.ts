import { percentile } from "../statistics.ts";

/** Milliseconds of each request, with what kind it was. */
export interface Timed {
  kind: string;
  milliseconds: number;
}

/** A row for all of them and one for each kind: how many, p50, p99. */
export function latencyRows(timed: readonly Timed[]): [name: string, count: number, p50: number, p99: number][] {
  const kinds = [...new Set(timed.map(({ kind }) => kind))].sort();
  return [
    ["all", timed] as const,
    ...kinds.map((kind) => [kind, timed.filter((entry) => entry.kind === kind)] as const),
  ].map(([name, group]) => {
    const { p50, p99 } = percentiles(group);
    return [name, group.length, p50, p99];
  });
}

export function percentiles(timed: readonly Timed[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(timed, ({ milliseconds }) => milliseconds).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}
