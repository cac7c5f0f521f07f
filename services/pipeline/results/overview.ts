import type { Infer } from "@partline/api-contracts";
import { limitToMessage } from "../../../broker/contract/message.ts";
import type { ReadingDocument } from "../collections.ts";
import type { Figure, Manual } from "@partline/manual-reader";
import type { manualOverviewRule } from "../resources.ts";
import { countPagesToCheck, toPictureFields } from "../jobs/progress.ts";
import type { Contents } from "./manual-results.ts";

type Overview = Infer<typeof manualOverviewRule>;
type Entry = { page: number } & (
  { table: Overview["tables"][number] } | { image: Overview["images"][number] } | { figure: Figure }
);

interface KnownManual {
  reading: Pick<
    ReadingDocument,
    "filename" | "pages" | "chapters" | "parts" | "pagesScanned" | "correction" | "toCheck"
  > &
    Partial<Pick<ReadingDocument, "lost" | "toRecognise" | "listPictures" | "ocr">>;
  manual: Manual;
  contents: Contents;
}

/** Returns a manual's content with links: entries behind the first `after`, as many as an answer holds. */
export function toOverview({ reading, manual, contents }: KnownManual, after: number, base: string): Overview {
  const { sha256, title, equipment, manufacturer, unsure, figures } = manual;
  const { filename, pages = 0, chapters = [], parts, pagesScanned, correction } = reading;
  const checks = listChecks(reading);
  const manualUrl = `${base}/api/manuals/${sha256}`;
  const entries: Entry[] = [
    ...contents.tables.map(({ page, index }) => {
      const table = `${manualUrl}/tables/${page}-${index}`;
      return { page, table: { page, index, json: `${table}.json`, csv: `${table}.csv` } };
    }),
    ...contents.images.map(({ page, index }) => ({
      page,
      image: { page, index, url: `${manualUrl}/images/${page}-${index}.webp` },
    })),
    ...figures.map((figure) => ({ page: figure.page, figure })),
  ];
  entries.sort((a, b) => a.page - b.page);
  const pageEntries = limitToMessage(entries.slice(after));
  const next = after + pageEntries.length;
  return {
    sha256,
    filename,
    title,
    equipment,
    manufacturer,
    unsure,
    pages,
    chapters,
    counts: { parts, tables: contents.tables.length, images: contents.images.length, figures: figures.length },
    pages_scanned: pagesScanned || undefined,
    ...toPictureFields({ ...reading, status: "completed" }),
    pages_to_check: countPagesToCheck(reading) || undefined,
    checks: checks.length > 0 ? checks : undefined,
    correction: correction && (correction.error === undefined || correction.isUndoing ? "under_way" : "failed"),
    source: `${manualUrl}/source.pdf`,
    tables: pageEntries.flatMap((entry) => ("table" in entry ? entry.table : [])),
    images: pageEntries.flatMap((entry) => ("image" in entry ? entry.image : [])),
    figures: pageEntries.flatMap((entry) => ("figure" in entry ? entry.figure : [])),
    next: next < entries.length ? next : undefined,
  };
}

const MOST_CHECKS = 100;

/** Lists the pages that need a look, in their order. */
function listChecks({ lost = {}, toCheck, toRecognise = {} }: KnownManual["reading"]): NonNullable<Overview["checks"]> {
  const unreadable = Object.keys(lost).map((key) => ({ page: Number(key.slice(1)), reason: "unreadable" as const }));
  const remaining = (toCheck?.pages ?? []).filter(({ page }) => !toRecognise[`p${page}`]);
  return [...unreadable, ...remaining].sort((a, b) => a.page - b.page).slice(0, MOST_CHECKS);
}
