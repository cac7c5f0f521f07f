/** What this service reads of the manuals that the pipeline has read, in the pipeline's forms. */

export interface ReadFigure {
  label: string;
  title: string;
  page: number;
  images: number[];
}

export interface ReadManual {
  sha256: string;
  filename: string;
  title: string;
  equipment: string[];
  manufacturer?: string;
  pages: number;
  figures: ReadFigure[];
}

export interface ReadPart {
  partNumber: string;
  pnNorm: string;
  confidence: number;
  vendor?: string;
  page: number;
  quantity?: number;
  description?: string;
  reference?: string;
  figure?: string;
  replacedBy?: string;
}

export interface ReadPage {
  page: number;
  text: string;
  /** Key of the figure that the page belongs to. */
  figure?: string;
  models: string[];
}

/** The pipeline's results, piece by piece; `next` is the `after` of what follows. */
export interface ManualSource {
  manual(sha256: string): Promise<ReadManual>;
  parts(sha256: string, after: number): Promise<{ parts: ReadPart[]; next?: number }>;
  pages(sha256: string, after: number): Promise<{ pages: ReadPage[]; next?: number }>;
}

export async function* partsOf(source: Pick<ManualSource, "parts">, sha256: string): AsyncGenerator<ReadPart[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { parts, next } = await source.parts(sha256, after);
    yield parts;
    after = next;
  }
}

export async function* pagesOf(source: Pick<ManualSource, "pages">, sha256: string): AsyncGenerator<ReadPage[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
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

/** By which parts and pages name a figure. */
export function figureKey({ label, title }: Pick<ReadFigure, "label" | "title">): string {
  return label === "" ? title : label;
}
