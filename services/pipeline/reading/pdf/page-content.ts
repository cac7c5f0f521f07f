import { AnnotationMode, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { PageContent } from "../page.ts";
import type { Font, LayerVisibility } from "./graphics-state.ts";
import { PageWalk } from "./page-walk.ts";

/** Its name in pdf.js, or its pixels. */
export type ImageSource = string | object;

export interface ReadContent {
  content: PageContent;
  /** By index - 1. */
  sources: ImageSource[];
}

export async function readContent(page: PDFPageProxy, layers: LayerVisibility): Promise<ReadContent> {
  const viewport = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE });
  const fontOf = (name: string): Font | undefined =>
    page.commonObjs.has(name) ? (page.commonObjs.get(name) as Font) : undefined;
  const walk = new PageWalk({
    base: viewport.transform,
    width: viewport.width,
    height: viewport.height,
    fontOf,
    layers,
  });
  for (let n = 0; n < fnArray.length; n += 1) walk.take(fnArray[n]!, (argsArray[n] as unknown[] | null) ?? []);
  return walk.finish(page.pageNumber);
}
