import { normalizePartNumber } from "@partline/parts-language";
import { figureKey } from "./manual.ts";
import { figureAt, figuresOfPage } from "./figures/page-figures.ts";
import { type FoundPart, isOfRow, type PageFindings, type Table } from "./findings.ts";
import { makerIn } from "./models/makers.ts";
import { distinctModels, findHeadlines, modelsOf } from "./models/models.ts";
import { areaOf, type PageContent } from "./page.ts";
import { joinMentions } from "./parts/join.ts";
import { modelsOfTable } from "./parts/layout.ts";
import { partsOfPage } from "./parts/page-parts.ts";
import { toUpright, uprightViews } from "./text/directions.ts";

/** Of the page that images cover; characters at most. */
const SCANNED_SHARE = 0.8;
const SCANNED_CHARACTERS = 200;

/** Reads a page's text, parts, figures and models; hidden text does not count. */
export function readPage(page: PageContent, tables: readonly Table[]): PageFindings {
  const views = uprightViews(page, tables);
  const [main] = views;
  const lines = views.flatMap(({ blocks }) => blocks.flat());
  const text = linesOf(views);
  const models = distinctModels([...modelsOf(page.number, lines), ...tables.flatMap(modelsOfTable)]);
  const vendor = makerIn(text)?.vendor;
  const parts = partsOfPage(page.number, tables, views, {
    models: new Set(models.map(normalizePartNumber)),
    vendor,
  });
  const headlines = views.flatMap(({ blocks, tables: turned }) => findHeadlines(page.number, blocks.flat(), turned));
  const placed = main ? figuresOfPage(page, main, parts.some(isOfRow)) : [];
  return {
    page: page.number,
    width: page.width,
    height: page.height,
    text,
    hiddenText: linesOf(page.texts.filter(({ hidden }) => hidden)),
    isScanned: isScanned(page),
    isRecognised: false,
    tables: [...tables],
    parts: joinMentions(
      parts.map((part): FoundPart => {
        const figure = main && isOfRow(part) ? figureAt(placed, toUpright(part.box, main.turn, page)) : undefined;
        return figure && figureKey(figure) !== "" ? { ...part, figure: figureKey(figure) } : part;
      }),
    ),
    figures: placed.map(({ figure }) => figure),
    models,
    ...(headlines.length > 0 && { headlines }),
  };
}

function linesOf(texts: readonly { text: string }[]): string {
  return texts
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
}

function isScanned({ width, height, images, texts }: PageContent): boolean {
  if (images.reduce((sum, image) => sum + areaOf(image), 0) < SCANNED_SHARE * width * height) return false;
  const seen = texts.filter(({ hidden }) => !hidden).map(({ text }) => text.replace(/\s/g, ""));
  return seen.join("").length < SCANNED_CHARACTERS;
}
