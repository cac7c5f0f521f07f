import type { Result } from "@partline/api-contracts";
import type { DocumentStore, TaskRun } from "@partline/durable";
import type { Actions } from "../contracts.ts";
import { getPartsCollection } from "./collections.ts";
import type { Observation, PartDocument } from "./part.ts";
import { learn, type PartWriter } from "./part-writer.ts";
import { findPartsById } from "./part-prices.ts";
import type { PartReader } from "./part-reader.ts";
import type { SeenParts } from "./seen-parts.ts";
import { createRemark } from "./remarks.ts";
import { writePage, type SyncPage, type SyncRecord } from "./syncs/records.ts";
import { withSupplierRetry, SYNC_RETRY, type RetryPolicy } from "./suppliers/retry.ts";
import type { SyncEnding, SyncWork } from "./syncs/sync-runner.ts";
import { DEFAULT_VENDORS } from "./vendors.ts";

export type InquiredPart = Result<Actions["dis-router.inquire"]>["parts"][number];

export interface Asking {
  /** Current price and stock, in the order asked. */
  inquire: (parts: { vendor: string; partNumber: string }[]) => Promise<InquiredPart[]>;
  /** The router could not be asked: the page's parts count as failed. */
  onError: (error: unknown) => void;
  retry?: RetryPolicy;
}

export interface RefreshDeps extends Asking {
  documents: DocumentStore;
  writer: PartWriter;
  readRecord: (syncId: string) => Promise<SyncRecord>;
}

const PASSING = new Set<InquiredPart["error"]>(["timed_out", "unavailable", "busy", "circuit_open"]);

export const REFRESH_PAGE = 50;

/**
 * Returns what asks the dealer about a page of parts. A dealer in trouble is waited for; after a page that failed, the
 * next ones wait only once until the dealer answers again: an outage costs minutes, not the whole time.
 */
function pageInquiry(
  { inquire, onError, retry = SYNC_RETRY }: Asking,
  within: { deadline: Date; signal: AbortSignal },
) {
  let { pauses } = retry;
  return async (page: readonly PartDocument[]): Promise<InquiredPart[]> => {
    const parts = page.map(({ manufacturer, partNumber }) => ({ vendor: manufacturer.code, partNumber }));
    const ask = (): Promise<InquiredPart[] | void> => inquire(parts).catch(onError);
    const answers = await withSupplierRetry(ask, isPassing, { ...retry, pauses, ...within });
    pauses = isPassing(answers) ? Math.min(1, retry.pauses) : retry.pauses;
    return answers ?? [];
  };
}

/** Asks the dealer about every part of a vendor, one page at a time, by id. Parts that fail stay as they are. */
export function createRefresh({ documents, writer, readRecord, ...asking }: RefreshDeps): SyncWork {
  return async (sync) => {
    const { record, signal } = sync;
    const vendor = DEFAULT_VENDORS.getByCode(record.vendor);
    const parts = documents.collection<PartDocument>(getPartsCollection(vendor.code));
    let cursor = record.cursor ?? "";
    let isLate = false;
    const ask = pageInquiry(asking, { deadline: record.deadline, signal });
    for (;;) {
      signal.throwIfAborted();
      const page = await parts.find({ _id: { $gt: cursor } }, { sort: { _id: 1 }, limit: record.pageSize });
      if (page.length === 0) break;
      isLate = record.deadline <= new Date();
      if (isLate) break;
      cursor = page.at(-1)!._id;
      const answers = await ask(page);
      const observations = new Map<string, Observation>();
      const problems: SyncPage["problems"] = [];
      for (const [index, { _id, partNumber }] of page.entries()) {
        const word = toObservation(answers[index]);
        if (word) observations.set(_id, word);
        else {
          const code = answers[index]?.error ?? "unavailable";
          problems.push({ item: partNumber, reason: code, code });
        }
      }
      const foundParts = [...observations].filter(([, observation]) => observation.found);
      await writer.observe(vendor, observations, (_outcome, ids) => {
        const writtenCount = foundParts.filter(([id]) => ids.has(id)).length;
        const $inc = {
          "pages.done": 1,
          "rows.read": page.length,
          "rows.written": writtenCount,
          "rows.unchanged": foundParts.length - writtenCount,
          "rows.notFound": observations.size - foundParts.length,
          "rows.failed": problems.length,
        };
        const failed = problems.length > 0 ? [writePage(record, { _id: `${record._id}:${cursor}`, problems })] : [];
        return [...sync.updateProgress({ $inc, $set: { cursor } }), ...failed];
      });
    }
    const { rows } = await readRecord(record._id);
    const notes = isLate ? [createRemark("time_over_before_parts")] : [];
    if (rows.read > 0 && rows.failed === rows.read) return { status: "failed", notes: [createRemark("dealer_silent")] };
    const status: SyncEnding["status"] = rows.failed > 0 || isLate ? "partially_failed" : "completed";
    return { status, notes, changed: rows.written + rows.notFound > 0 };
  };
}

function isPassing(answers: readonly InquiredPart[] | void): boolean {
  return !answers || answers.some(({ error }) => PASSING.has(error));
}

/** Undefined if there is none; an earlier value that stands in is no news. */
function toObservation(answer: InquiredPart | undefined) {
  if (answer?.error !== null) return undefined;
  const { found: isFound, saidAt, ...values } = answer;
  // A router of an earlier version does not say when.
  return { ...values, found: isFound === true, saidAt: saidAt ?? new Date() };
}

/**
 * Records what the dealer answered about the parts, in their order. @returns the ids of those that it answered about
 */
export async function learnAnswers(
  { writer, seen: seenParts }: { writer: PartWriter; seen: Pick<SeenParts, "markTold"> },
  parts: readonly PartDocument[],
  answers: readonly InquiredPart[],
): Promise<string[]> {
  await learn(
    writer,
    answers.flatMap((answer) => toObservation(answer) ?? []),
  );
  const ids = parts.flatMap(({ _id }, index) => (answers[index]?.error === null ? [_id] : []));
  seenParts.markTold(ids);
  return ids;
}

interface SeenRefreshDeps extends Asking {
  documents: Pick<DocumentStore, "atomically">;
  reader: PartReader;
  writer: PartWriter;
  seen: Pick<SeenParts, "markTold" | "page">;
  timeoutSeconds: number;
}

/**
 * Returns the work that asks the dealer about the parts that were seen, one page at a time, by id, from where an
 * earlier run was left. It resolves to whether the dealer answered about any; if its time is over, to where the next
 * run begins.
 */
export function createSeenRefresh({
  documents,
  reader,
  writer,
  seen: seenParts,
  timeoutSeconds,
  ...asking
}: SeenRefreshDeps) {
  return async ({ signal, held, progress }: TaskRun, from = ""): Promise<boolean | string> => {
    const deadline = new Date(Date.now() + timeoutSeconds * 1_000);
    const ask = pageInquiry(asking, { deadline, signal });
    const startCursor = typeof progress?.after === "string" ? progress.after : from;
    let after = startCursor;
    let askedCount = 0;
    let answeredCount = 0;
    for (;;) {
      signal.throwIfAborted();
      const ids = await seenParts.page(after, REFRESH_PAGE);
      if (ids.length === 0) return askedCount === 0 || answeredCount > 0;
      // Nothing was learnt of these parts: they are asked about again.
      if (deadline <= new Date()) return answeredCount > 0 ? after : startCursor;
      const page = (await findPartsById(reader, ids)).filter((part) => part !== undefined);
      const learnt = page.length === 0 ? [] : await learnAnswers({ writer, seen: seenParts }, page, await ask(page));
      askedCount += page.length;
      answeredCount += learnt.length;
      after = ids.at(-1)!;
      await documents.atomically([held({ after })]);
    }
  };
}
