import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../../../../bin/node-options.mjs";
import { commonQueries, type MixedQuery, type QueryKind } from "../generated-catalog/queries.ts";
import { sandboxDocuments } from "../index-documents.ts";
import { readJudgedQueries } from "../relevance/judged-queries.ts";
import { computeMean, scoreEngine } from "../relevance/score.ts";
import type { EngineName } from "../search-engines/engine.ts";
import { median } from "../statistics.ts";
import { printTable } from "../table.ts";
import { latencyRows, percentiles, type Timed } from "./latencies.ts";
import { talkTo, type Talker } from "./limited-child.ts";
import type { EngineFigures } from "./measure-engine.ts";
import { judgedAs } from "./mix.ts";
import { openTantivy } from "./tantivy.ts";

const QUERIES_FILE = "queries.json";
/** In turns with Tantivy: a machine that is slower for a minute is so for both. */
const ROUNDS = 5;
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

interface Measured extends EngineFigures {
  rounds: Timed[][];
}

/**
 * Each engine in a process of its own, one after another, with the same parts and queries; the embedded one in turns
 * with Tantivy. One that breaks its limits has no row.
 * @returns whether all aims hold
 */
export async function compareEngines(
  names: readonly EngineName[],
  parts: number,
  mix: readonly MixedQuery[],
): Promise<boolean> {
  const queries = [...mix, ...commonQueries()];
  const directory = mkdtempSync(join(tmpdir(), "partline-bench-search-"));
  const file = join(directory, QUERIES_FILE);
  const measured = new Map<EngineName, Measured>();
  let tantivy: { indexingSeconds: number; rounds: Timed[][] } | undefined;
  try {
    writeFileSync(file, JSON.stringify(queries));
    for (const name of names) {
      try {
        const engine = await openEngineProcess(name, parts, file, directory);
        const rival = name === "embedded" ? await openTantivy(parts, file, { ...LIMITS, directory }) : undefined;
        const { rounds, others } = await askedInRounds(engine, rival);
        measured.set(name, { ...engine.ready, rounds });
        if (rival) tantivy = { ...rival.ready, rounds: others };
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
  const rows = timed.map((measurement) => latencyRows(measurement.rounds.flat()));
  printTable(
    `${size} parts, at the port, one query after another, ${ROUNDS} rounds, facets counted, 20 hits`,
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

type Asked = Talker<unknown, Timed[]>;

async function askedInRounds(engine: Asked, rival?: Asked): Promise<{ rounds: Timed[][]; others: Timed[][] }> {
  const [rounds, rivalRounds]: Timed[][][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds!.push(await engine.ask());
    if (rival) rivalRounds!.push(await rival.ask());
  }
  await engine.end();
  await rival?.end();
  return { rounds: rounds!, others: rivalRounds! };
}

function openEngineProcess(
  name: EngineName,
  parts: number,
  queriesFile: string,
  directory: string,
): Promise<Talker<EngineFigures, Timed[]>> {
  const path = fileURLToPath(new URL("./measure-engine.ts", import.meta.url));
  const flags = [...NODE_FLAGS, "--expose-gc", `--max-old-space-size=${LIMITS.megabytes}`];
  const child = spawn(process.execPath, [...flags, path, name, String(parts), queriesFile], {
    env: { ...NODE_ENVIRONMENT, ...process.env, TMPDIR: directory },
    // The channel carries nothing: it closes when this process ends in any way, and shows the child so.
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  return talkTo(child, name, LIMITS);
}

async function relevance(names: readonly EngineName[]): Promise<Map<EngineName, number>> {
  const documents = sandboxDocuments();
  const judged = await readJudgedQueries(documents);
  const hitCounts = new Map<EngineName, number>();
  for (const name of names)
    hitCounts.set(
      name,
      computeMean(await scoreEngine(name, documents, judged), ({ ndcg }) => ndcg),
    );
  return hitCounts;
}

/** Prints each aim. The longest query is the one whose median of the rounds is: a single time may be the machine's. */
function aimsHold(embedded: Measured, tantivy: { rounds: Timed[][] } | undefined, parts: number): boolean {
  let areAllRight = true;
  const tell = (name: string, value: number, aim: number, unit: string): void => {
    const holds = value <= aim;
    areAllRight &&= holds;
    console.log(`${name}: ${value.toFixed(2)} ${unit}, aim ${aim.toFixed(2)} ${holds ? "holds" : "does not hold"}`);
  };
  const computePercentiles = ({ rounds }: { rounds: Timed[][] }, kind: QueryKind): { p50: number; p99: number } =>
    percentiles(rounds.flat().filter((query) => query.kind === kind));
  const longest = ({ rounds }: { rounds: Timed[][] }): number =>
    Math.max(...rounds[0]!.map((_, query) => median(rounds.map((round) => round[query]!.milliseconds))));
  console.log("");
  for (const kind of BESIDE_TANTIVY) {
    if (!tantivy) break;
    const [ours, theirs] = [computePercentiles(embedded, kind), computePercentiles(tantivy, kind)];
    tell(`${kind}, p50`, ours.p50, theirs.p50 * AIM_BESIDE_TANTIVY, "ms");
    tell(`${kind}, p99`, ours.p99, theirs.p99 * AIM_BESIDE_TANTIVY, "ms");
  }
  for (const kind of NUMBERS) tell(`${kind}, p50`, computePercentiles(embedded, kind).p50, AIM_NUMBERS_MS, "ms");
  if (parts <= LONGEST_AIM_PARTS) tell("longest", longest(embedded), AIM_LONGEST_MS, "ms");
  const aims = AIMS_BY_PARTS[parts];
  if (!aims) return areAllRight;
  tell("build and switch", embedded.indexingSeconds + embedded.switchingSeconds, aims.build, "s");
  tell("memory above rest", embedded.residentMegabytes, aims.memory, "MB");
  return areAllRight;
}
