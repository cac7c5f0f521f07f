import { figureKey } from "../../../mixins/figure-key.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { ManualFigure, ManualFile, ManualPart } from "../../shared/manual-objects.ts";
import { schemaName } from "../manuals.ts";
import { readingId, type DiagramOfManual, type RowDocument } from "../../../mixins/fitment-index/collections.ts";
import type { QuantityOfModels } from "./equipment-of-page.ts";

/** What the rows of one reading have in common. */
export interface Reading {
  sha256: string;
  reading: number;
  figures: readonly ManualFigure[];
  /** Of each page that is for some of the manual's models alone, these. */
  onlyOfPage: ReadonlyMap<number, string[]>;
  quantityOf: QuantityOfModels;
}

/**
 * The rows of parts, of which the first is at `position` among those of the manual: one for each quantity that its
 * models have.
 */
export function rowsOf(
  parts: readonly ManualPart[],
  position: number,
  { sha256, reading, figures, onlyOfPage, quantityOf }: Reading,
): RowDocument[] {
  const schemas = new Map(figures.map((figure) => [figureKey(figure), schemaName(figure)]));
  const each = parts.flatMap((part) =>
    onModels(part, onlyOfPage.get(part.page), quantityOf).map((on) => ({ ...part, ...on })),
  );
  return each.map((part, index) => {
    const { partNumber, pnNorm, vendor, page, figure, reference, quantity, description, confidence, replacedBy, only } =
      part;
    return {
      _id: `${readingId(sha256, reading)}:${position + index}`,
      sha256,
      reading,
      position: position + index,
      pnNorm,
      partNumber,
      page,
      confidence,
      schema: figure === undefined ? "" : (schemas.get(figure) ?? figure),
      ...(vendor === undefined ? {} : { vendor: vendor.toUpperCase() }),
      ...(figure === undefined ? {} : { figure }),
      ...(reference === undefined ? {} : { reference }),
      ...(quantity === undefined ? {} : { quantity }),
      ...(description === undefined ? {} : { description }),
      ...(replacedBy === undefined ? {} : { replacedBy, replacedByNorm: normalizePartNumber(replacedBy) }),
      ...(part.namedIn === "supersessions" ? { isSupersession: true as const } : {}),
      ...(only === undefined ? {} : { only }),
    };
  });
}

/** Which models a part is on, those together that have as many; all of them where `only` is undefined. */
function onModels(
  { quantity, quantities }: ManualPart,
  only: string[] | undefined,
  quantityOf: QuantityOfModels,
): { quantity: number | undefined; only: string[] | undefined }[] {
  const told = quantities && quantityOf(quantities);
  if (!told) return [{ quantity, only }];
  const models = [...told].filter(([equipment]) => only === undefined || only.includes(equipment));
  return [...Map.groupBy(models, ([, count]) => count)].map(([count, group]) => ({
    quantity: count,
    only: group.map(([equipment]) => equipment),
  }));
}

/** A number that a page names twice for one place in one diagram counts once, as it says most. */
export function withoutRepeats(parts: readonly ManualPart[]): ManualPart[] {
  const best = new Map<string, ManualPart>();
  for (const part of parts) {
    const key = `${part.page} ${part.pnNorm} ${part.figure ?? ""} ${part.reference ?? ""} ${JSON.stringify(part.quantities)}`;
    const known = best.get(key);
    if (!known || saysOf(part) > saysOf(known)) best.set(key, part);
  }
  return [...best.values()];
}

function saysOf({ quantity, description, replacedBy, confidence }: ManualPart): number {
  return (
    (quantity === undefined ? 0 : 4) +
    (replacedBy === undefined ? 0 : 2) +
    (description === undefined ? 0 : 1) +
    confidence / 2
  );
}

export function diagramsOf(
  { figures }: Pick<ManualFile, "figures">,
  onlyOfPage: ReadonlyMap<number, string[]>,
): DiagramOfManual[] {
  return figures.map((figure) => {
    const only = onlyOfPage.get(figure.page);
    const [image] = figure.images;
    return {
      key: figureKey(figure),
      schema: schemaName(figure),
      page: figure.page,
      ...(image === undefined ? {} : { image }),
      ...(only === undefined ? {} : { only }),
    };
  });
}
