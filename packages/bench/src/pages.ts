/**
 * Pages a second for text, parts and tables (images as WebP too), beside what pdftotext, where it is installed, and
 * pdf-parse take for the text alone; memory, and how late the event loop is, while a system that `npm start` made reads
 * a manual of 1,000 pages; and, with MONGO_URL and NATS_URL, how much faster two nodes read two manuals than one, each
 * with a processor of its own. `npm run bench -- pages [DIR]`: generated manuals, and the PDFs of a folder.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateManual } from "./support/generators/manuals/generate.ts";
import { OpeningPdf } from "../../manual-reader/src/pdf/opening.ts";
import { createPdfReader } from "../../manual-reader/src/pdf/reader.ts";
import { childrenOf } from "../../../test/support/children.ts";
import { readByNodes } from "./support/manuals/by-nodes.ts";
import { readByService } from "./support/manuals/by-service.ts";
import { printTable } from "./support/table.ts";

const AIM_PAGES = 80;
const AIM_MB = 600;
const AIM_LATE_MS = 50;
/** As many as the pipeline takes at once. */
const RANGE = 10;
/** A figure takes this many pages, with the prose between. */
const PAGES_A_FIGURE = 1.25;

interface Counted {
  pages: number;
  failed: number;
}

interface Measured extends Counted {
  seconds: number;
  /** Processor time of this process and its readers: it does not count what other programs take. */
  processorSeconds: number;
  /** Resident, of this process and those that read for it. */
  mostMb: number;
}

if (process.argv[2] === "generate") {
  const [, , , path, pages] = process.argv;
  writeFileSync(
    path!,
    (await generateManual(`${pages} pages`, { figures: Math.ceil(Number(pages) / PAGES_A_FIGURE) })).pdf,
  );
} else await measureAll(process.argv[2]);

async function measureAll(folder: string | undefined): Promise<void> {
  const long = generated(1_000);
  const sets: [string, string[]][] = [
    ["a manual of about 1,000 pages", [long]],
    ["20 manuals of about 20 pages", Array.from({ length: 20 }, (_, n) => generated(18 + (n % 5)))],
    ...(folder
      ? [
          [
            `the PDFs of ${folder}`,
            readdirSync(folder)
              .filter((name) => name.endsWith(".pdf"))
              .map((name) => join(folder, name)),
          ] as [string, string[]],
        ]
      : []),
  ];
  const reader = createPdfReader();
  const ours: Measured[] = [];
  for (const [, files] of sets) ours.push(await watched(() => readAll(reader, files)));
  await reader.close();
  for (const [n, [name, files]] of sets.entries()) {
    const mine = ours[n]!;
    const rows: [string, Measured | undefined][] = [
      [`text, parts, tables and images, ${availableParallelism()} processes`, mine],
      ["pdf-parse getText, text alone", await watched(() => parseAll(files))],
      ["pdftotext -layout, text alone", await watched(() => Promise.resolve(pdftotextAll(files, mine.pages)))],
    ];
    printTable(
      `${name}: ${mine.pages} pages (aim: at least ${AIM_PAGES} a second)`,
      ["", "pages/s", "pages/s of one processor", "pages that failed", "MB resident at most"],
      rows.map(([title, measured]) =>
        measured && measured.pages > 0
          ? [
              title,
              measured.pages / measured.seconds,
              measured.pages / measured.processorSeconds,
              measured.failed,
              measured.mostMb,
            ]
          : [title, "-", "-", "-", "-"],
      ),
    );
  }
  const slowest = Math.min(...ours.map(({ pages, seconds }) => pages / seconds));
  const service = await readByService(long);
  printTable(
    "the long one, uploaded to a system of all services in one process, without OCR " +
      `(aim: under ${AIM_MB} MB, event loop less than ${AIM_LATE_MS} ms late)`,
    ["", "pages/s", "MB at rest", "MB at most, with all that read for it", "event loop late, p99 ms"],
    [["a system", service.pages / service.seconds, service.mbAtRest, service.mostMb, service.lateMs]],
  );
  const nodes =
    process.env.MONGO_URL && process.env.NATS_URL && availableParallelism() > 1
      ? await readByNodes([generated(200), generated(201)])
      : undefined;
  if (nodes) {
    printTable(
      "two manuals of about 200 pages, each node on a processor of its own",
      ["", "seconds", "times as fast"],
      [
        ["one node", nodes.one, 1],
        ["two nodes", nodes.two, nodes.one / nodes.two],
      ],
    );
  }
  const aims = [
    [`At least ${AIM_PAGES} pages a second`, slowest >= AIM_PAGES],
    [`Under ${AIM_MB} MB`, service.mostMb < AIM_MB],
    [`Event loop less than ${AIM_LATE_MS} ms late`, service.lateMs < AIM_LATE_MS],
  ] as const;
  for (const [aim, holds] of aims) console.log(`${aim}: ${holds ? "holds" : "does not hold"}.`);
  if (aims.some(([, holds]) => !holds)) process.exitCode = 1;
}

/** In a process of its own: what it takes is not counted. */
function generated(pages: number): string {
  const path = join(mkdtempSync(join(tmpdir(), "partline-bench-")), `manual-${pages}.pdf`);
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), "generate", path, String(pages)],
    { stdio: "inherit" },
  );
  if (status !== 0) throw new Error("No manual was generated");
  return path;
}

async function watched(work: () => Promise<Counted>): Promise<Measured> {
  let mostMb = 0;
  const spentBefore = new Map(childrenOf(process.pid).map(({ pid, seconds }) => [pid, seconds]));
  const spent = new Map<number, number>();
  const look = (): void => {
    const readers = childrenOf(process.pid);
    for (const { pid, seconds } of readers) spent.set(pid, seconds - (spentBefore.get(pid) ?? 0));
    mostMb = Math.max(
      mostMb,
      process.memoryUsage.rss() / 1_048_576 + readers.reduce((sum, { residentMb }) => sum + residentMb, 0),
    );
  };
  const timer = setInterval(look, 100);
  const startedAt = performance.now();
  const usageBefore = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(usageBefore);
  look();
  clearInterval(timer);
  return {
    ...done,
    seconds: (performance.now() - startedAt) / 1_000,
    processorSeconds: (user + system) / 1_000_000 + [...spent.values()].reduce((sum, seconds) => sum + seconds, 0),
    mostMb,
  };
}

async function readAll(reader: ReturnType<typeof createPdfReader>, files: readonly string[]): Promise<Counted> {
  let pages = 0;
  let failed = 0;
  await Promise.all(
    files.map(async (file) => {
      const opened = await reader.open(file);
      if ("refused" in opened) return;
      pages += opened.pages;
      const starts = Array.from({ length: Math.ceil(opened.pages / RANGE) }, (_, n) => n * RANGE + 1);
      await Promise.all(
        starts.map((from) =>
          reader.read(
            file,
            from,
            Math.min(opened.pages, from + RANGE - 1),
            (page) => void (failed += "failed" in page ? 1 : 0),
          ),
        ),
      );
    }),
  );
  return { pages, failed };
}

async function parseAll(files: readonly string[]): Promise<Counted> {
  let pages = 0;
  for (const file of files) {
    const parser = new OpeningPdf({ data: new Uint8Array(readFileSync(file)) });
    pages += (await parser.getText()).total;
    await parser.destroy();
  }
  return { pages, failed: 0 };
}

function pdftotextAll(files: readonly string[], pages: number): Counted {
  const isThere = files.every(
    (file) => spawnSync("pdftotext", ["-layout", file, "-"], { maxBuffer: 1_000_000_000 }).error === undefined,
  );
  return { pages: isThere ? pages : 0, failed: 0 };
}
