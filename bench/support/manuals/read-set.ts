import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ManualTruth } from "../../../sandbox/manuals/truth.ts";
import { assemble } from "../../../services/pipeline/reading/assemble.ts";
import type { Manual, PageFindings } from "../../../services/pipeline/reading/findings.ts";
import { createPdfReader } from "../../../services/pipeline/reading/pdf/reader.ts";
import type { GeneratedManual } from "./sets.ts";

export interface ReadManual {
  truth: ManualTruth;
  manual: Manual;
  pages: PageFindings[];
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
      const opened = await reader.open(file);
      if ("refused" in opened) throw new Error(`${truth.filename}: ${opened.refused.reason}`);
      const found: PageFindings[] = [];
      const failed: string[] = [];
      await reader.read(file, 1, opened.pages, (page) => {
        if ("failed" in page) failed.push(`${truth.filename} page ${page.page}: ${page.failed.reason}`);
        else found.push(page.findings);
      });
      yield { truth, failed, ...assemble(found, { sha256: truth.seed, filename: truth.filename }) };
      await rm(file);
    }
  } finally {
    await reader.close();
    await rm(folder, { recursive: true, force: true });
  }
}
