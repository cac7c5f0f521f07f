import type { AtomicWrite, DocumentStore } from "@partline/durable";
import { findHttpErrorDetails } from "@partline/http-client";
import { Remark } from "@partline/price-files";
import { createRemark, describeFailure, toReason } from "../remarks.ts";
import { getPartsCollection } from "../collections.ts";
import type { PartWriter } from "../part-writer.ts";
import type { PartDocument } from "../part.ts";
import type { OpenSupplier } from "../suppliers/open.ts";
import type { ListedPage } from "../suppliers/port.ts";
import { SYNC_RETRY, withSupplierRetry } from "../suppliers/retry.ts";
import type { Vendor } from "../vendors.ts";
import { writePage, SYNC_PAGES, type SyncPage, type SyncRecord } from "./records.ts";
import { resolveEnding, explainNotUnlisted } from "./ending.ts";
import { type PageFacts, PagePlan } from "./page-plan.ts";
import { readPage } from "./read-page.ts";
import type { HeldSync, SyncWork } from "./sync-runner.ts";

interface ListingSyncDeps {
  documents: DocumentStore;
  writer: PartWriter;
  suppliers: readonly OpenSupplier[];
  createSyncedEvent: (record: SyncRecord) => AtomicWrite;
  readRecord: (syncId: string) => Promise<SyncRecord>;
}

/** Specification, section 8. */
const PAGES_AT_ONCE = 3;
const PAGE_DEADLINE_MS = 120_000;
const BULK = 250;
/** Answers to a page beyond the last, of suppliers that do not send an empty one. */
const NO_SUCH_PAGE = new Set([400, 404, 410, 416, 422]);
const TIME_OVER = createRemark("time_over");

/**
 * Reads a whole listing, three numbered pages at once. Each page's parts are written with its record, so another
 * process can take over. A page that fails is recorded and skipped; in a listing by cursor it is the end.
 */
export function createListingSync(deps: ListingSyncDeps): SyncWork {
  const { documents, suppliers, writer } = deps;
  const pages = documents.collection<SyncPage>(SYNC_PAGES);

  return async (sync) => {
    const { record, signal } = sync;
    const supplier = suppliers.find(({ vendor }) => vendor.code === record.vendor);
    if (!supplier) return { status: "failed", notes: [createRemark("no_supplier")] };
    const { vendor } = supplier;
    const source = supplier.supplier.id;
    const plan = new PagePlan();
    const cursors = new Map<number, string>();
    const listed = new Set<string>();
    let unidentified = 0;
    let firstReason: Remark | undefined;
    let endUnseen: Remark | undefined;
    const onAnswered = (
      facts: Omit<PageFacts, "pageSize" | "totalPages">,
      { next, pageSize = Infinity, totalPages = 0 }: Pick<Partial<SyncPage>, "next" | "pageSize" | "totalPages">,
    ): void => {
      const { page } = facts;
      if (next) cursors.set(page + 1, next);
      // Cursors say whether a page follows: none is probed.
      const extent = { pageSize: Infinity, totalPages: next === null ? page : page + 1 };
      plan.recordPage({ ...facts, ...(next === undefined ? { pageSize, totalPages } : extent) });
    };
    const onFailed = (page: number, reason: Remark): void => {
      firstReason ??= reason;
      if (cursors.has(page)) endUnseen ??= reason;
    };
    for await (const storedPage of pages.iterate({ syncId: record._id }, { sort: { page: 1 } })) {
      const { page, reason, code = "unavailable", values = {} } = storedPage;
      const { items, listed: ids, unidentified: unread = 0 } = storedPage;
      plan.skip(page);
      if (reason !== undefined) onFailed(page, new Remark(code, values, reason));
      else onAnswered({ page, items, listed: ids.length, unidentified: unread }, storedPage);
      unidentified += unread;
      for (const id of ids) listed.add(id);
    }
    let announced = record.announced ?? 0;
    let isBroken = false;

    const takePage = async (page: number): Promise<void> => {
      const answer = await load(supplier, sync, page, cursors.get(page));
      if ("reason" in answer) {
        const { reason, isNoPage } = answer;
        if (plan.isProbe(page) && isNoPage) return;
        if (plan.isProbe(page) && !plan.isLonger) {
          // The page may not exist; or the total is too low, and parts that are sold are missing.
          endUnseen ??= reason;
          return;
        }
        onFailed(page, reason);
        await documents.atomically([
          ...sync.updateProgress({ $inc: { "pages.failed": 1 } }),
          writePage(record, { page, ...toReason(reason) }),
        ]);
        return;
      }
      const items = answer.items.length;
      const { news, ids, problems, repeated, unidentified: unread } = readPage(supplier.supplier, answer.items, listed);
      onAnswered({ page, items, listed: ids.length, unidentified: unread }, answer);
      announced = Math.max(announced, answer.total ?? 0);
      // A repetition behind the end.
      if (plan.isProbe(page) && repeated === items) return;
      unidentified += unread;
      const { next, pageSize = record.pageSize, totalPages = 0 } = answer;
      await writer.write(vendor, news, source, ({ written: writtenRows, unchanged }) => [
        ...sync.updateProgress({
          $inc: {
            "pages.done": 1,
            "rows.read": items,
            "rows.written": writtenRows,
            "rows.unchanged": unchanged,
            "rows.refused": problems.length,
            "rows.repeated": repeated,
          },
          $set: { announced, "pages.total": plan.total },
        }),
        writePage(record, { page, pageSize, totalPages, items, listed: ids, problems, unidentified: unread, next }),
      ]);
    };
    const takePages = async (): Promise<void> => {
      for (;;) {
        signal.throwIfAborted();
        const page = isBroken || record.deadline <= new Date() ? undefined : plan.next();
        if (page === undefined) return;
        await takePage(page).catch((error: unknown) => {
          isBroken = true;
          throw error;
        });
      }
    };

    // It has the total.
    const first = plan.next();
    if (first !== undefined) await takePage(first);
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, takePages));
    const outOfTime = cursors.size > 0 ? 0 : plan.rest();
    if (plan.next() !== undefined) endUnseen ??= TIME_OVER;
    const { pages: counted } = await deps.readRecord(record._id);
    if (counted.done === 0)
      return { status: "failed", notes: [createRemark("nothing_read_because", { cause: firstReason ?? TIME_OVER })] };
    const { unasked, repeats } = plan;
    const notUnlisted = explainNotUnlisted({
      pagesFailed: counted.failed,
      pagesUnasked: unasked + outOfTime,
      endUnseen,
      announced,
      unidentified,
      listed: listed.size,
      activeBefore: record.activeBefore,
    });
    if (notUnlisted === undefined) await unlist(sync, { vendor, source, listed });
    const finalRecord = await deps.readRecord(record._id);
    const { status, notes } = resolveEnding({ ...finalRecord, outOfTime, endUnseen, unasked, repeats, notUnlisted });
    if (status === "failed") return { status, notes };
    const hasChanged = finalRecord.rows.written + finalRecord.discontinued > 0;
    return { status, notes, changed: hasChanged, also: [deps.createSyncedEvent(finalRecord)] };
  };

  async function unlist(
    sync: HeldSync,
    { vendor, source, listed }: { vendor: Vendor; source: string; listed: ReadonlySet<string> },
  ): Promise<void> {
    let gone: string[] = [];
    const flush = async (): Promise<void> => {
      await writer.unlist(vendor, gone, ({ written: discontinuedRows }) =>
        sync.updateProgress({ $inc: { discontinued: discontinuedRows } }),
      );
      gone = [];
    };
    const parts = documents.collection<PartDocument>(getPartsCollection(vendor.code));
    for await (const { _id, sources } of parts.iterate({ status: "active" })) {
      // Parts of a price file are not the supplier's to remove.
      if (!listed.has(_id) && sources.includes(source)) gone.push(_id);
      if (gone.length === BULK) await flush();
    }
    if (gone.length > 0) await flush();
  }
}

interface LoadFailure {
  reason: Remark;
  /** According to the supplier. */
  isNoPage?: boolean;
  isOpen?: boolean;
}

/** Loads a page; waits for an open circuit. @throws the signal's reason */
async function load(
  supplier: OpenSupplier,
  { record, signal }: HeldSync,
  page: number,
  cursor: string | undefined,
): Promise<ListedPage | LoadFailure> {
  const { pageSize, deadline } = record;
  const ask = async (): Promise<ListedPage | LoadFailure> => {
    const left = deadline.getTime() - Date.now();
    if (left <= 0) return { reason: TIME_OVER };
    try {
      return await supplier.loadPage({ page, pageSize, cursor }, Math.min(PAGE_DEADLINE_MS, left));
    } catch (error) {
      const details = findHttpErrorDetails(error);
      if (!details) throw error;
      const isNoPage = details.reason === "refused" && NO_SUCH_PAGE.has(details.status ?? 0);
      return {
        reason: describeFailure(details, (error as Error).message),
        isNoPage,
        isOpen: details.reason === "circuit_open",
      };
    }
  };
  const isPassing = (tried: ListedPage | LoadFailure): boolean => "isOpen" in tried && tried.isOpen === true;
  return withSupplierRetry(ask, isPassing, { ...SYNC_RETRY, deadline, signal });
}
