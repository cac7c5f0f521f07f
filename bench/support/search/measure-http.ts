import type { MixedQuery } from "../generated-catalog/queries.ts";
import { printTable } from "../table.ts";
import { startFilledSystem } from "./filled-system.ts";
import { askAll, searchPath, type Asked } from "./http.ts";
import { latencyRows } from "./latencies.ts";
import { residentMegabytes } from "./limited-child.ts";

const CONNECTIONS = [1, 8];
const WARM_UP = 100;

/** The mix through HTTP against a running node with the embedded index, at the search service's own entry point. */
export async function measureHttp(parts: number, queries: readonly MixedQuery[]): Promise<void> {
  const { system, importSeconds, end } = await startFilledSystem(parts);
  try {
    const asked = queries.map(({ kind, query }): Asked => ({
      kind,
      requests: [{ method: "GET", url: `${system.url("search")}${searchPath(query)}` }],
    }));
    await askAll(asked.slice(0, WARM_UP), 1);
    const rows: ReturnType<typeof latencyRows>[] = [];
    let failed = 0;
    for (const connections of CONNECTIONS) {
      const answered = await askAll(asked, connections);
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
  } finally {
    await end();
  }
}
