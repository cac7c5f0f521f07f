/**
 * Run as a process of its own: fills one engine with generated parts and prints what that took; for each line of its
 * input it asks the mixed queries and prints how long each took. Arguments: the engine, how many parts, the file of the
 * queries.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import type { MixedQuery } from "../generated-catalog/queries.ts";
import { generatedRows } from "../generated-catalog/price-rows.ts";
import { indexDocument } from "../index-documents.ts";
import { openEngine, type EngineName } from "../search-engines/engine.ts";
import type { Timed } from "./latencies.ts";

export interface EngineFigures {
  name: string;
  indexingSeconds: number;
  switchingSeconds: number;
  /** Beyond what the process had before. The heap is that of the main thread. */
  residentMegabytes: number;
  heapMegabytes: number;
  fileMegabytes: number | null;
  /** Queries that find something. */
  found: number;
}

const BULK = 2_000;
const WARM_UP_ROUNDS = 2;
const MEGABYTE = 2 ** 20;

const orphaned = new AbortController();
process.once("disconnect", () => orphaned.abort());
process.channel?.unref();

/** One query in a turn of the event loop, as they come to a node that has little to do. */
const nextTurn = async (): Promise<void> => {
  await setImmediate();
  orphaned.signal.throwIfAborted();
};

const [name, total, file] = process.argv.slice(2) as [EngineName, string, string];
const queries = JSON.parse(readFileSync(file, "utf8")) as MixedQuery[];
const engine = await openEngine(name);
try {
  const valueBefore = memory();
  const { indexing, switching } = await engine.load(batches(Number(total)));
  const after = memory();
  // A node that runs has compiled what it runs.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await askAll();
  const { found } = await askAll();
  const bytes = engine.fileSize();
  const figures: EngineFigures = {
    name: engine.name,
    indexingSeconds: indexing / 1_000,
    switchingSeconds: switching / 1_000,
    residentMegabytes: after.resident - valueBefore.resident,
    heapMegabytes: after.heap - valueBefore.heap,
    fileMegabytes: bytes === undefined ? null : bytes / MEGABYTE,
    found,
  };
  print(figures);
  for await (const _ of createInterface({ input: process.stdin })) print((await askAll()).timed);
} finally {
  await engine.close();
}

function print(value: EngineFigures | Timed[]): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function askAll(): Promise<{ timed: Timed[]; found: number }> {
  const timed: Timed[] = [];
  let hitCount = 0;
  for (const { kind, query } of queries) {
    await nextTurn();
    const startedAt = performance.now();
    const page = await engine.search(query);
    timed.push({ kind, milliseconds: performance.now() - startedAt });
    hitCount += page.total > 0 ? 1 : 0;
  }
  return { timed, found: hitCount };
}

function* batches(count: number): Iterable<IndexDocument[]> {
  let batch: IndexDocument[] = [];
  for (const { vendor, row } of generatedRows(count)) {
    batch.push(indexDocument(vendor, row));
    if (batch.length < BULK) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function memory(): { resident: number; heap: number } {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss / MEGABYTE, heap: heapUsed / MEGABYTE };
}
