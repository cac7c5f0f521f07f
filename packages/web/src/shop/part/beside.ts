import type { Diagram, FigurePart, Partline, WholePart } from "@partline/client";

/** A drawing in which a part is. */
export type ShownDiagram = Pick<Diagram, "figureId" | "equipment" | "schema" | "page" | "imageUrl">;

/** A part that is sold beside another. */
export interface PartBeside {
  id: string;
  partNumber: string;
  title: string;
  price: number;
}

/** What a page shows beside its part. */
export interface Beside {
  diagrams: readonly ShownDiagram[];
  parts: readonly PartBeside[];
}

/** The most that a page waits for what is beside its part, milliseconds. */
const PAGE_WAITS_MS = 250;
const MOST_DIAGRAMS = 4;
const MOST_PARTS = 4;
const PARTS_READ = 100;

/**
 * Reads the drawings that show a part, and the parts that are sold beside it there; nothing of what is not there in
 * time.
 */
export async function loadBeside(partline: Partline, part: WholePart): Promise<Beside> {
  if (!part.fitment.some(({ source }) => source === "manual")) return { diagrams: [], parts: [] };
  const signal = AbortSignal.timeout(PAGE_WAITS_MS);
  const { diagrams } = await partline.ai
    .diagrams({ part: part.partNumber }, { signal })
    .catch(() => ({ diagrams: [] as Diagram[] }));
  const [first] = diagrams;
  const { parts: figureParts } = first
    ? await partline.ai
        .fitmentFigure({ figure: first.figureId, pageSize: PARTS_READ }, { signal })
        .catch(() => ({ parts: [] as FigurePart[] }))
    : { parts: [] };
  const parts = new Map<string, PartBeside>();
  for (const { partId, partNumber, title, price } of figureParts)
    if (partId !== null && partId !== part.id && partNumber !== null && price !== null)
      parts.set(partId, { id: partId, partNumber, title: title ?? partNumber, price });
  const figures = new Map(diagrams.map((diagram) => [diagram.figureId, diagram]));
  return {
    diagrams: [...figures.values()]
      .slice(0, MOST_DIAGRAMS)
      .map(({ figureId, equipment, schema, page, imageUrl }) => ({ figureId, equipment, schema, page, imageUrl })),
    parts: [...parts.values()].slice(0, MOST_PARTS),
  };
}
