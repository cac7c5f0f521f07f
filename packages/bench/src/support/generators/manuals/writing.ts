import type { Random } from "../random.ts";
import type { Maker } from "./makers.ts";
import type { PartPool } from "./part-pool.ts";
import type { Orientation, PdfPages, PdfSurface } from "./pdf-pages.ts";
import type { ManualStyle } from "./style.ts";
import { textCentred, textRight, type Surface, type TextStyle } from "./surface.ts";
import type { Layout, ManualTruth } from "./truth.ts";

/** A manual as it is written: what its pages draw from and where they say what they drew. */
export interface Writing {
  random: Random;
  style: ManualStyle;
  maker: Maker;
  pages: PdfPages;
  pool: PartPool;
  truth: ManualTruth;
  /** Lines of the table of contents. */
  contents: { text: string; page: number }[];
}

/** The area of a page's own content, points. */
export interface Area {
  x: number;
  y: number;
  width: number;
  bottom: number;
}

/** Adds a page and notes what kind it is. A scanned one gets its running line in the picture. */
export function startPage(
  writing: Writing,
  layout: Layout,
  { orientation = "portrait", isScanned = false }: { orientation?: Orientation; isScanned?: boolean } = {},
): { surface: PdfSurface; page: number; area: Area } {
  const surface = writing.pages.add(orientation);
  const page = writing.pages.last;
  writing.truth.pages.push({ page, layout, isScanned, distractors: [] });
  if (layout !== "title" && !isScanned) runningLine(writing, surface, page);
  return { surface, page, area: getArea(writing, surface) };
}

export function getArea({ style: { margin } }: Writing, surface: Surface): Area {
  return { x: margin, y: margin + 22, width: surface.width - 2 * margin, bottom: surface.height - margin - 22 };
}

/** Models on one side, the page number on the other, and the form number between them. */
export function runningLine({ style, truth }: Writing, surface: Surface, page: number): void {
  const y = style.running === "top" ? style.margin - 8 : surface.height - style.margin - 4;
  const small: TextStyle = { face: "italic", size: 7.5 };
  surface.text(`${truth.manufacturer} ${truth.models[0]!}`, style.margin, y, small);
  textRight(surface, style.pageNumber(page), surface.width - style.margin, y, small);
  if (style.form === undefined) return;
  textCentred(surface, style.form, surface.width / 2, y, small);
  noteDistractors({ truth }, page, [style.form]);
}

export function noteDistractors({ truth }: Pick<Writing, "truth">, page: number, distractors: readonly string[]): void {
  truth.pages[page - 1]!.distractors.push(...distractors);
}
