import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { importFile } from "../../../services/catalog/import-file.ts";
import { createCrossReferences } from "../../../services/catalog/interchange/cross-references.ts";
import { createInterchangeFile } from "../../../services/catalog/interchange/file.ts";
import { DEFAULT_VENDORS } from "../../../services/catalog/vendors.ts";
import { printTable } from "./support/table.ts";

/**
 * Rows a second of an interchange file that is imported into the embedded store, memory on the way, and how long it
 * takes to follow a number's references. `npm run bench -- interchange-import [ROWS]`, 2,000,000 unless given.
 */
const rows = Number(process.argv[2] ?? 2_000_000);
const CHUNK = 500;
const LOOK_UPS = 1_000;
const MEGABYTE = 1_048_576;
const VENDORS = ["KAW", "BNS", "Honda", "KOH", "Weaver", "WDS"];

const directory = await mkdtemp(join(tmpdir(), "interchange-import-bench-"));
const documents = await openDocumentStore({ dataDir: directory });
const references = createCrossReferences(documents);
const resident: number[] = [];
const marks = [0.1, 0.5, 1].map((share) => Math.floor((rows * share) / CHUNK) * CHUNK);

async function* file(): AsyncGenerator<Buffer> {
  yield Buffer.from("vendor,part_number,other_vendor,other_part_number,direction,source\n");
  for (let sentRows = 0; sentRows < rows; sentRows += CHUNK) {
    if (marks.includes(sentRows)) resident.push(process.memoryUsage().rss / MEGABYTE);
    const count = Math.min(CHUNK, rows - sentRows);
    yield Buffer.from(Array.from({ length: count }, (_, index) => row(sentRows + index)).join(""));
  }
  resident.push(process.memoryUsage().rss / MEGABYTE);
}

/** Each number has some three references, so that three steps lead to dozens of parts. */
function row(n: number): string {
  const [vendor, otherVendor] = [VENDORS[n % 6]!, VENDORS[(n + 1) % 6]!];
  return `${vendor},P-${n % 700_001},${otherVendor},P-${(n * 7_919) % 700_001},${n % 3 === 0 ? "one_way" : "both"},list ${n % 5}\n`;
}

const started = performance.now();
const { written, refusedTotal } = await importFile(createInterchangeFile(DEFAULT_VENDORS, references), "csv", file());
const seconds = (performance.now() - started) / 1_000;
printTable(
  `${rows.toLocaleString("en-US")} rows`,
  ["written", "refused", "seconds", "rows/s", "MB at 10 %", "at 50 %", "at the end", "peak MB"],
  [
    [
      written,
      refusedTotal,
      seconds,
      rows / seconds,
      resident[0]!,
      resident[1]!,
      resident.at(-1)!,
      process.resourceUsage().maxRSS / 1_024,
    ],
  ],
);

const took: number[] = [];
let reached = 0;
for (let n = 0; n < LOOK_UPS; n += 1) {
  const from = performance.now();
  reached += (await references.reach([{ pnNorm: `P${(n * 1_301) % 700_001}` }], "to")).length;
  took.push(performance.now() - from);
}
took.sort((a, b) => a - b);
printTable(
  "References of a number, three steps",
  ["parts", "p50 ms", "p99 ms"],
  [[reached / LOOK_UPS, took[LOOK_UPS / 2]!, took[Math.floor(LOOK_UPS * 0.99)]!]],
);
await documents.close();
await rm(directory, { recursive: true });
