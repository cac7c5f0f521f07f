import { isPartlineError, type ManualPage, type Partline, type PartResponse } from "@partline/client";
import { useEffect, useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { placeMark } from "../figure/drawing.tsx";
import { ownAddress } from "../format.ts";
import { manualAddress, PDF_LINK } from "../manual-address.ts";

/** Screens with room for a page beside the answer, as `desk.css` has them. */
const WIDE = "(min-width: 64rem)";

type DrawnPart = PartResponse & { pdf_link: string };
type Drawing = Pick<ManualPage, "page" | "imageUrl" | "callouts">;

/** Renders the drawing that an answer's part is in, with the part marked, where there is room for it. */
export function DrawnPage({ part }: { part: DrawnPart }): ReactNode {
  const { texts, partline } = useShop();
  const [drawn, setDrawn] = useState<Drawing>();
  const { pdf_link: link, part_number: partNumber, schemas } = part;
  useEffect(() => {
    const leaving = new AbortController();
    if (partline && matchMedia(WIDE).matches)
      findDrawing(partline, { link, partNumber }, leaving.signal).then(setDrawn, (error: unknown) => {
        // The answer stands without it.
        if (!isPartlineError(error) && !leaving.signal.aborted) throw error;
      });
    return () => leaving.abort();
  }, [link, partNumber, partline]);
  const name = schemas[0] ?? (drawn && fill(texts.drawingOfPage, { page: drawn.page }));
  return (
    <figure className="desk-drawn">
      {drawn && (
        <>
          <a href={manualAddress(link, partNumber)} className="drawing-content">
            <img src={ownAddress(drawn.imageUrl)} alt={`${name}: ${partNumber}`} className="drawn" />
            <svg className="callouts" aria-hidden="true">
              {drawn.callouts
                .filter((callout) => callout.partNumber === partNumber)
                .map(({ ref, box }, index) => (
                  <rect key={`${ref} ${index}`} className="callout pointed" {...placeMark(box)} />
                ))}
            </svg>
          </a>
          <figcaption className="soft small">{name}</figcaption>
        </>
      )}
    </figure>
  );
}

/** Finds the page that draws a part: the one that lists it, or one of the figures that it lists. */
async function findDrawing(
  partline: Partline,
  { link, partNumber }: { link: string; partNumber: string },
  signal: AbortSignal,
): Promise<Drawing | undefined> {
  const [, sha256, page] = PDF_LINK.exec(link) ?? [];
  if (sha256 === undefined) return undefined;
  const listed = await partline.ai.manualPage({ sha256, page: Number(page) }, { signal });
  const isDrawnIn = ({ callouts }: Drawing): boolean => callouts.some((callout) => callout.partNumber === partNumber);
  const [figure] = listed.figures;
  if (isDrawnIn(listed) || !figure) return listed;
  const { drawings } = await partline.ai.fitmentFigure({ figure: figure.id, pageSize: 1 }, { signal });
  return drawings.find(isDrawnIn) ?? drawings[0] ?? listed;
}
