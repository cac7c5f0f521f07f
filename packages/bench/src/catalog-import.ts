import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { importFile } from "../../../services/catalog/import-file.ts";
import { createPriceFile } from "../../../services/catalog/part-row.ts";
import { createPartWriter } from "../../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../../services/catalog/vendors.ts";
import { printTable } from "./support/table.ts";

/**
 * Rows a second of a price file that is imported into the embedded store (durable after each 250), the same file again
 * (nothing to write), and memory on the way: it must not grow with the file. `npm run bench -- catalog-import [ROWS]`,
 * 2,000,000 unless given.
 */
const rows = Number(process.argv[2] ?? 2_000_000);
const CHUNK = 500;
const MEGABYTE = 1_048_576;

const vendor = DEFAULT_VENDORS.getByCode("BNS");
const directory = await mkdtemp(join(tmpdir(), "catalog-import-bench-"));
const documents = await openDocumentStore({ dataDir: directory });
const writer = createPartWriter(documents);
const lines: (string | number)[][] = [];

for (const name of ["first import", "the same file again"]) {
  /** Resident megabytes after a tenth of the file, half of it, and all. */
  const resident: number[] = [];
  const marks = [0.1, 0.5, 1].map((share) => Math.floor((rows * share) / CHUNK) * CHUNK);
  const file = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from("part_number,title,description,category,list_price\n");
    for (let sentRows = 0; sentRows < rows; sentRows += CHUNK) {
      if (marks.includes(sentRows)) resident.push(process.memoryUsage().rss / MEGABYTE);
      const count = Math.min(CHUNK, rows - sentRows);
      yield Buffer.from(Array.from({ length: count }, (_, index) => row(sentRows + index)).join(""));
    }
    resident.push(process.memoryUsage().rss / MEGABYTE);
  };
  const started = performance.now();
  const { written, unchanged } = await importFile(createPriceFile(writer, vendor), "csv", file());
  const seconds = (performance.now() - started) / 1_000;
  lines.push([
    name,
    written,
    unchanged,
    seconds,
    rows / seconds,
    resident[0]!,
    resident[1]!,
    resident.at(-1)!,
    process.resourceUsage().maxRSS / 1_024,
  ]);
}
printTable(
  `${rows.toLocaleString("en-US")} rows`,
  ["", "written", "unchanged", "seconds", "rows/s", "MB at 10 %", "at 50 %", "at the end", "peak MB"],
  lines,
);
await documents.close();
await rm(directory, { recursive: true });

function row(n: number): string {
  return `${(n * 7_919) % 10_000_019}-${n},"Gasket, intake, number ${n}",Fits models of the ${n % 60} series,Gaskets & Seals,${(n % 9_000) / 100 + 1}\n`.replace(
    /(\.\d\d)\d+\n$/,
    "$1\n",
  );
}
