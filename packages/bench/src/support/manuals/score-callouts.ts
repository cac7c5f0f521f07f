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
  const foundCallouts = callouts.map((callout) => ({ ...callout, isTaken: false }));
  const drawn = truth.figures.flatMap(({ label, title, page, drawn: how, places }) =>
    places.map(({ ref, box }): JudgedCallout => {
      const place = { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height };
      const [match] = foundCallouts
        .filter((callout) => !callout.isTaken && callout.page === page && callout.ref === ref)
        .sort((first, second) => away(first.box, place) - away(second.box, place));
      if (match) match.isTaken = true;
      const wantedPart = truth.parts.find(
        ({ figure, reference }) => figure?.label === label && figure.title === title && reference === ref,
      );
      const rows = match?.rows ?? [];
      return {
        manual: truth.filename,
        page,
        ref,
        drawn: how,
        isFound: match !== undefined,
        isNear: match !== undefined && away(match.box, place) <= NEAR,
        isLinked: rows.length > 0 && rows.every(({ pnNorm }) => pnNorm === wantedPart?.pnNorm),
      };
    }),
  );
  const untaken = foundCallouts.filter(({ isTaken }) => !isTaken);
  return [
    ...drawn,
    ...untaken.map(({ page, ref }) => ({
      manual: truth.filename,
      page,
      ref,
      isFound: true,
      isNear: false,
      isLinked: false,
    })),
  ];

  /** From middle to middle, in widths of the page. */
  function away(first: Box, second: Box): number {
    return Math.hypot(
      first.x + first.width / 2 - second.x - second.width / 2,
      ((first.y + first.height / 2 - second.y - second.height / 2) * height) / width,
    );
  }
}
