/**
 * What is read of real documents, against the truth that a person made by eye. `npm run bench -- real DIR [failing]`:
 * DIR has `parts.tsv` (file, page, number, description, quantity) and, if there are, `noparts.tsv` (file, page),
 * `notparts.tsv` (file, page, text) and `altnumbers.tsv` (file, page, regex); the PDF files are in it or in its folder
 * `pdf`. With PYTHON, a Python that has pymupdf or pdfplumber, their tables are judged on the same pages.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { readFolder } from "./support/manuals/read-set.ts";
import { readPeerTables } from "./support/tables/peers.ts";
import {
  addScore,
  emptyScore,
  readTruth,
  type ReadRow,
  type RealScore,
  scoreFile,
} from "./support/manuals/score-real.ts";
import { printTable } from "./support/table.ts";

const [folder, ...words] = process.argv.slice(2);
if (!folder) {
  console.error("Usage: npm run bench -- real DIR [failing]");
  process.exit(1);
}
const truth = readTruth(folder);
const pdfs = existsSync(join(folder, "pdf")) ? join(folder, "pdf") : folder;

const ours = new Map<string, (page: number) => readonly ReadRow[]>();
for await (const { filename, pages } of readFolder(pdfs)) {
  const partsByPage = new Map(pages.map(({ page, parts }) => [page, parts]));
  ours.set(filename, (page) => partsByPage.get(page) ?? []);
}
tell("ours", ours, words.includes("failing"));
if (process.env.PYTHON) {
  for (const peer of ["pymupdf", "pdfplumber"]) {
    const peerPages = await readByPeer(process.env.PYTHON, peer);
    if (peerPages) tell(peer, peerPages, false);
    else console.log(`\n${peer} is not there.`);
  }
}

function tell(
  name: string,
  readings: ReadonlyMap<string, (page: number) => readonly ReadRow[]>,
  isFailing: boolean,
): void {
  const total = emptyScore();
  const rows = [...readings].map(([file, readPage]) => {
    const score = scoreFile(file, truth, readPage);
    addScore(total, score);
    if (isFailing) for (const remark of score.remarks) console.log(`${file} ${remark}`);
    return toRow(file, score);
  });
  printTable(
    `Parts of real documents, read by ${name}`,
    ["", "numbers", "right", "wrong", "recall", "precision", "names", "quantities", "no parts"],
    [...rows, toRow("all", total)],
  );
}

function toRow(name: string, score: RealScore): string[] {
  const share = (part: number, total: number): string => (total === 0 ? "-" : (part / total).toFixed(2));
  return [
    name,
    String(score.seen),
    String(score.right),
    String(score.extra),
    share(score.right, score.seen),
    share(score.right, score.right + score.extra),
    share(score.rightNames, score.names),
    share(score.rightQuantities, score.quantities),
    String(score.junk),
  ];
}

/** Undefined if that Python has no such library. */
async function readByPeer(python: string, peer: string): Promise<typeof ours | undefined> {
  const judged = Map.groupBy([...truth.rows, ...truth.without, ...truth.others], ({ file }) => file);
  const readings = new Map<string, (page: number) => readonly ReadRow[]>();
  for (const file of readdirSync(pdfs)
    .filter((name) => judged.has(name))
    .sort()) {
    const pages = [...new Set((judged.get(file) ?? []).map(({ page }) => page))];
    const tables = await runPeer(python, peer, join(pdfs, file), pages);
    if (!tables) return undefined;
    const partsByPage = new Map(pages.map((page, n) => [page, readPeerTables(tables[n] ?? [])]));
    readings.set(file, (page) => partsByPage.get(page) ?? []);
  }
  return readings;
}

async function runPeer(python: string, peer: string, file: string, pages: readonly number[]) {
  const script = join(import.meta.dirname, "support/manuals/peer_tables.py");
  try {
    const { stdout } = await promisify(execFile)(python, [script, peer, file, pages.join(",")], {
      maxBuffer: 64_000_000,
    });
    return JSON.parse(stdout) as string[][][][];
  } catch (error) {
    if (/ModuleNotFoundError/.test(String(error))) return undefined;
    throw error;
  }
}
