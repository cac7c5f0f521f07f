import { median } from "../statistics.ts";
import { percentiles } from "./latencies.ts";

/** Sends the query of this place in its way. @throws when it is not answered */
export type Way = (query: number) => Promise<unknown>;

/** Milliseconds of each query; undefined where it was not answered. */
export type Times = (number | undefined)[];

/**
 * Sends the first query in each way, then the second, and so on, so that a machine that is slower for a second is so
 * for all of them.
 * @param first with which way it begins, which changes from query to query
 */
export async function inTurns(ways: readonly Way[], queries: number, first: number): Promise<Times[]> {
  const times: Times[] = ways.map(() => []);
  for (let query = 0; query < queries; query += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const way = (query + turn + first) % ways.length;
      const startedAt = performance.now();
      times[way]!.push(
        await ways[way]!(query).then(
          () => performance.now() - startedAt,
          () => undefined,
        ),
      );
    }
  }
  return times;
}

/** Over all rounds: medians of what the rounds say. */
export function summarize(rounds: readonly Times[]): { p50: number; p99: number; failed: number } {
  const percentileList = rounds.map((times) =>
    percentiles(
      times.filter((milliseconds) => milliseconds !== undefined).map((milliseconds) => ({ kind: "", milliseconds })),
    ),
  );
  return {
    p50: median(percentileList.map(({ p50 }) => p50)),
    p99: median(percentileList.map(({ p99 }) => p99)),
    failed: rounds.flat().filter((milliseconds) => milliseconds === undefined).length,
  };
}

/** Computes the extra time of one way over another for a query: the median of the queries, and that of the rounds. */
export function computeDifference(rounds: readonly Times[], otherRounds: readonly Times[]): number {
  return median(
    rounds.map((times, round) =>
      median(
        times.flatMap((time, query) => {
          const otherTime = otherRounds[round]![query];
          return time === undefined || otherTime === undefined ? [] : [time - otherTime];
        }),
      ),
    ),
  );
}
