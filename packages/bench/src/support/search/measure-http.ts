import type { MixedQuery } from "../generated-catalog/queries.ts";
import { printTable } from "../table.ts";
import { startFilledSystem } from "./filled-system.ts";
import { askAll, searchPath, type Asked } from "./http.ts";
import { latencyRows, percentiles } from "./latencies.ts";
import { residentMegabytes } from "./limited-child.ts";
import { judgedAs } from "./mix.ts";

const CONNECTIONS = [1, 16];
/** V8 compiles for so long: of the next three times 4,000, each has more a second, 2,142, 2,774, 2,979. */
const WARM_UP = 8_000;
const A_ROW = 4_000;
export const HTTP_QUERIES = WARM_UP + CONNECTIONS.length * A_ROW;
/** At the most connections. */
const AIMS = { parts: 100_000, perSecond: 2_500, p99: 25 };

/**
 * The mix through HTTP against a running node with the embedded index, at the search service's own entry point. Each
 * number of connections has questions of its own: what comes again is what comes again in the mix. The first ones do
 * not count.
 * @returns whether the aims hold
 */
export async function measureHttp(parts: number, queries: readonly MixedQuery[]): Promise<boolean> {
  const { system, importSeconds, end } = await startFilledSystem(parts);
  try {
    const requests = queries.map(({ kind, query }): Asked => ({
      kind,
      requests: [{ method: "GET", url: `${system.url("search")}${searchPath(query)}` }],
    }));
    await askAll(requests.slice(0, WARM_UP), CONNECTIONS.at(-1)!);
    const rows: ReturnType<typeof latencyRows>[] = [];
    let failed = 0;
    let [perSecond, p99] = [0, 0];
    for (const [step, connections] of CONNECTIONS.entries()) {
      const first = WARM_UP + step * A_ROW;
      const startedAt = performance.now();
      const answered = await askAll(requests.slice(first, first + A_ROW), connections);
      perSecond = (answered.timed.length / (performance.now() - startedAt)) * 1_000;
      ({ p99 } = percentiles(answered.timed));
      failed += answered.failed;
      rows.push(latencyRows(answered.timed));
    }
    printTable(
      `${parts.toLocaleString("en-US")} parts through HTTP (imported in ${importSeconds.toFixed(0)} s; the node is at ${residentMegabytes(system.processes[0]!.pid!).toFixed(0)} MB; ${failed} failed)`,
      [
        "",
        "queries",
        ...CONNECTIONS.flatMap((connections) => [
          `${connections} connection${connections === 1 ? "" : "s"} p50 ms`,
          "p99 ms",
        ]),
      ],
      rows[0]!.map(([kind, count], index) => [
        kind,
        String(count),
        ...rows.flatMap((row) => [row[index]![2], row[index]![3]]),
      ]),
    );
    const last = CONNECTIONS.at(-1)!;
    console.log(`\n${perSecond.toFixed(0)} requests a second at ${last} connections, p99 ${p99.toFixed(1)} ms`);
    if (judgedAs(parts) !== AIMS.parts) return failed === 0;
    const hold = perSecond >= AIMS.perSecond && p99 <= AIMS.p99;
    console.log(`Aim: ${AIMS.perSecond} a second, p99 ${AIMS.p99} ms: ${hold ? "holds" : "does not hold"}`);
    return hold && failed === 0;
  } finally {
    await end();
  }
}
