import type { Result } from "../../broker/contract/define.ts";
import type { Actions } from "../contracts.ts";

/** What this service reads of the manuals that the pipeline has read. */

type Manual = Result<Actions["pipeline.manual"]>;
export type ReadFigure = Omit<Manual["figures"][number], "callouts">;
export type ReadManual = Omit<Manual, "figures"> & { figures: ReadFigure[] };
export type ReadPart = Omit<Result<Actions["pipeline.manualParts"]>["parts"][number], "pattern" | "box">;
export type ReadPage = Omit<Result<Actions["pipeline.manualPages"]>["pages"][number], "isScanned">;

/** The pipeline's results, piece by piece; `next` is the `after` of what follows. */
export interface ManualSource {
  manual(sha256: string): Promise<ReadManual>;
  parts(sha256: string, after: number): Promise<{ parts: ReadPart[]; next?: number }>;
  pages(sha256: string, after: number): Promise<{ pages: ReadPage[]; next?: number }>;
}

export async function* partsOf(source: Pick<ManualSource, "parts">, sha256: string): AsyncGenerator<ReadPart[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { parts, next } = await source.parts(sha256, after);
    yield parts;
    after = next;
  }
}

export async function* pagesOf(source: Pick<ManualSource, "pages">, sha256: string): AsyncGenerator<ReadPage[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const { pages, next } = await source.pages(sha256, after);
    yield pages;
    after = next;
  }
}

/** What a customer would call a figure: `Figure 7: Mower Deck`. */
export function schemaName({ label, title }: Pick<ReadFigure, "label" | "title">): string {
  if (label === "") return title;
  return title === "" ? `Figure ${label}` : `Figure ${label}: ${title}`;
}
