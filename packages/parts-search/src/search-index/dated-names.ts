import type { LogicalIndex } from "./port.ts";

/** `parts_v2026_11_21`; `_2` and so on for later builds of a UTC day. Always newer than the taken names of its day. */
export function createDatedName(index: LogicalIndex, day: Date, takenNames: ReadonlySet<string>): string {
  const base = `${index}_v${day.toISOString().slice(0, 10).replaceAll("-", "_")}`;
  const counts = [...takenNames].flatMap((name) => {
    if (name === base) return [1];
    return name.startsWith(`${base}_`) ? [Number(name.slice(base.length + 1))] : [];
  });
  return counts.length === 0 ? base : `${base}_${Math.max(...counts) + 1}`;
}

/** Newest first. */
export function compareAge(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}

/** Returns undefined if it is not a dated name. */
export function parseLogicalIndex(name: string): LogicalIndex | undefined {
  const match = /^(parts|tires)_v\d{4}_\d{2}_\d{2}(_\d+)?$/.exec(name);
  return match?.[1] as LogicalIndex | undefined;
}
