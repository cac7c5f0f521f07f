import { normalizePartNumber } from "@partline/parts-language";
import { figureKey } from "./manual.ts";
import { figureAt, figuresOfPage } from "./figures/page-figures.ts";
import { type FoundPart, isOfRow, type PageFindings, type Table } from "./findings.ts";
import { makerIn } from "./models/makers.ts";
import { distinctModels, findHeadlines, findModels } from "./models/models.ts";
import { computeArea, hasDrawnText, type PageContent, type TextBox } from "./page.ts";
import { addHeadersAbove } from "./parts/header-above.ts";
import { splitLists } from "./parts/header-rows.ts";
import { joinMentions } from "./parts/join.ts";
import { modelsOfTable } from "./parts/layout.ts";
import { readLegend } from "./parts/model-columns.ts";
import { partsOfPage } from "./parts/page-parts.ts";
import { partOfRow } from "./parts/scan.ts";
import { toUpright, uprightViews } from "./text/directions.ts";
import type { Line } from "./text/lines.ts";

/** Of the page that images cover; characters at most. */
const SCANNED_SHARE = 0.8;
const SCANNED_CHARACTERS = 200;

/** Reads a page's text, parts, figures and models; hidden text does not count. */
export function readPage(page: PageContent, foundTables: readonly Table[]): PageFindings {
  const tables = splitLists(addHeadersAbove(page, foundTables));
  const views = uprightViews(page, tables);
  const [main, ...turned] = views;
  const lines = views.flatMap(({ blocks }) => blocks.flat());
  const text = joinLines(views);
  const models = distinctModels([...findModels(page.number, lines), ...tables.flatMap(modelsOfTable)]);
  const vendor = makerIn(text)?.vendor;
  const surroundings = { models: new Set(models.map(normalizePartNumber)), vendor, legend: readLegend(text) };
  const { parts: partsOnPage, possible } = partsOfPage(page.number, tables, views, surroundings);
  const headlines = views.flatMap(({ blocks, tables: turned }) => findHeadlines(page.number, blocks.flat(), turned));
  const parts = isExplanation(lines) ? partsOnPage.filter((part) => !isOfRow(part)) : partsOnPage;
  const placedFigures = main ? figuresOfPage(page, [main, ...turned], parts.some(isOfRow)) : [];
  const drawnParts = placedFigures.flatMap(({ partNumbers }) =>
    partNumbers
      .filter(({ text }) => !surroundings.models.has(normalizePartNumber(text)))
      .flatMap(({ text, box, name }) =>
        partOfRow(text, ["partRow"], "label", vendor, { page: page.number, box, reference: text, description: name }),
      ),
  );
  return {
    page: page.number,
    width: page.width,
    height: page.height,
    text,
    hiddenText: joinLines(page.texts.filter(({ hidden }) => hidden)),
    isScanned: isScanned(page),
    isRecognised: false,
    tables,
    parts: joinMentions(
      [...parts, ...drawnParts].map((part): FoundPart => {
        const figure =
          main && isOfRow(part) ? figureAt(placedFigures, toUpright(part.box, main.turn, page)) : undefined;
        return figure && figureKey(figure) !== "" ? { ...part, figure: figureKey(figure) } : part;
      }),
    ),
    ...(possible.length > 0 && { possible }),
    figures: placedFigures.map(({ figure }) => figure),
    models,
    ...(headlines.length > 0 && { headlines }),
  };
}

const EXPLAINS =
  /^(?:\d[\d.]*\s+)?(?:foreword|preface|(?:how to|guide to) (?:use|read|using|reading)\b|explanation of|using this|vorwort|(?:hinweise? zur|anleitung zur) (?:benutzung|verwendung)|avant-propos|comment (?:utiliser|lire)|pr(?:ó|o)logo|c(?:ó|o)mo (?:usar|utilizar|leer)|pref(?:á|a)cio|come (?:usare|utilizzare|leggere)|voorwoord|f(?:ö|o)rord|wst(?:ę|e)p$|предисловие|はじめに|前言)/iu;
/** Lines that may be the headline. */
const FIRST_LINES = 6;

/** Whether the page's headline says that its lists are examples, as of how to read a catalogue. */
function isExplanation(lines: readonly Line[]): boolean {
  return lines.slice(0, FIRST_LINES).some(({ text, segments }) => segments.length === 1 && EXPLAINS.test(text.trim()));
}

function joinLines(texts: readonly { text: string }[]): string {
  return texts
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
}

/** Whether a page is a picture, or a drawing of its letters, and has no text to speak of. */
function isScanned(page: PageContent): boolean {
  if (!isPicture(page) && !hasDrawnText(page)) return false;
  return countCharacters(page.texts.filter(({ hidden }) => !hidden)) < SCANNED_CHARACTERS;
}

function isPicture({ width, height, images }: PageContent): boolean {
  return images.reduce((sum, image) => sum + computeArea(image), 0) >= SCANNED_SHARE * width * height;
}

function countCharacters(texts: readonly { text: string }[]): number {
  return texts.reduce((count, { text }) => count + text.replace(/\s/g, "").length, 0);
}

/** A scanned page with the text that its scanner recognised and laid under the picture; undefined if it has none. */
export function revealTextLayer(page: PageContent): PageContent | undefined {
  const isOfLayer = ({ hidden }: TextBox): boolean => hidden === "invisible-mode" || hidden === "covered";
  const hasLayer =
    isPicture(page) && isScanned(page) && countCharacters(page.texts.filter(isOfLayer)) >= SCANNED_CHARACTERS;
  if (!hasLayer) return undefined;
  return { ...page, texts: page.texts.map((text) => (isOfLayer(text) ? { ...text, hidden: undefined } : text)) };
}
