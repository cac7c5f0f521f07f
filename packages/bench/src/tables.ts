/**
 * The tables of every PDF in a folder, as the corpus' scorer reads them. `npm run bench -- tables DIR OUT.json`, then
 * `python3 score_tables.py DIR OUT.json`. `npm run bench -- tables DIR` scores them itself, by layout, and each document
 * by the numbers that do best on the others.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tellLeftOut } from "./support/tables/left-out.ts";
import { createPdfReader } from "../../manual-reader/src/pdf/reader.ts";

const [folder, output] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: npm run bench -- tables DIR [OUT.json]");
  process.exit(1);
}
if (!output) {
  await tellLeftOut(folder);
  process.exit(0);
}

const reader = createPdfReader();
const results: Record<string, { pages: number; tables: string[][][] }> = {};
const startedAt = performance.now();
await Promise.all(
  readdirSync(folder)
    .filter((name) => name.toLowerCase().endsWith(".pdf"))
    .map(async (name) => {
      const file = join(folder, name);
      const opened = await reader.open(file);
      if ("refused" in opened) {
        console.log(`${name}: ${opened.refused.reason}`);
        return;
      }
      const tables: string[][][] = [];
      await reader.read(file, 1, opened.pages, (page) => {
        if ("failed" in page) console.log(`${name}, page ${page.page}: ${page.failed.reason}`);
        else tables.push(...page.findings.tables.map(({ rows }) => rows));
      });
      results[name] = { pages: opened.pages, tables };
    }),
);
await reader.close();
writeFileSync(output, JSON.stringify(results));
const tableResults = Object.values(results);
console.log(
  `${tableResults.reduce((sum, { tables }) => sum + tables.length, 0)} tables on ${tableResults.reduce((sum, { pages }) => sum + pages, 0)} pages of ${tableResults.length} files, in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
);
