import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commonQueries, type MixedQuery, type QueryKind } from "../generated-catalog/queries.ts";
import { sandboxDocuments } from "../index-documents.ts";
import { readJudgedQueries } from "../relevance/judged-queries.ts";
import { meanOf, scoreEngine } from "../relevance/score.ts";
import type { EngineName } from "../search-engines/engine.ts";
import { printTable } from "../table.ts";
import { latencyRows, percentiles, type Timed } from "./latencies.ts";
import { runLimited } from "./limited-child.ts";
import type { EngineFigures } from "./measure-engine.ts";
import { judgedAs } from "./mix.ts";
import { measureTantivy, type TantivyFigures } from "./tantivy.ts";

const QUERIES_FILE = "queries.json";
const LIMITS = { seconds: 600, megabytes: 6_000 };
/** Of the embedded engine, by the number of parts. Seconds, and megabytes above rest. */
const AIMS_BY_PARTS: Record<number, { build: number; memory: number }> = {
  100_000: { build: 4, memory: 250 },
  500_000: { build: 25, memory: 700 },
};
/** Times of Tantivy's. */
const AIM_BESIDE_TANTIVY = 1.5;
const BESIDE_TANTIVY: readonly QueryKind[] = ["one word", "two words", "words and filters", "typo", "common words"];
const NUMBERS: readonly QueryKind[] = ["exact number", "number, other spelling"];
const AIM_NUMBERS_MS = 0.2;
const AIM_LONGEST_MS = 10;
const LONGEST_AIM_PARTS = 100_000;

/**
 * Each engine in a process of its own, one after another, with the same parts and queries, and Tantivy. One that breaks
 * its limits has no row.
 * @returns whether all aims hold
 */
export async function compareEngines(
  names: readonly EngineName[],
  parts: number,
  mix: readonly MixedQuery[],
): Promise<boolean> {
  const queries = [...mix, ...commonQueries()];
  const directory = mkdtempSync(join(tmpdir(), "partline-bench-search-"));
  const measured = new Map<EngineName, EngineFigures>();
  let tantivy: TantivyFigures | undefined;
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
    tantivy = await measureTantivy(parts, join(directory, QUERIES_FILE), directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
  const ndcg = await relevance([...measured.keys()]);
  const size = parts.toLocaleString("en-US");
  printTable(
    `${size} parts${tantivy ? ` (Tantivy indexes them in ${tantivy.indexingSeconds.toFixed(1)} s)` : ""}`,
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
  const timed = [...measured.values(), ...(tantivy ? [{ ...tantivy, name: "Tantivy" }] : [])];
  const rows = timed.map((each) => latencyRows(each.timed));
  printTable(
    `${size} parts, at the port, one query after another, facets counted, 20 hits`,
    ["", "queries", ...timed.flatMap(({ name }) => [`${name} p50 ms`, "p99 ms"])],
    (rows[0] ?? []).map(([kind, count], index) => [
      kind,
      String(count),
      ...rows.flatMap((row) => [row[index]![2], row[index]![3]]),
    ]),
  );
  const embedded = measured.get("embedded");
  return embedded === undefined || aimsHold(embedded, tantivy, judgedAs(parts));
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

/** Prints each aim. */
function aimsHold(embedded: EngineFigures, tantivy: TantivyFigures | undefined, parts: number): boolean {
  let all = true;
  const tell = (name: string, value: number, aim: number, unit: string): void => {
    const holds = value <= aim;
    all &&= holds;
    console.log(`${name}: ${value.toFixed(2)} ${unit}, aim ${aim.toFixed(2)} ${holds ? "holds" : "does not hold"}`);
  };
  const of = (timed: readonly Timed[], kind: QueryKind): { p50: number; p99: number } =>
    percentiles(timed.filter((each) => each.kind === kind));
  console.log("");
  for (const kind of BESIDE_TANTIVY) {
    if (!tantivy) break;
    const [own, theirs] = [of(embedded.timed, kind), of(tantivy.timed, kind)];
    tell(`${kind}, p50`, own.p50, theirs.p50 * AIM_BESIDE_TANTIVY, "ms");
    tell(`${kind}, p99`, own.p99, theirs.p99 * AIM_BESIDE_TANTIVY, "ms");
  }
  for (const kind of NUMBERS) tell(`${kind}, p50`, of(embedded.timed, kind).p50, AIM_NUMBERS_MS, "ms");
  if (parts <= LONGEST_AIM_PARTS)
    tell("longest", Math.max(...embedded.timed.map(({ milliseconds }) => milliseconds)), AIM_LONGEST_MS, "ms");
  const aims = AIMS_BY_PARTS[parts];
  if (!aims) return all;
  tell("build and switch", embedded.indexingSeconds + embedded.switchingSeconds, aims.build, "s");
  tell("memory above rest", embedded.residentMegabytes, aims.memory, "MB");
  return all;
}
