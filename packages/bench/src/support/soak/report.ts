import type { Operation } from "../cluster/history.ts";
import { median, percentile } from "../statistics.ts";
import { printTable } from "../table.ts";
import type { Sample } from "./samples.ts";

/** A process fills caches and compiles code in its first minutes. */
const WARM_AFTER_MINUTES = 10;
const MOST_GROWTH = 0.05;

/** Answer times by operation, in milliseconds, retries and their pauses included. */
export function printTimes(operations: readonly Operation[]): void {
  const rows = [...Map.groupBy(operations, ({ type }) => type)].sort().map(([type, typeOperations]) => {
    const times = Float64Array.from(typeOperations, ({ invokedAt, answeredAt }) => answeredAt - invokedAt).sort();
    return [
      type,
      typeOperations.length,
      ...[0.5, 0.95, 0.99, 1].map((share) => percentile(times, share)),
      typeOperations.filter(({ result }) => result !== "ok").length,
    ];
  });
  printTable("Answer times, ms", ["", "count", "p50", "p95", "p99", "max", "failed"], rows);
}

/**
 * The memory of each process once it is warm and at the end, each the median of some minutes, since a collection may be
 * near or far.
 * @returns whether none has grown by 5 %; true as well for a run too short to judge, which is said
 */
export function printGrowth(samples: readonly Sample[], minutes: number): boolean {
  const isLongEnough = minutes > WARM_AFTER_MINUTES * 2;
  const warmAt = isLongEnough ? WARM_AFTER_MINUTES : minutes / 3;
  const span = isLongEnough ? 3 : minutes / 6;
  const rows = [...Map.groupBy(samples, ({ member }) => member)].map(([member, memberSamples]) => {
    const within = (from: number, to: number) => memberSamples.filter(({ minute }) => minute >= from && minute <= to);
    const ownMb = (memberPart: readonly Sample[]) => median(memberPart.map(({ residentMb }) => residentMb));
    const warm = ownMb(within(warmAt, warmAt + span));
    const end = ownMb(within(minutes - span, Infinity));
    // They come and go: only the most that they took says something.
    const childrenMb = (memberPart: readonly Sample[]) => Math.max(...memberPart.map((sample) => sample.childrenMb));
    const half = (warmAt + minutes) / 2;
    return [
      member,
      warm,
      end,
      (end / warm - 1) * 100,
      childrenMb(within(warmAt, half)),
      childrenMb(within(half, Infinity)),
    ] as const;
  });
  printTable(
    "Resident memory, and the most of the processes that each has started",
    ["", `MB after ${warmAt.toFixed(1)} min`, "MB at the end", "growth %", "children MB, first half", "second half"],
    rows.map((row) => [...row]),
  );
  if (!isLongEnough) {
    console.log(`  Shorter than ${WARM_AFTER_MINUTES * 2} minutes: growth says nothing yet.`);
    return true;
  }
  return rows.every(([, , , growth]) => growth < MOST_GROWTH * 100);
}
