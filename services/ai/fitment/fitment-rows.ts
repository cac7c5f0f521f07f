import { sum } from "@partline/toolkit/pure";
import { normalizePartNumber, type SerialRange } from "@partline/parts-language";
import {
  figureKey,
  type ManualFigure,
  type ManualFile,
  type ManualPage,
  type ManualPart,
} from "@partline/manual-reader";
import { formatSchemaName } from "../manual-source.ts";
import { type CalloutsDocument, type DiagramOfManual, toReadingId, type RowDocument } from "@partline/parts-search";
import type { QuantityOfModels } from "./equipment-of-manual.ts";

export interface Reading {
  sha256: string;
  reading: number;
  figures: readonly ManualFigure[];
  /** Models of each page that is not for all models. */
  onlyOfPage: ReadonlyMap<number, string[]>;
  quantityOf: QuantityOfModels;
}

/**
 * Returns the rows of parts, one for each quantity that models have. @param position of the first part in the manual
 */
export function toRows(
  parts: readonly ManualPart[],
  position: number,
  { sha256, reading, figures, onlyOfPage, quantityOf }: Reading,
): RowDocument[] {
  const schemas = new Map(figures.map((figure) => [figureKey(figure), formatSchemaName(figure)]));
  const variants = parts.flatMap((part) =>
    onModels(part, onlyOfPage.get(part.page), quantityOf).map((on) => ({
      ...part,
      ...{ correction: undefined, areModelsCorrected: undefined },
      ...on,
    })),
  );
  return variants.map(({ figure, vendor, replacedBy, namedIn, quantities: _, ...part }, index) => ({
    ...part,
    _id: `${toReadingId(sha256, reading)}:${position + index}`,
    sha256,
    reading,
    position: position + index,
    schema: figure === undefined ? "" : (schemas.get(figure) ?? figure),
    vendor: vendor?.toUpperCase(),
    figure,
    replacedBy,
    replacedByNorm: replacedBy && normalizePartNumber(replacedBy),
    isSupersession: namedIn === "supersessions" || undefined,
  }));
}

/**
 * Returns the models that a part is on, grouped by quantity; `only` undefined is all models. Models that staff named
 * count for more than those of the page.
 */
function onModels(
  { quantity, quantities, areModelsCorrected }: ManualPart,
  only: string[] | undefined,
  quantityOf: QuantityOfModels,
): { quantity: number | undefined; only: string[] | undefined }[] {
  const quantityByModel = quantities && quantityOf(quantities);
  if (!quantityByModel) return [{ quantity, only }];
  const models = [...quantityByModel].filter(
    ([equipment]) => areModelsCorrected || only === undefined || only.includes(equipment),
  );
  return [...Map.groupBy(models, ([, count]) => count)].map(([count, group]) => ({
    quantity: count,
    only: group.map(([equipment]) => equipment),
  }));
}

/** Keeps, of parts with the same number, place and diagram on a page, the one that says most, with what all rows need. */
export function dropRepeats(parts: readonly ManualPart[]): ManualPart[] {
  const repeats = Map.groupBy(parts, ({ page, pnNorm, figure = "", reference = "", quantities }) =>
    [page, pnNorm, figure, reference, JSON.stringify(quantities)].join(" "),
  );
  return [...repeats.values()].map((rows) => {
    const best = rows.reduce((most, row) => (scorePart(row) > scorePart(most) ? row : most));
    const counts = rows.flatMap(({ quantity }) => quantity ?? []);
    return best.reference !== undefined || counts.length < 2 ? best : { ...best, quantity: sum(counts) };
  });
}

function scorePart({ quantity, description, replacedBy, confidence }: ManualPart): number {
  return (
    (quantity === undefined ? 0 : 4) +
    (replacedBy === undefined ? 0 : 2) +
    (description === undefined ? 0 : 1) +
    confidence / 2
  );
}

/** Key of the serial numbers of figures that name none: those of the manual. */
export const ALL_FIGURES = "";

export function toDiagrams(
  { figures }: Pick<ManualFile, "figures">,
  onlyOfPage: ReadonlyMap<number, string[]>,
  serialsOfFigure: ReadonlyMap<string, SerialRange[]>,
): DiagramOfManual[] {
  return figures.map((figure) => ({
    key: figureKey(figure),
    schema: formatSchemaName(figure),
    page: figure.page,
    image: figure.images[0],
    only: onlyOfPage.get(figure.page),
    serials: serialsOfFigure.get(figureKey(figure)) ?? serialsOfFigure.get(ALL_FIGURES),
  }));
}

export type DrawnPage = Required<Pick<ManualPage, "page" | "callouts">>;

export function toCalloutDocuments(
  pages: readonly DrawnPage[],
  { sha256, reading }: Pick<Reading, "sha256" | "reading">,
): CalloutsDocument[] {
  return pages.flatMap(({ page, callouts }) =>
    [...Map.groupBy(callouts, ({ figure }) => figure)].map(([figure, figureCallouts], index) => ({
      _id: `${toReadingId(sha256, reading)}:${page}:${index}`,
      sha256,
      reading,
      page,
      figure,
      callouts: figureCallouts.map(({ ref, box }) => ({ ref, box })),
    })),
  );
}
