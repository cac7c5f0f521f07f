import { hasObjectStoreCode } from "@partline/durable";
import type { ReadingDocument } from "../collections.ts";
import type { PageFindings } from "@partline/manual-reader";
import { ACTIVE } from "../readings.ts";
import type { PageError } from "../resources.ts";
import { type PageCounts, keepPage, keepRange, NOTHING } from "../results/page-results.ts";
import type { WorkDeps } from "./work-deps.ts";
import { listOutstandingRanges, getRangePages, findNextRange, countRanges } from "./ranges.ts";
import { type WorkItem, enqueueWork } from "./work-item.ts";

/** Checks a file, keeps its facts and queues its first ranges in one batch. */
export async function openFile(
  { reading: id }: WorkItem & { kind: "open" },
  { readings, failReading, copies, reader, recogniser, wake }: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const reading = await readings.find(id);
  if (!reading || !ACTIVE.includes(reading.status) || reading.pages !== undefined) return;
  // What an idle one holds is as much as the file takes.
  recogniser.rest();
  try {
    const opened = await copies.use(reading.sha256, (path) => reader.open(path, { signal }));
    if ("refused" in opened) {
      const { reason, code } = opened.refused;
      await failReading(id, reason, FILE_ERRORS[code]);
      return;
    }
    const { pages, title, author, chapters } = opened;
    await readings.change(
      id,
      { status: "queued" },
      { $set: { status: "processing", pages, title, author, chapters, startedAt: new Date() } },
      listOutstandingRanges(pages, []).map((range) => enqueueWork({ kind: "range", reading: id, range })),
    );
    wake();
  } catch (error) {
    if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
    await failReading(id, "The file is not in the object store any more", "missing");
  }
}

const FILE_ERRORS = {
  NOT_A_PDF: "not_a_pdf",
  EMPTY: "empty",
  ENCRYPTED: "encrypted",
  DAMAGED: "damaged",
  TOO_MANY_PAGES: "too_many_pages",
} as const;
const PAGE_ERRORS = { DAMAGED: "damaged", TIMEOUT: "timeout", MEMORY: "memory", CRASHED: "crashed" } as const;

/** Pages that could not be read. */
type LostPages = ReadonlyMap<number, { reason: string; code: PageError }>;

type RangeItem = WorkItem & { kind: "range" };

/** Reads and keeps a range, then counts it and queues the next. */
export async function readRange(item: RangeItem, deps: WorkDeps, signal: AbortSignal): Promise<void> {
  const { readings, objects, copies, reader, counts } = deps;
  const reading = await readings.find(item.reading);
  if (reading?.status !== "processing") return;
  if (reading.done.includes(item.range)) return queueAssembly(reading, deps);
  const { sha256, pages = 0 } = reading;
  const { from, to } = getRangePages(item.range, pages);
  const findings: PageFindings[] = [];
  const lost = new Map<number, { reason: string; code: PageError }>();
  const totals = { ...NOTHING };
  await copies.use(sha256, (path) =>
    reader.read(
      path,
      from,
      to,
      async (page) => {
        signal.throwIfAborted();
        if ("failed" in page) {
          const { reason, code } = page.failed;
          return void lost.set(page.page, { reason, code: PAGE_ERRORS[code] });
        }
        const pageCounts = await keepPage(objects, sha256, page);
        findings.push(page.findings);
        for (const what of Object.keys(pageCounts) as (keyof PageCounts)[]) totals[what] += pageCounts[what];
      },
      { signal },
    ),
  );
  await keepRange(objects, sha256, item.range, findings);
  if (!(await settle(item, pages, { found: totals, lost }, deps))) return;
  counts.pagesRead += findings.length;
  counts.pagesLost += lost.size;
}

/** Gives up a range. */
export async function loseRange(item: RangeItem, reason: string, deps: WorkDeps): Promise<void> {
  const reading = await deps.readings.find(item.reading);
  if (reading?.status !== "processing") return;
  const { from, to } = getRangePages(item.range, reading.pages!);
  const lost: LostPages = new Map(
    Array.from({ length: to - from + 1 }, (_, index) => [from + index, { reason, code: "given_up" }]),
  );
  if (await settle(item, reading.pages!, { found: NOTHING, lost }, deps)) deps.counts.pagesLost += lost.size;
}

/** Counts a range once; false if it was counted or nobody waits. */
async function settle(
  { reading: id, range }: RangeItem,
  pages: number,
  { found, lost }: { found: PageCounts; lost: LostPages },
  deps: WorkDeps,
): Promise<boolean> {
  const { readings } = deps;
  const { from, to } = getRangePages(range, pages);
  const next = findNextRange(range, pages);
  const isCounted = await readings.change(
    id,
    { status: "processing", done: { $ne: range } },
    {
      $push: { done: range },
      $inc: { readPages: to - from + 1, ...found },
      $set: {
        ...Object.fromEntries([...lost].map(([page, { reason }]) => [`lost.p${page}`, reason])),
        ...Object.fromEntries([...lost].map(([page, { code }]) => [`lostCodes.p${page}`, code])),
      },
    },
    next === undefined ? [] : [enqueueWork({ kind: "range", reading: id, range: next })],
  );
  const reading = await readings.find(id);
  if (reading?.status === "processing") await queueAssembly(reading, deps);
  deps.wake();
  return isCounted;
}

/** Queues the assembly once all ranges are done. Several may see that: the key makes it one task. */
async function queueAssembly({ _id, pages = 0, done }: ReadingDocument, { queue }: WorkDeps): Promise<void> {
  if (done.length === countRanges(pages)) await queue([enqueueWork({ kind: "assemble", reading: _id })]);
}
