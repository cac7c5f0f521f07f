/**
 * From a machine to its parts with many models: how long makes, models while they are typed (also with slips), figures,
 * callouts and searches of an equipment take over HTTP, against a running node. `npm run bench -- fitment [MODELS]`,
 * 10,000 unless given.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { toFigureId } from "../../parts-search/src/fitment-index/figure-reader.ts";
import { toModelId } from "../../parts-search/src/fitment-index/model-names.ts";
import { createFitmentWriter } from "../../../services/ai/fitment/writer.ts";
import { randomFrom } from "./support/generators/random.ts";
import { generatedManuals, type MadeManual } from "./support/fitment/generated-manuals.ts";
import { generatedRows } from "./support/generated-catalog/price-rows.ts";
import { slip } from "./support/relevance/misspell.ts";
import { startFilledSystem } from "./support/search/filled-system.ts";
import { askAll, type Answered } from "./support/search/http.ts";
import { residentMegabytes } from "./support/search/limited-child.ts";
import { printAims } from "./support/split/aims.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const AIM_MS = 20;
const PARTS = 20_000;
const EACH = 300;
const CONNECTIONS = [1, 8];
/** Measured beside /api/fitment, and not judged: answers of up to 200 diagrams, and of the search service. */
const BESIDE = ["diagrams of a model", "a search of an equipment"];

const models = Number(process.argv[2] ?? 10_000);
const catalog = [...generatedRows(PARTS)];
const dataDir = await mkdtemp(join(tmpdir(), "partline-fitment-"));
const startedAt = performance.now();
const { made, rows } = await fill(dataDir);
const seconds = (performance.now() - startedAt) / 1_000;
const { system, end } = await startFilledSystem(PARTS, { DATA_DIR: dataDir });
try {
  const valueBefore = residentMegabytes(system.processes[0]!.pid!);
  const requests = requestsFor(made).map(({ kind, path }) => ({
    kind,
    requests: [{ method: "GET", url: `${system.url("gateway")}${path}` }],
  }));
  const opening = await askAll([requests.find(({ kind }) => kind === "models, typed")!], 1);
  await askAll(shuffled(requests).slice(0, 200), 1);
  const answered: Answered[] = [];
  for (const connections of CONNECTIONS) answered.push(await askAll(shuffled(requests), connections));
  const kinds = [...new Set(requests.map(({ kind }) => kind))];
  const listFigures = (kind: string | undefined): number[] =>
    answered.flatMap(({ timed }) => {
      const kindTimes = timed.filter((entry) => kind === undefined || entry.kind === kind);
      const sorted = Float64Array.from(kindTimes, ({ milliseconds }) => milliseconds).sort();
      return [percentile(sorted, 0.5), percentile(sorted, 0.95)];
    });
  const lines = [...kinds, undefined].map((kind) => [kind ?? "all", listFigures(kind)] as const);
  printTable(
    `${models.toLocaleString("en-US")} models, ${rows.toLocaleString("en-US")} rows (written in ${seconds.toFixed(0)} s; first question ${opening.timed[0]!.milliseconds.toFixed(0)} ms; the node is at ${residentMegabytes(system.processes[0]!.pid!).toFixed(0)} MB, ${valueBefore.toFixed(0)} before; ${answered.reduce((sum, { failed }) => sum + failed, 0)} failed)`,
    ["", ...CONNECTIONS.flatMap((count) => [`${count} connection${count === 1 ? "" : "s"} p50 ms`, "p95 ms"])],
    lines.map(([name, values]) => [name, ...values]),
  );
  const slowest = Math.max(
    ...lines.filter(([name]) => !BESIDE.includes(name) && name !== "all").map(([, values]) => values[1]!),
  );
  const allMet = printAims([
    {
      what: `p95 of the slowest kind but ${BESIDE.join(" and ")}, under ${AIM_MS} ms`,
      figure: slowest,
      isMet: slowest < AIM_MS,
      processors: 1,
    },
    {
      what: "requests that failed",
      figure: answered.reduce((sum, { failed }) => sum + failed, opening.failed),
      isMet: answered.every(({ failed }) => failed === 0),
      processors: 1,
    },
  ]);
  if (!allMet) process.exitCode = 1;
} finally {
  await end();
  await rm(dataDir, { recursive: true, force: true });
}

async function fill(folder: string): Promise<{ made: MadeManual["manual"][]; rows: number }> {
  const documents = await openDocumentStore({ dataDir: folder });
  const writer = createFitmentWriter(documents);
  const manuals: MadeManual["manual"][] = [];
  let rows = 0;
  for (const { manual, parts, drawn } of generatedManuals(models, catalog)) {
    const source = {
      async *readParts() {
        yield Promise.resolve(parts);
      },
    };
    await writer.write(manual, 1, source, { onlyOfPage: new Map(), serialsOfFigure: new Map(), drawn });
    manuals.push(manual);
    rows += parts.length;
  }
  await documents.close();
  return { made: manuals, rows };
}

/** As a shopper goes, each on another machine. */
function requestsFor(manuals: readonly MadeManual["manual"][]): { kind: string; path: string }[] {
  const random = randomFrom("machines");
  return Array.from({ length: EACH }).flatMap(() => {
    const { sha256, manufacturer, equipment, figures } = random.pick(manuals);
    const model = random.pick(equipment);
    const key = random.pick(figures).label;
    const text = (typed: string): string => encodeURIComponent(typed);
    return [
      ["makes", "/api/fitment/makes"],
      ["makes, with a slip", `/api/fitment/makes?q=${text(slip(random, manufacturer))}`],
      ["models of a make", `/api/fitment/models?make=${text(manufacturer)}`],
      ["all models, some page", `/api/fitment/models?page=${random.integer(1, models / 20)}`],
      ["models, typed", `/api/fitment/models?q=${text(model.slice(0, random.integer(1, model.length)))}`],
      ["models, typed with a slip", `/api/fitment/models?q=${text(slip(random, `${manufacturer} ${model}`))}`],
      ["models, amid words", `/api/fitment/models?q=${text(`blade for my ${model} mower`)}`],
      ["figures of a model", `/api/fitment/models/${toModelId({ equipment: model, manufacturer })}/figures`],
      ["a figure, its parts and callouts", `/api/fitment/figures/${toFigureId({ sha256, key })}?pageSize=100`],
      ["a page of a manual", `/api/manuals/${sha256}/pages/${random.pick(figures).page}`],
      ["diagrams of a model", `/api/ai/diagrams?model=${text(`${manufacturer} ${model}`)}`],
      ["a search of an equipment", `/api/search?equipment=${text(`${manufacturer} ${model}`)}`],
    ].map(([kind, path]) => ({ kind: kind!, path: path! }));
  });
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = randomFrom("turns");
  const left = [...values];
  return values.map(() => left.splice(random.integer(0, left.length - 1), 1)[0]!);
}
