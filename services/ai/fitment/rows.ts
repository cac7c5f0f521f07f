import { figureKey } from "../../../mixins/figure-key.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { schemaName, type ReadFigure, type ReadManual, type ReadPart } from "../manuals.ts";
import { readingId, type DiagramOfManual, type RowDocument } from "./collections.ts";

/** What the rows of one reading have in common. */
export interface Reading {
  sha256: string;
  reading: number;
  figures: readonly ReadFigure[];
  /** Of each page that is for some of the manual's models alone, these. */
  onlyOfPage: ReadonlyMap<number, string[]>;
}

/** The rows of parts, of which the first is at `position` among those of the manual. */
export function rowsOf(parts: readonly ReadPart[], position: number, { sha256, reading, figures, onlyOfPage }: Reading): RowDocument[] {
  const schemas = new Map(figures.map((figure) => [figureKey(figure), schemaName(figure)]));
  return parts.map((part, index) => {
    const only = onlyOfPage.get(part.page);
    const { partNumber, pnNorm, vendor, page, figure, reference, quantity, description, confidence, replacedBy } = part;
    return {
      _id: `${readingId(sha256, reading)}:${position + index}`,
      sha256, reading, position: position + index, pnNorm, partNumber, page, confidence,
      schema: figure === undefined ? "" : (schemas.get(figure) ?? figure),
      ...(vendor === undefined ? {} : { vendor: vendor.toUpperCase() }),
      ...(figure === undefined ? {} : { figure }),
      ...(reference === undefined ? {} : { reference }),
      ...(quantity === undefined ? {} : { quantity }),
      ...(description === undefined ? {} : { description }),
      ...(replacedBy === undefined ? {} : { replacedBy, replacedByNorm: normalizePartNumber(replacedBy) }),
      ...(only === undefined ? {} : { only }),
    };
  });
}

/** A number that a page names twice for one place in one diagram counts once, as it says most. */
export function withoutRepeats(parts: readonly ReadPart[]): ReadPart[] {
  const best = new Map<string, ReadPart>();
  for (const part of parts) {
    const key = `${part.page} ${part.pnNorm} ${part.figure ?? ""} ${part.reference ?? ""}`;
    const known = best.get(key);
    if (!known || saysOf(part) > saysOf(known)) best.set(key, part);
  }
  return [...best.values()];
}

function saysOf({ quantity, description, replacedBy, confidence }: ReadPart): number {
  return (quantity === undefined ? 0 : 4) + (replacedBy === undefined ? 0 : 2) + (description === undefined ? 0 : 1) + confidence / 2;
}

export function diagramsOf({ figures }: Pick<ReadManual, "figures">, onlyOfPage: ReadonlyMap<number, string[]>): DiagramOfManual[] {
  return figures.map((figure) => {
    const only = onlyOfPage.get(figure.page);
    const [image] = figure.images;
    return {
      key: figureKey(figure), schema: schemaName(figure), page: figure.page,
      ...(image === undefined ? {} : { image }),
      ...(only === undefined ? {} : { only }),
    };
  });
}
