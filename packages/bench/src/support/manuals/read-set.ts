import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ManualTruth } from "../generators/manuals/truth.ts";
import { figureKey } from "../../../../manual-reader/src/manual.ts";
import { groupRowsByCallout } from "../../../../parts-search/src/fitment-index/figure-reader.ts";
import { assemble } from "../../../../manual-reader/src/assemble.ts";
import type { FoundPart, Manual, PageFindings } from "../../../../manual-reader/src/findings.ts";
import type { Box } from "../../../../manual-reader/src/page.ts";
import { createPdfReader, type PdfReader } from "../../../../manual-reader/src/pdf/reader.ts";
import type { GeneratedManual } from "./sets.ts";

/** The PDF files of a folder, read alike. @throws Error where one cannot be read */
export async function* readFolder(folder: string): AsyncGenerator<{ filename: string; pages: PageFindings[] }> {
  const reader = createPdfReader();
  try {
    for (const filename of (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort()) {
      const { findings } = await readFile(reader, join(folder, filename));
      yield { filename, pages: assemble(findings, { sha256: filename, filename }).pages };
    }
  } finally {
    await reader.close();
  }
}

async function readFile(reader: PdfReader, file: string): Promise<{ findings: PageFindings[]; failed: string[] }> {
  const opened = await reader.open(file);
  if ("refused" in opened) throw new Error(`${basename(file)}: ${opened.refused.reason}`);
  const findings: PageFindings[] = [];
  const failed: string[] = [];
  await reader.read(file, 1, opened.pages, (page) => {
    if ("failed" in page) failed.push(`${basename(file)} page ${page.page}: ${page.failed.reason}`);
    else findings.push(page.findings);
  });
  return { findings, failed };
}

/** A number of a drawing, with the rows of parts that it leads to. */
export interface ReadCallout {
  page: number;
  ref: string;
  /** In shares of the page. */
  box: Box;
  rows: FoundPart[];
}

export interface ReadManual {
  truth: ManualTruth;
  manual: Manual;
  pages: PageFindings[];
  callouts: ReadCallout[];
  /** Pages that could not be read: why. */
  failed: string[];
}

/** Manuals as the pipeline reads them, knowing nothing but the file; one after another. */
export async function* readSet(manuals: AsyncIterable<GeneratedManual>): AsyncGenerator<ReadManual> {
  const folder = await mkdtemp(join(tmpdir(), "partline-manuals-"));
  const reader = createPdfReader();
  try {
    for await (const { pdf, truth } of manuals) {
      const file = join(folder, truth.filename);
      await writeFile(file, pdf);
      const { findings, failed } = await readFile(reader, file);
      const assembled = assemble(findings, { sha256: truth.seed, filename: truth.filename });
      yield { truth, failed, callouts: listCallouts(assembled.pages), ...assembled };
      await rm(file);
    }
  } finally {
    await reader.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function listCallouts(pages: readonly PageFindings[]): ReadCallout[] {
  const rowsOf = groupRowsByCallout(pages.flatMap(({ parts }) => parts));
  return pages.flatMap(({ page, figures }) =>
    figures.flatMap((figure) =>
      (figure.places ?? []).map(({ ref, box }) => ({
        page,
        ref,
        box,
        rows: rowsOf({ figure: figureKey(figure), ref }),
      })),
    ),
  );
}
