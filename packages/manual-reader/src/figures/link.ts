import { figureKey } from "../manual.ts";
import { type Figure, type FoundPart, isListed, isOfRow, type PageFigure, type PageFindings } from "../findings.ts";

/** Pages, and share of them, that make a title without label the manual's. */
const FEWEST_PAGES = 3;
const SHARE = 0.5;

/** Drawings get names from the facing page; rows get the figure of their page, else of one beside it, by callouts. */
export function linkFigures(pageFindings: readonly PageFindings[]): PageFindings[] {
  const pages = withDistinctLabels(nameDrawings(withoutRunningTitles(pageFindings)));
  const keyByNumber = new Map(
    pages.flatMap(({ figures }) => figures.map((figure) => [toNumber(figure.label), figureKey(figure)] as const)),
  );
  let carried: { page: number; key: string } | undefined;
  return pages.map((page, index) => {
    const rows = page.parts.filter((part) => isOfRow(part) && (isListed(part) || page.tables.length > 0));
    const figureKeys = page.figures.map(figureKey).filter((key) => key !== "");
    const [previous, next] = besides(pages, index);
    const isTitled = figureKeys.length === 1 && page.figures.every((figure) => figure.label === "" && !isDrawn(figure));
    // What is drawn after a list is that of the list behind it, if there is one.
    const isNext = pages[index + 2]?.parts.some(isOfRow);
    const facing = isTitled ? findFacingDrawing(rows, [previous, isNext ? undefined : next]) : undefined;
    const unknown = facing ? rows : rows.filter(({ figure }) => figure === undefined);
    const key =
      unknown.length === 0
        ? undefined
        : facing
          ? figureKey(facing)
          : figureKeys.length === 1
            ? figureKeys[0]
            : toKey(
                unknown,
                previous?.figures.findLast(isDrawnAndNamed),
                carried?.page === page.page - 1 ? carried.key : undefined,
                next?.parts.some(isOfRow) ? undefined : next?.figures.find(isDrawnAndNamed),
              );
    const last = rows.at(-1)?.figure ?? key ?? figureKeys.at(-1);
    carried = last === undefined ? undefined : { page: page.page, key: last };
    let numberedKey: string | undefined;
    return {
      ...page,
      parts: page.parts.map((part) => {
        const [, number] = IN_REFERENCE.exec(part.reference ?? "") ?? [];
        // A row without a reference goes on with the one above.
        if (number !== undefined) numberedKey = keyByNumber.get(toNumber(number));
        else if (part.reference !== undefined || !isOfRow(part)) numberedKey = undefined;
        return numberedKey !== undefined || unknown.includes(part) ? { ...part, figure: numberedKey ?? key } : part;
      }),
    };
  });
}

/** The figure's number in a reference: 2 of `2_01`. */
const IN_REFERENCE = /^(\d{1,3})_\d/;

/** `02` is 2. */
function toNumber(label: string): string {
  return label.replace(/^0+(?=\d)/, "");
}

/** References of a list before a drawing is its own by them, and the share of them that it has. */
const FEWEST_REFERENCES = 3;
const DRAWN = 0.6;

/** The drawing, without a list of its own, on a page that faces a list, that has its references, by another title. */
function findFacingDrawing(
  rows: readonly FoundPart[],
  facing: readonly (PageFindings | undefined)[],
): PageFigure | undefined {
  const references = new Set(rows.flatMap(({ reference }) => reference ?? []));
  if (references.size < FEWEST_REFERENCES) return undefined;
  return facing
    .flatMap((page) => (page && !page.parts.some(isOfRow) ? page.figures.filter(isDrawnAndNamed) : []))
    .find(({ callouts }) => callouts.filter((ref) => references.has(ref)).length >= DRAWN * references.size);
}

/** The pages before and after, unless they could not be read. */
function besides(pages: readonly PageFindings[], index: number): (PageFindings | undefined)[] {
  return [pages[index - 1], pages[index + 1]].map((near) =>
    near && Math.abs(near.page - pages[index]!.page) === 1 ? near : undefined,
  );
}

/** The manual's figures, each once. */
export function joinFigures(pages: readonly PageFindings[]): Figure[] {
  const figures = new Map<string, Figure>();
  for (const { places: _, ...figure } of pages.flatMap((page) => page.figures)) {
    const key = figureKey(figure);
    if (key === "") continue;
    const earlier = figures.get(key);
    const { page, images } = earlier && (isDrawn(earlier) || !isDrawn(figure)) ? earlier : figure;
    const title = earlier?.title || figure.title;
    const callouts = [...new Set([...(earlier?.callouts ?? []), ...figure.callouts])];
    figures.set(key, { ...figure, ...earlier, page, images, title, callouts });
  }
  return [...figures.values()];
}

/** The page before's, unless the page after draws more of the references. */
function toKey(
  rows: readonly FoundPart[],
  previous: Figure | undefined,
  carried: string | undefined,
  next: Figure | undefined,
): string | undefined {
  const earlier = previous ? figureKey(previous) : carried;
  if (!next) return earlier;
  if (earlier === undefined) return figureKey(next);
  return agreement(rows, next) > (previous ? agreement(rows, previous) : 0) ? figureKey(next) : earlier;
}

/** References among the callouts. */
function agreement(rows: readonly FoundPart[], { callouts }: Figure): number {
  return rows.filter(({ reference }) => reference !== undefined && callouts.includes(reference)).length;
}

/** A drawing without heading gets the name of a figure that the page after or before does not draw. */
function nameDrawings(pages: readonly PageFindings[]): PageFindings[] {
  return pages.map((page, index) => ({
    ...page,
    figures: page.figures.flatMap((figure) => {
      if (figureKey(figure) !== "") return [figure];
      const namesake = besides(pages, index)
        .reverse()
        .flatMap((near) => {
          const heading = near?.figures.find((nearFigure) => figureKey(nearFigure) !== "" && !isDrawn(nearFigure));
          return heading ? [{ own: heading, agreed: agreement(near!.parts, figure) }] : [];
        })
        .sort((a, b) => b.agreed - a.agreed)[0]?.own;
      return namesake ? [{ ...figure, label: namesake.label, title: namesake.title }] : [];
    }),
  }));
}

function withoutRunningTitles(pages: readonly PageFindings[]): PageFindings[] {
  const unlabelled = pages.flatMap(({ figures }) => figures.filter(({ label }) => label === ""));
  const titled = Map.groupBy(unlabelled, ({ title }) => title);
  const isRunning = (title: string): boolean =>
    title !== "" && (titled.get(title)?.length ?? 0) >= Math.max(FEWEST_PAGES, SHARE * pages.length);
  return pages.map((page) => ({
    ...page,
    figures: page.figures.map((figure) =>
      figure.label === "" && isRunning(figure.title) ? { ...figure, title: "" } : figure,
    ),
    parts: page.parts.map((part) =>
      part.figure !== undefined && isRunning(part.figure) && !page.figures.some(({ label }) => label === part.figure)
        ? { ...part, figure: undefined }
        : part,
    ),
  }));
}

function isDrawn({ images, callouts }: Figure): boolean {
  return images.length > 0 || callouts.length > 0;
}

const isDrawnAndNamed = (figure: Figure): boolean => isDrawn(figure) && figureKey(figure) !== "";

/** If chapters count their figures again, later ones with another title get a title of label and title. */
function withDistinctLabels(pages: readonly PageFindings[]): PageFindings[] {
  const first = new Map<string, string>();
  const latest = new Map<string, string>();
  return pages.map((page) => {
    const renamed = new Map<string, string>();
    const figures = page.figures.map((figure) => {
      const title = figure.title || (latest.get(figure.label) ?? "");
      if (figure.label === "" || title === "") return figure;
      if (!first.has(figure.label)) first.set(figure.label, title);
      latest.set(figure.label, title);
      if (folded(first.get(figure.label)!) === folded(title)) return figure;
      renamed.set(figure.label, `${figure.label} ${title}`);
      return { ...figure, label: "", title: `${figure.label} ${title}` };
    });
    return {
      ...page,
      figures,
      parts: page.parts.map((part) =>
        part.figure !== undefined && renamed.has(part.figure) ? { ...part, figure: renamed.get(part.figure)! } : part,
      ),
    };
  });
}

const folded = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();
