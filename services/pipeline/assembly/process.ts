import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveParent } from "@partline/toolkit";
import {
  assemble,
  figureKey,
  type Given,
  listPagesToCheck,
  type ManualFile,
  type ManualPage,
  type PageCallout,
  type PageFindings,
  type PageToCheck,
  listPages,
  serialsIn,
  unreadListsNote,
  type Unsure,
} from "@partline/manual-reader";
import {
  correctFigures,
  correctRows,
  correctText,
  createUnreadPage,
  isFigureNeeded,
  selectFigures,
  selectRows,
} from "../corrections/apply.ts";
import { type Correction, getVersion } from "../corrections/correction.ts";
import { PARTS_PER_PIECE } from "../limits.ts";
import { type PageSummary, SUMMARIES } from "../results/page-summaries.ts";
import type { PageCounts } from "../results/page-results.ts";
import { getRange } from "../work/ranges.ts";

export interface AssemblyJob {
  /** Has `ranges/N.ndjson`; results are written beside that. */
  folder: string;
  ranges: number;
  /** `pages` of the file, unreadable ones included. */
  given: Given & { pages: number };
  /** Corrections by staff, on any page. */
  corrections: Correction[];
}

export interface Assembled {
  /** JSON, by the path below the folder and the manual's prefix. */
  files: string[];
  found: Pick<PageCounts, "parts" | "tables">;
  /** Note on what to check; undefined if nothing. */
  note: string | undefined;
  /** Pages that OCR has not read: scans, and those with pictures of lists. */
  pictures: PageToCheck[];
  toCheck: PageToCheck[];
  /** Corrections that the reading no longer needs. */
  unneeded: string[];
  equipment: string[];
  manufacturer?: string;
  unsure?: Unsure;
}

/** Characters of a page's text that are passed on. */
const LONGEST_TEXT = 100_000;

/** Puts a manual together from its ranges' findings and writes its files. */
async function assembleFiles({ folder, ranges, given, corrections }: AssemblyJob): Promise<Assembled> {
  const findings: PageFindings[] = [];
  for (let range = 0; range < ranges; range += 1)
    findings.push(...listPages(await readFile(join(folder, "ranges", `${range}.ndjson`), "utf8")));
  const pageCorrections = Map.groupBy(corrections, ({ page }) => page);
  const { manual, pages, unneeded } = assembleCorrected(findings, given, pageCorrections);
  const parts = pages.flatMap((page) => page.parts);
  const pagesToCheck = listPagesToCheck(pages);
  const toCheck = pagesToCheck.filter(({ page }) => !pageCorrections.has(page));
  const checks = new Map(toCheck.map(({ page, reason }) => [page, reason]));
  const listPictures = pages.filter(({ hasListPictures }) => hasListPictures).length;
  const files: string[] = [];
  const write = async (name: string, value: unknown): Promise<void> => {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(value));
    files.push(name);
  };

  await write("parts.json", parts);
  for (let piece = 0; piece * PARTS_PER_PIECE < parts.length; piece += 1)
    await write(`parts/${piece}.json`, parts.slice(piece * PARTS_PER_PIECE, (piece + 1) * PARTS_PER_PIECE));
  for (const [range, rangePages] of Map.groupBy(pages, ({ page }) => getRange(page)))
    await write(`findings/${range}.json`, rangePages.map(toManualPage));
  await write(
    SUMMARIES,
    pages.map((page) => toSummary(page, checks.get(page.page), pageCorrections.get(page.page) ?? [])),
  );
  // Last: it shows that the others are there.
  const manualFile: ManualFile = {
    ...manual,
    pages: given.pages,
    parts: parts.length,
    ...(listPictures > 0 && { listPictures }),
  };
  await write("manual.json", manualFile);
  return {
    files,
    found: { parts: parts.length, tables: pages.reduce((sum, { tables }) => sum + tables.length, 0) },
    note: unreadListsNote(pages),
    pictures: pagesToCheck.filter(({ reason }) => reason !== "list_without_parts"),
    toCheck,
    unneeded,
    equipment: manual.equipment,
    manufacturer: manual.manufacturer,
    unsure: manual.unsure,
  };
}

/** Puts pages together with what staff corrected: figures before, as parts belong to them, and rows after. */
function assembleCorrected(
  findings: readonly PageFindings[],
  facts: Given,
  pageCorrections: ReadonlyMap<number, readonly Correction[]>,
) {
  const readPages = new Map(findings.map((page) => [page.page, page]));
  const withFigures = findings.map((page) => correctFigures(page, selectFigures(pageCorrections.get(page.page) ?? [])));
  const { manual, pages } = assemble(withFigures, facts);
  const unneeded = [...pageCorrections.values()]
    .flatMap(selectFigures)
    .filter((correction) => !isFigureNeeded(readPages.get(correction.page), correction))
    .map(getVersion);
  const unread = [...pageCorrections]
    .filter(([page, corrections]) => !readPages.has(page) && selectRows(corrections).length > 0)
    .map(([page]) => createUnreadPage(page));
  const corrected = [...pages, ...unread].map((page): PageFindings => {
    const rows = selectRows(pageCorrections.get(page.page) ?? []);
    if (rows.length === 0) return page;
    const result = correctRows({ parts: page.parts, applied: [] }, rows, manual.manufacturer);
    unneeded.push(...result.unneeded);
    return { ...page, parts: result.parts, text: correctText(page, rows) };
  });
  return { manual, pages: corrected.sort((a, b) => a.page - b.page), unneeded };
}

function toSummary(page: PageFindings, check: PageSummary["check"], corrections: readonly Correction[]): PageSummary {
  return {
    page: page.page,
    parts: page.parts.length,
    tables: page.tables.length,
    callouts: page.figures.reduce((sum, { callouts }) => sum + callouts.length, 0),
    figures: page.figures.map(({ label, title }) => ({ label, title })),
    ...(check && { check }),
    ...(page.isRecognised && { isRecognised: true }),
    ...(corrections.length > 0 && { applied: corrections.map(getVersion) }),
  };
}

function toManualPage({ page, text, figures, models }: PageFindings): ManualPage {
  const [figure] = figures;
  const callouts = figures.flatMap(({ places = [], ...figureFields }) =>
    places.map((place): PageCallout => ({ ...place, figure: figureKey(figureFields) })),
  );
  const serials = figures.length < 2 ? serialsIn(text) : [];
  return {
    page,
    text: text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT).toWellFormed() : text,
    figure: figure && (figure.label || figure.title),
    models,
    ...(serials.length > 0 && { serials }),
    ...(callouts.length > 0 && { callouts }),
  };
}

serveParent(assembleFiles);
