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
  pagesOf,
  serialsIn,
  unreadListsNote,
  type Unsure,
} from "@partline/manual-reader";
import { PARTS_PER_PIECE } from "../limits.ts";
import type { PageCounts } from "../results/page-results.ts";
import { getRange } from "../work/ranges.ts";

export interface AssemblyJob {
  /** Has `ranges/N.ndjson`; results are written beside that. */
  folder: string;
  ranges: number;
  /** `pages` of the file, unreadable ones included. */
  given: Given & { pages: number };
}

export interface Assembled {
  /** JSON, by the path below the folder and the manual's prefix. */
  files: string[];
  found: Pick<PageCounts, "parts" | "tables">;
  /** What somebody should check; undefined if nothing. */
  note: string | undefined;
  /** Pages with pictures of lists that OCR has not read. */
  listPictures: number;
  toCheck: PageToCheck[];
  equipment: string[];
  manufacturer?: string;
  unsure?: Unsure;
}

/** Characters of a page's text that are passed on. */
const LONGEST_TEXT = 100_000;

/** Puts a manual together from its ranges' findings and writes its files. */
async function assembleFiles({ folder, ranges, given }: AssemblyJob): Promise<Assembled> {
  const findings: PageFindings[] = [];
  for (let range = 0; range < ranges; range += 1)
    findings.push(...pagesOf(await readFile(join(folder, "ranges", `${range}.ndjson`), "utf8")));
  const { manual, pages } = assemble(findings, given);
  const parts = pages.flatMap((page) => page.parts);
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
  // Last: it shows that the others are there.
  const manualFile: ManualFile = { ...manual, pages: given.pages, parts: parts.length };
  await write("manual.json", manualFile);
  return {
    files,
    found: { parts: parts.length, tables: pages.reduce((sum, { tables }) => sum + tables.length, 0) },
    note: unreadListsNote(pages),
    listPictures: pages.filter(({ hasListPictures }) => hasListPictures).length,
    toCheck: listPagesToCheck(pages),
    equipment: manual.equipment,
    manufacturer: manual.manufacturer,
    unsure: manual.unsure,
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
