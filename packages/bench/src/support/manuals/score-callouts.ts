import type { Box } from "../../../../manual-reader/src/page.ts";
import type { FigureTruth } from "../generators/manuals/truth.ts";
import type { ReadManual } from "./read-set.ts";

/** Of the page's width: how far from where it was drawn a callout may be found. */
export const NEAR = 0.02;

/** A number of a drawing that was drawn, found, or both. */
export interface JudgedCallout {
  manual: string;
  page: number;
  ref: string;
  drawn?: FigureTruth["drawn"];
  isFound: boolean;
  isNear: boolean;
  /** It leads to the row of its part alone. */
  isLinked: boolean;
}

/** Judges each callout once for every time that it is drawn or found. */
export function judgeCallouts({ truth, callouts }: ReadManual): JudgedCallout[] {
  const [width, height] = truth.size;
  const found = callouts.map((callout) => ({ ...callout, isTaken: false }));
  const drawn = truth.figures.flatMap(({ label, title, page, drawn: how, places }) =>
    places.map(({ ref, box }): JudgedCallout => {
      const place = { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height };
      const [seen] = found
        .filter((each) => !each.isTaken && each.page === page && each.ref === ref)
        .sort((one, other) => away(one.box, place) - away(other.box, place));
      if (seen) seen.isTaken = true;
      const wanted = truth.parts.find(
        ({ figure, reference }) => figure?.label === label && figure.title === title && reference === ref,
      );
      const rows = seen?.rows ?? [];
      return {
        manual: truth.filename,
        page,
        ref,
        drawn: how,
        isFound: seen !== undefined,
        isNear: seen !== undefined && away(seen.box, place) <= NEAR,
        isLinked: rows.length > 0 && rows.every(({ pnNorm }) => pnNorm === wanted?.pnNorm),
      };
    }),
  );
  const others = found.filter(({ isTaken }) => !isTaken);
  return [
    ...drawn,
    ...others.map(({ page, ref }) => ({
      manual: truth.filename,
      page,
      ref,
      isFound: true,
      isNear: false,
      isLinked: false,
    })),
  ];

  /** From middle to middle, in widths of the page. */
  function away(one: Box, other: Box): number {
    return Math.hypot(
      one.x + one.width / 2 - other.x - other.width / 2,
      ((one.y + one.height / 2 - other.y - other.height / 2) * height) / width,
    );
  }
}
