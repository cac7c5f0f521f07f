import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { getDocument, Util } from "pdfjs-dist/legacy/build/pdf.mjs";

export interface ReadPage {
  /** Runs of text in the order of drawing, in points from the top left corner as seen. */
  texts: { text: string; x: number; y: number; width: number; height: number }[];
}

/** What pdf.js finds on each page of a PDF. */
export async function pageTexts(pdf: Buffer): Promise<ReadPage[]> {
  const standardFontDataUrl = `${join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "standard_fonts")}/`;
  const document = await getDocument({ data: new Uint8Array(pdf), standardFontDataUrl, verbosity: 0 }).promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { transform } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => {
      if (!("str" in item) || item.str.trim() === "") return [];
      const [a, b, , , x, y] = Util.transform(transform, item.transform) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const length = Math.hypot(a, b);
      const along = { x: (a / length) * item.width, y: (b / length) * item.width };
      const up = { x: (b / length) * item.height, y: (-a / length) * item.height };
      const across = [x, x + along.x, x + up.x, x + along.x + up.x];
      const down = [y, y + along.y, y + up.y, y + along.y + up.y];
      return [
        {
          text: item.str,
          x: Math.min(...across),
          y: Math.min(...down),
          width: Math.max(...across) - Math.min(...across),
          height: Math.max(...down) - Math.min(...down),
        },
      ];
    });
    pages.push({ texts });
  }
  await document.loadingTask.destroy();
  return pages;
}
