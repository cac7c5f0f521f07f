import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MixedQuery } from "../generated-catalog/queries.ts";
import { sandboxDocuments } from "../index-documents.ts";
import { readJudgedQueries } from "../relevance/judged-queries.ts";
import { meanOf, scoreEngine } from "../relevance/score.ts";
import type { EngineName } from "../search-engines/engine.ts";
import { printTable } from "../table.ts";
import { latencyRows, percentiles } from "./latencies.ts";
import { runLimited } from "./limited-child.ts";
import type { EngineFigures } from "./measure-engine.ts";

const QUERIES_FILE = "queries.json";
const LIMITS = { seconds: 600, megabytes: 6_000 };
const AIMS = { p50: 5, p99: 15, buildSeconds: 10, parts: 100_000 };

/**
 * Each engine in a process of its own, one after another, with the same parts and queries. One that breaks its limits
 * has no row.
 */
export async function compareEngines(
  names: readonly EngineName[],
  parts: number,
  queries: readonly MixedQuery[],
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "partline-bench-search-"));
  const measured = new Map<EngineName, EngineFigures>();
  try {
    writeFileSync(join(directory, QUERIES_FILE), JSON.stringify(queries));
    for (const name of names) {
      try {
        measured.set(
          name,
          await runLimited<EngineFigures>("measure-engine", [name, String(parts), join(directory, QUERIES_FILE)], {
            ...LIMITS,
            directory,
          }),
        );
      } catch (error) {
        console.log(`No figures: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  const ndcg = await relevance([...measured.keys()]);
  const size = parts.toLocaleString("en-US");
  printTable(
    `${size} parts (aim: built and switched to in under ${AIMS.buildSeconds} s at ${AIMS.parts.toLocaleString("en-US")}, embedded)`,
    [
      "",
      "indexing s",
      "switch s",
      "RSS +MB",
      "of it heap of the main thread",
      "file MB",
      "queries that find",
      "nDCG@10 (sandbox catalog)",
    ],
    [...measured].map(([name, figures]) => [
      figures.name,
      figures.indexingSeconds,
      figures.switchingSeconds,
      figures.residentMegabytes,
      figures.heapMegabytes,
      figures.fileMegabytes ?? "-",
      `${figures.found} of ${queries.length}`,
      ndcg.get(name)!.toFixed(3),
    ]),
  );
  const rows = [...measured.values()].map(({ timed }) => latencyRows(timed));
  printTable(
    `${size} parts, at the port, one query after another, facets counted, 20 hits (aim, embedded: p50 under ${AIMS.p50} ms, p99 under ${AIMS.p99} ms)`,
    ["", "queries", ...[...measured.values()].flatMap(({ name }) => [`${name} p50 ms`, "p99 ms"])],
    (rows[0] ?? []).map(([kind, count], index) => [
      kind,
      String(count),
      ...rows.flatMap((row) => [row[index]![2], row[index]![3]]),
    ]),
  );
  const embedded = measured.get("embedded");
  if (embedded && parts === AIMS.parts) tellAims(embedded);
}

async function relevance(names: readonly EngineName[]): Promise<Map<EngineName, number>> {
  const documents = sandboxDocuments();
  const judged = await readJudgedQueries(documents);
  const found = new Map<EngineName, number>();
  for (const name of names)
    found.set(
      name,
      meanOf(await scoreEngine(name, documents, judged), ({ ndcg }) => ndcg),
    );
  return found;
}

function tellAims({ timed, indexingSeconds, switchingSeconds }: EngineFigures): void {
  const { p50, p99 } = percentiles(timed);
  const build = indexingSeconds + switchingSeconds;
  const tell = (name: string, value: number, aim: number, unit: string): void =>
    console.log(
      `${name} ${value.toFixed(1)} ${unit}: the aim of under ${aim} ${unit} ${value < aim ? "holds" : "does not hold"}.`,
    );
  console.log("");
  tell("p50", p50, AIMS.p50, "ms");
  tell("p99", p99, AIMS.p99, "ms");
  tell("Build", build, AIMS.buildSeconds, "s");
}
