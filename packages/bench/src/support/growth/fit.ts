import type { Operation } from "./family.ts";
import { percentile } from "../statistics.ts";

/** The cost at a number of rows. */
export interface Point {
  rows: number;
  cost: number;
}

/** The exponent b of cost = a × rows^b, by least squares of the logarithms; undefined without two sizes. */
export function fitExponent(points: readonly Point[]): number | undefined {
  const logs = points.map(({ rows, cost }) => [Math.log(rows), Math.log(cost)] as const);
  const computeMean = (index: 0 | 1): number => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [meanX, meanY] = [computeMean(0), computeMean(1)];
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return spread === 0 ? undefined : logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

const WARM_UP = 5;
const MOST_ROUNDS = 41;
const FEWEST_ROUNDS = 3;
/** Milliseconds for an operation. */
const TIME = 1_500;

/**
 * Returns the lower quartile of as many rounds as fit into a second and a half, after some that do not count. A median
 * is twice as high while others use the machine.
 */
export async function measureCost(run: Operation): Promise<number> {
  const timings: number[] = [];
  const until = performance.now() + TIME;
  let warmUps = 0;
  for (let round = 0; timings.length < MOST_ROUNDS; round += 1) {
    const startedAt = performance.now();
    const measured = await run(round);
    const took = typeof measured === "number" ? measured : performance.now() - startedAt;
    const isSlow = took > TIME / 10;
    if (warmUps < WARM_UP && !isSlow) warmUps += 1;
    else timings.push(took);
    if (timings.length >= FEWEST_ROUNDS && performance.now() > until) break;
  }
  return percentile(Float64Array.from(timings).sort(), 0.25);
}
