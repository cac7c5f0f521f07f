import type { LogicalIndex } from "./port.ts";

/** `parts_v2026_11_21`; a second build on one (UTC) day adds `_2`. */
export function datedName(index: LogicalIndex, day: Date, taken: ReadonlySet<string>): string {
  const base = `${index}_v${day.toISOString().slice(0, 10).replaceAll("-", "_")}`;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}_${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Newest first. */
export function byAge(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}

/** The logical index of a dated name, or undefined when it is not one. */
export function logicalIndexOf(name: string): LogicalIndex | undefined {
  const match = /^(parts|tires)_v\d{4}_\d{2}_\d{2}(_\d+)?$/.exec(name);
  return match?.[1] as LogicalIndex | undefined;
}
