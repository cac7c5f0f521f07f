import type { PlannedPart } from "../part-pool.ts";
import { tableLook } from "../style.ts";
import { lineHeight, type Surface, type TextStyle } from "../surface.ts";
import type { TableLook } from "../table.ts";
import type { FigureTruth, Layout } from "../truth.ts";
import { drawParts, partsTable, withReference, withoutRemarks, type PartsTable } from "../parts-table.ts";
import { ScanSurface } from "../scan-surface.ts";
import { getArea, runningLine, startPage, type Area, type Writing } from "../writing.ts";
import { drawExplodedView } from "./exploded-view.ts";

/** A section of the manual: a heading, what it shows, and the parts of it. */
export interface PlannedFigure {
  label: string;
  title: string;
  parts: readonly PlannedPart[];
}

const HEADING: TextStyle = { face: "bold", size: 12 };
const LEAST_ROOM = 120;

/**
 * One figure after another in tables that go on over pages; a second one begins on the page where there is room for it.
 */
export function tablePages(writing: Writing, layout: Layout, figures: readonly PlannedFigure[]): void {
  const { random, style } = writing;
  const look = tableLook(style, layout === "borderless-table" ? "none" : random.pick(["grid", "grid", "rows", "bars"]));
  let open: { surface: Surface; page: number; area: Area } | undefined;
  for (const figure of figures) {
    if (!open || open.area.bottom - open.area.y < LEAST_ROOM) open = startPage(writing, layout);
    beginFigure(writing, figure, open.page, "none");
    open = drawTablePages(writing, open, {
      figure,
      layout,
      look,
      table: partsTable(writing, figure.parts),
      next: () => startPage(writing, layout),
    });
  }
}

/** A landscape page: one that viewers turn, or one whose content lies on its side. */
export function landscapePages(writing: Writing, layout: "rotated" | "sideways", figure: PlannedFigure): void {
  const start = () => startPage(writing, layout, { orientation: layout });
  const open = start();
  beginFigure(writing, figure, open.page, "none");
  const look = tableLook(writing.style, writing.random.pick(["grid", "rows", "none"]));
  drawTablePages(writing, open, { figure, layout, look, table: partsTable(writing, figure.parts), next: start });
}

/** A page that is nothing but the picture of one. */
export function scannedPage(writing: Writing, figure: PlannedFigure): void {
  const { surface, page } = startPage(writing, "scanned", { isScanned: true });
  const scan = new ScanSurface(surface.width, surface.height, { random: writing.random, askew: true });
  runningLine(writing, scan, page);
  beginFigure(writing, figure, page, "none");
  const area = getArea(writing, scan);
  // What has no room is left out of the manual.
  const top = heading(writing, scan, figure, area, false);
  drawParts(writing, scan, {
    table: partsTable(writing, figure.parts),
    from: 0,
    area: { ...area, y: top },
    look: tableLook(writing.style, "grid"),
    page,
    layout: "scanned",
    figure: named(figure),
  });
  surface.image(scan.jpeg(), { x: 0, y: 0, width: surface.width, height: surface.height });
}

/** Two lists side by side. */
export function twoColumnPage(writing: Writing, figure: PlannedFigure): void {
  const { style } = writing;
  const look = tableLook(style, writing.random.pick(["grid", "none", "none"]), Math.min(style.text, 7.5));
  const table = partsTable(writing, figure.parts, { order: withoutRemarks(style), isNarrow: true });
  for (let from = 0, isFirst = true; from < figure.parts.length; isFirst = false) {
    const { surface, page, area } = startPage(writing, "two-column");
    if (isFirst) beginFigure(writing, figure, page, "none");
    const y = heading(writing, surface, figure, area, !isFirst);
    const gap = 18;
    const width = (area.width - gap) / 2;
    // Both lists end at about the same height where there are few parts.
    const rowHeight = lineHeight(look.text) * 2 + 2 * look.padding.y;
    const bottom = Math.min(area.bottom, y + (Math.ceil((figure.parts.length - from) / 2) + 1) * rowHeight);
    for (const x of [area.x, area.x + width + gap]) {
      if (from < figure.parts.length)
        from += drawParts(writing, surface, {
          table,
          from,
          area: { x, y, width, bottom },
          look,
          page,
          layout: "two-column",
          figure: named(figure),
        }).drawn;
    }
  }
}

/** A drawing with numbered parts, in lines or as a picture, and its table below it or on the page after. */
export function explodedViewPages(writing: Writing, figure: PlannedFigure): void {
  const { random, style } = writing;
  const isPicture = random.chance(0.4);
  const facing = random.chance(0.4);
  const open = startPage(writing, "exploded-view");
  const callouts = figure.parts.map((part) => part.reference!);
  const figureTruth = beginFigure(writing, figure, open.page, isPicture ? "image" : "lines", isPicture ? [] : callouts);
  const top = heading(writing, open.surface, figure, open.area, false) + 6;
  const box = {
    x: open.area.x,
    y: top,
    width: open.area.width,
    height: (facing ? open.area.bottom : open.area.y + (open.area.bottom - open.area.y) * 0.5) - top,
  };
  const drawing = { callouts, random, balloons: style.balloons };
  if (isPicture) {
    const picture = new ScanSurface(box.width, box.height, { random, askew: false });
    const places = drawExplodedView(picture, { x: 0, y: 0, width: box.width, height: box.height }, drawing);
    figureTruth.places = places.map(({ ref, box: { x, y, ...size } }) => ({
      ref,
      box: { x: x + box.x, y: y + box.y, ...size },
    }));
    open.surface.image(picture.jpeg(), box);
  } else figureTruth.places = drawExplodedView(open.surface, box, drawing);
  const next = () => startPage(writing, "exploded-view");
  const look = tableLook(style, random.pick(["grid", "rows", "none"]));
  const table = partsTable(writing, figure.parts, { order: withReference(style) });
  drawTablePages(writing, facing ? next() : { ...open, area: { ...open.area, y: box.y + box.height + 10 } }, {
    figure,
    layout: "exploded-view",
    look,
    table,
    next,
    withHeading: facing,
  });
}

/** Notes a figure and puts it into the contents. */
export function beginFigure(
  { truth, contents, style }: Writing,
  { label, title }: PlannedFigure,
  page: number,
  drawn: FigureTruth["drawn"],
  callouts: string[] = [],
): FigureTruth {
  const figure: FigureTruth = { label, title, page, drawn, callouts, places: [] };
  truth.figures.push(figure);
  contents.push({ text: style.figure(label, title), page });
  return figure;
}

export function heading(
  { style }: Writing,
  surface: Surface,
  { label, title }: PlannedFigure,
  area: Area,
  isContinued: boolean,
): number {
  surface.text(style.figure(label, title) + (isContinued ? ` ${style.continued}` : ""), area.x, area.y, HEADING);
  return area.y + lineHeight(HEADING) + 6;
}

/** Answers the last page, with what room is left on it. */
export function drawTablePages<Open extends { surface: Surface; page: number; area: Area }>(
  writing: Writing,
  first: Open,
  {
    figure,
    layout,
    look,
    table,
    next,
    withHeading = true,
  }: {
    figure: PlannedFigure;
    layout: Layout;
    look: TableLook;
    table: PartsTable;
    next: () => Open;
    withHeading?: boolean;
  },
): Open {
  let open = first;
  for (let from = 0; ; open = next()) {
    const y =
      withHeading || open !== first ? heading(writing, open.surface, figure, open.area, open !== first) : open.area.y;
    const { drawn, bottom } = drawParts(writing, open.surface, {
      table,
      from,
      area: { ...open.area, y },
      look,
      page: open.page,
      layout,
      figure: named(figure),
    });
    from += drawn;
    if (from >= figure.parts.length) return { ...open, area: { ...open.area, y: bottom + 24 } };
  }
}

function named({ label, title }: PlannedFigure): { label: string; title: string } {
  return { label, title };
}
