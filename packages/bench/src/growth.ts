/**
 * How the cost of operations grows with the rows of the store: the lower quartile of its times at each size, and the
 * exponent that fits cost = a × rows^b. `npm run bench -- growth [--rows 1e3,1e4,1e5] [--store embedded|mongo] [WORD
 * ...]`; a word takes the operations whose family or name has it. A size whose filling would take more than a minute is
 * left out. Ends with 1, and the names, where an exponent exceeds its aim.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { getFrom } from "../../toolkit/src/get-at.ts";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";
import { testSettings } from "../../../test/support/test-settings.ts";
import { usedMemory } from "../../../test/support/used-memory.ts";
import { catalog } from "./support/growth/catalog.ts";
import { events } from "./support/growth/events.ts";
import { AIMS, type Family, type Place } from "./support/growth/family.ts";
import { fitExponent, measureCost, type Point } from "./support/growth/fit.ts";
import { fitment } from "./support/growth/fitment.ts";
import { orders } from "./support/growth/orders.ts";
import { work } from "./support/growth/work.ts";
import { printTable } from "./support/table.ts";

const FAMILIES: readonly Family[] = [orders, events, catalog, fitment, work];
const LONGEST_FILL_MS = 60_000;
/** By so much an exponent may exceed its aim: times on a shared machine vary by a third. */
const NOISE = 0.1;
const MEGABYTE = 2 ** 20;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: "string", default: "1e3,1e4,1e5" }, store: { type: "string", default: "embedded" } },
});
const sizes = values.rows.split(",").map(Number);
const isMongo = values.store === "mongo";
if (sizes.some((size) => !Number.isInteger(size) || size < 1)) fail("--rows takes numbers: 1e3,1e4,1e5");
if (!isMongo && values.store !== "embedded") fail("--store is embedded or mongo");
if (isMongo && !process.env.MONGO_URL) fail("--store mongo needs MONGO_URL");

// Settings of the services make folders too.
const directory = await mkdtemp(join(tmpdir(), "growth-bench-"));
process.env.TMPDIR = directory;
const exceeding: string[] = [];
for (const family of FAMILIES) {
  const names = Object.keys(family.kinds).filter(
    (name) => words.length === 0 || words.some((word) => `${family.name} ${name}`.includes(word)),
  );
  if (names.length > 0) await measureFamily(family, names);
}
if (exceeding.length > 0) {
  console.log(`\nBeyond the aim: ${exceeding.join("; ")}`);
  process.exitCode = 1;
}
await rm(directory, { recursive: true, force: true });
// Sandboxes and timers of the services hold a process.
process.exit();

async function measureFamily({ name: familyName, kinds, fill, open }: Family, names: readonly string[]): Promise<void> {
  const points = new Map<string, Point[]>(names.map((name) => [name, []]));
  const memory: Point[] = [];
  const usedSizes: number[] = [];
  let fillMs = 0;
  for (const rows of sizes) {
    const factor = rows / (usedSizes.at(-1) ?? rows);
    if (fillMs * factor > LONGEST_FILL_MS) {
      console.log(`${familyName}: ${rows} rows would take longer than a minute to fill`);
      break;
    }
    const place = await openPlace();
    const startedAt = performance.now();
    await fill(place, rows);
    fillMs = performance.now() - startedAt;
    const bytesBefore = usedMemory();
    const { operations, close } = await open(place, rows);
    for (const [name, operation] of Object.entries(operations))
      points.get(name)?.push({ rows, cost: await measureCost(operation) });
    memory.push({ rows, cost: Math.max(0.1, (usedMemory() - bytesBefore) / MEGABYTE) });
    usedSizes.push(rows);
    await close();
    await place.documents.close();
    await rm(place.settings.dataDir, { recursive: true, force: true });
  }
  const lines = [...points].map(([name, costs]): (string | number)[] => {
    const kind = getFrom(new Map(Object.entries(kinds)), name);
    const exponent = fitExponent(costs);
    if (exponent !== undefined && exponent > AIMS[kind] + NOISE)
      exceeding.push(`${familyName}, ${name} (${exponent.toFixed(2)}, aim ${AIMS[kind]})`);
    return [name, ...costs.map(({ cost }) => cost), formatExponent(exponent), kind, AIMS[kind]];
  });
  lines.push(["memory, MB", ...memory.map(({ cost }) => cost), formatExponent(fitExponent(memory)), "reported", ""]);
  printTable(
    `${familyName}, ${isMongo ? "MongoDB" : "embedded"}: lower quartile in ms, by rows (aim: exponents of look-ups at most ` +
      `${AIMS["look-up"]}, of writes ${AIMS.write}, of counts and rebuilds ${AIMS.count}; ${NOISE} for noise)`,
    ["", ...usedSizes.map((rows) => rows.toLocaleString("en-US")), "exponent", "kind", "aim"],
    lines,
  );
}

async function openPlace(): Promise<Place> {
  const DATA_DIR = await mkdtemp(join(directory, "store-"));
  const settings = testSettings({ DATA_DIR, ...(isMongo ? { MONGO_URL: mongoTestUrl("growth") } : {}) });
  const documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl });
  return { documents, settings };
}

function formatExponent(exponent: number | undefined): string {
  return exponent?.toFixed(2) ?? "";
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
