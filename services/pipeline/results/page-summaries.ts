import type { Infer } from "@partline/api-contracts";
import type { ManualFigure, PageToCheck } from "@partline/manual-reader";
import type { ReadingDocument } from "../collections.ts";
import type { pageSummaryRule } from "../resources.ts";

/** Summary of a page of an assembled manual, in `summaries.json`. */
export interface PageSummary {
  page: number;
  parts: number;
  tables: number;
  callouts: number;
  figures: Pick<ManualFigure, "label" | "title">[];
  check?: PageToCheck["reason"];
  isRecognised?: true;
  /** Versions of the corrections that it has. */
  applied?: string[];
}

export const SUMMARIES = "summaries.json";

type Page = Infer<typeof pageSummaryRule>;
type KnownReading = Pick<ReadingDocument, "lost" | "lostCodes" | "toRecognise" | "toCheck" | "ocr">;

/** Says of a page what was read, and what was not and why. Counts are null if a version before 0.4 read it. */
export function describePage(reading: KnownReading, page: number, summary: PageSummary | undefined): Page {
  const { lost, toCheck } = reading;
  const error = lost[`p${page}`] ?? null;
  const check =
    error === null
      ? (summary?.check ?? toCheck?.pages.find((candidate) => candidate.page === page)?.reason ?? null)
      : "unreadable";
  const recognition = describeRecognition(reading, page, check, summary);
  return {
    page,
    parts: summary?.parts ?? null,
    figures: summary?.figures.length ?? null,
    tables: summary?.tables ?? null,
    callouts: summary?.callouts ?? null,
    check: recognition === "waiting" ? null : check,
    recognition,
    error,
    error_code: reading.lostCodes?.[`p${page}`] ?? null,
  };
}

function describeRecognition(
  { toRecognise = {}, ocr }: KnownReading,
  page: number,
  check: Page["check"],
  summary: PageSummary | undefined,
): Page["recognition"] {
  if (toRecognise[`p${page}`]) return "waiting";
  if (summary?.isRecognised) return "done";
  if (check !== "list_picture" && check !== "scanned") return null;
  if (ocr === "off") return "off";
  return check === "scanned" && ocr === "auto" ? "skipped" : "failed";
}

/** Describes every page: first those that need a look, then those that wait for OCR. */
export function describePages(
  reading: KnownReading & Pick<ReadingDocument, "pages">,
  summaries: readonly PageSummary[],
): Page[] {
  const pageSummaries = new Map(summaries.map((summary) => [summary.page, summary]));
  const pages = Array.from({ length: reading.pages ?? 0 }, (_, index) =>
    describePage(reading, index + 1, pageSummaries.get(index + 1)),
  );
  const rank = ({ check, recognition }: Page): number => (check ? 0 : recognition === "waiting" ? 1 : 2);
  return pages.sort((a, b) => rank(a) - rank(b) || a.page - b.page);
}
