import { normalizePartNumber, type VendorCode } from "@partline/parts-language";
import { escapeRegExp } from "@partline/toolkit";
import { joinFigures, linkFigures } from "./figures/link.ts";
import { type FoundPart, isListed, isOfRow, type Manual, type PageFindings } from "./findings.ts";
import { identifyMachine } from "./models/machine.ts";
import { makerIn } from "./models/makers.ts";
import { MODEL } from "./models/models.ts";
import { continueTables, withoutRunning } from "./parts/continued.ts";
import { findFamily, OUR_SKU } from "./parts/families.ts";
import { findRole } from "./parts/headers.ts";
import { listHeaderWords } from "./parts/layout.ts";
import { joinMentions } from "./parts/join.ts";
import { identifyVendor } from "./parts/scan.ts";
import { findShape, isTelling, learnShapes, mendNumber } from "./parts/shapes.ts";

/** What the sender knows of a manual. */
export interface Given {
  sha256: string;
  filename: string;
  /** The title in the file's own metadata. */
  title?: string;
  author?: string;
  /** Titles of its outline. */
  chapters?: readonly string[];
  /** Machines that the sender names. They outweigh what the manual says. */
  equipment?: readonly string[];
  manufacturer?: string;
}

/** Puts pages together: continued tables get their columns, parts their figures, and replacements hold on all pages. */
export function assemble(
  pageFindings: readonly PageFindings[],
  { sha256, filename, title, author, chapters, ...facts }: Given,
): { manual: Manual; pages: PageFindings[] } {
  const sorted = [...pageFindings].sort((a, b) => a.page - b.page);
  const listed = new Set(sorted.flatMap(({ parts }) => parts.filter(isListed).map(({ pnNorm }) => pnNorm)));
  const machine = identifyMachine({ filename, title, author, chapters, pages: sorted, listed }, facts);
  const { equipment: models, manufacturer } = machine;
  const maker = makerIn(manufacturer ?? "");
  const surroundings = {
    models: new Set([...models, ...sorted.flatMap((page) => page.models)].map(normalizePartNumber)),
    vendor: maker?.vendor,
  };
  const continued = withoutRunning(takeAlike(continueTables(sorted, surroundings)));
  const linkedPages = linkFigures(continued);
  const wholePages = replacedEverywhere(linkedPages).map((page) => {
    const parts = page.parts
      .filter(({ pnNorm }) => !surroundings.models.has(pnNorm))
      .map((part) => withWholeModels(part, models));
    return {
      ...page,
      models: findPageModels(page, models),
      parts: joinMentions(maker?.vendor ? ofMaker(parts, maker.vendor) : parts),
    };
  });
  const pages = withListedModels(wholePages);
  return {
    manual: {
      sha256,
      filename,
      title: titleOfManual(sorted[0], { filename, title, author }),
      ...machine,
      pages: pages.length,
      figures: joinFigures(pages),
    },
    pages,
  };
}

/** The manual's models that a name covers: `T25` those of its series, `T25-42` and `T25-50`. */
function findCovered(name: string, models: readonly string[]): string[] {
  const key = normalizePartNumber(name);
  const same = models.filter((model) => normalizePartNumber(model) === key);
  if (same.length > 0) return same;
  return models.filter(
    (model) =>
      /^[-/ ]/.test(model.slice(name.length)) && model.slice(0, name.length).toUpperCase() === name.toUpperCase(),
  );
}

const IN_TITLE = new RegExp(
  String.raw`(?<![0-9A-Za-z-])(${MODEL})(?![0-9A-Za-z])(?=(\S*)(\s+(?:SERIES|[Ss]eries))?)`,
  "g",
);

/**
 * Those that the page's headline names, or for which a row counts, limit its parts, else those that it names. A model's
 * series, `TK20-W SERIES`, heads pages for all of them.
 */
function findPageModels(page: PageFindings, models: readonly string[]): string[] {
  const titles = page.figures.map(({ title }) => title).join("\n");
  const limited = [...titles.matchAll(IN_TITLE)].flatMap(([, name = "", rest = "", series]) =>
    series !== undefined && models.includes(name + rest) ? [] : findCovered(name, models),
  );
  if (limited.length === 0) return page.models.filter((model) => !isSeries(model, page.text, models));
  const counted = page.parts.flatMap(({ quantities = [] }) =>
    quantities.flatMap(({ model, quantity }) => (quantity === 0 ? [] : findCovered(model, models))),
  );
  return [...new Set([...limited, ...counted])];
}

/** Whether a page is headed by one of the manual's models as by the name of them all: `MODEL: TK20-W SERIES`. */
function isSeries(model: string, text: string, models: readonly string[]): boolean {
  return (
    models.length > 1 &&
    models.includes(model) &&
    new RegExp(String.raw`${escapeRegExp(model)}\s+(?:SERIES|[Ss]eries)(?!\p{L})`, "u").test(text)
  );
}

function withWholeModels(part: FoundPart, models: readonly string[]): FoundPart {
  if (!part.quantities) return part;
  const quantities = part.quantities.flatMap((quantity) => {
    const covered = findCovered(quantity.model, models);
    return covered.length > 0 ? covered.map((model) => ({ ...quantity, model })) : [quantity];
  });
  return { ...part, quantities };
}

/** Listed numbers of a manual before those of another spelling are doubted; their share that is spelled alike. */
const FEWEST_LISTED = 20;
const ALIKE = 0.8;
/** A label says so; nothing does, of letters and digits: codes of drawings and of circuits are such. */
const CERTAIN = 0.9;
const BARE_CODE = 0.7;

/**
 * Takes the numbers of texts that are spelled as those of the manual's lists, or that it has elsewhere, and leaves out
 * what only looks like a number of other makers.
 */
function takeAlike(pages: readonly PageFindings[]): PageFindings[] {
  const misread = findMisread(pages);
  const parts = pages.flatMap((page) => (misread.has(page.page) ? [] : page.parts));
  const listed = new Set(parts.filter((part) => isOfRow(part)).map(({ partNumber }) => partNumber));
  const shapes = learnShapes(parts.filter(isSpelled).map(({ partNumber }) => partNumber));
  const listedShapes = learnShapes(listed);
  const numbers = new Set(parts.filter(({ confidence }) => confidence >= CERTAIN).map(({ pnNorm }) => pnNorm));
  const isAlike = ({ partNumber }: Pick<FoundPart, "partNumber">): boolean => shapes.has(findShape(partNumber));
  const alike = [...listed].filter((partNumber) => isAlike({ partNumber })).length;
  const isTold = listed.size >= FEWEST_LISTED && alike >= ALIKE * listed.size;
  const isDoubtful = (part: FoundPart): boolean =>
    part.namedIn === "text" &&
    part.replacedBy === undefined &&
    !isAlike(part) &&
    part.confidence < (isTold ? CERTAIN : part.pattern === "letters-digits" ? BARE_CODE : 0);
  return pages.map(({ possible = [], ...page }) => {
    if (misread.has(page.page)) return { ...page, isMisread: true, parts: keepCommon(page.parts) };
    const pageParts = page.isRecognised ? page.parts.map((part) => mendPart(part, shapes)) : page.parts;
    return {
      ...page,
      parts: [
        ...pageParts.filter((part) => !isDoubtful(part)),
        // A cover has the document's number, which a publisher spells as those that it labels.
        ...possible.filter(
          (part) =>
            numbers.has(part.pnNorm) || (page.page > 1 ? isAlike(part) : listedShapes.has(findShape(part.partNumber))),
        ),
      ],
    };
  });
}

const isOfText = ({ namedIn }: FoundPart): boolean => namedIn === "text";
/** Whether its spelling is that of part numbers: a list has it, or a label. */
const isSpelled = (part: FoundPart): boolean => isOfRow(part) || (isOfText(part) && part.confidence >= CERTAIN);

/** Listed numbers of a recognised page that are spelled as no others, and their share, before all are left out. */
const FEWEST_MISREAD = 6;
const MISREAD = 0.5;

/** Keeps what so many numbers of a misread page's lists are spelled as, and its text has. */
function keepCommon(parts: readonly FoundPart[]): FoundPart[] {
  const listed = Map.groupBy(
    parts.filter((part) => !isOfText(part)),
    ({ partNumber }) => findShape(partNumber),
  );
  const isCommon = ({ partNumber }: FoundPart): boolean =>
    (listed.get(findShape(partNumber))?.length ?? 0) >= FEWEST_MISREAD && isTelling(partNumber);
  return parts.filter((part) => isOfText(part) || isCommon(part));
}

/** Finds the recognised pages on which OCR read most numbers of lists wrong: their numbers. */
function findMisread(pages: readonly PageFindings[]): ReadonlySet<number> {
  const recognised = pages.filter(({ isRecognised }) => isRecognised);
  if (recognised.length === 0) return new Set();
  const parts = pages.flatMap((page) => page.parts);
  const shapes = learnShapes(parts.filter(isSpelled).map(({ partNumber }) => partNumber));
  const isStrange = ({ partNumber }: FoundPart): boolean =>
    !shapes.has(findShape(mendNumber(partNumber, shapes))) && findFamily(partNumber) === undefined;
  const misread = recognised.filter((page) => {
    const listed = page.parts.filter((part) => !isOfText(part));
    return listed.filter(isStrange).length >= Math.max(FEWEST_MISREAD, MISREAD * listed.length);
  });
  return new Set(misread.map(({ page }) => page));
}

/** A part of a page that OCR read, whose number the lists show to be misread. */
function mendPart(part: FoundPart, shapes: ReadonlySet<string>): FoundPart {
  const partNumber = mendNumber(part.partNumber, shapes);
  return partNumber === part.partNumber ? part : { ...part, partNumber, pnNorm: normalizePartNumber(partNumber) };
}

/** Finds the vendor of a number that staff typed, as of one that was read. */
export function findVendor(partNumber: string, manufacturer = ""): VendorCode | undefined {
  return identifyVendor(partNumber, findFamily(partNumber), makerIn(manufacturer)?.vendor).vendor;
}

function ofMaker(parts: readonly FoundPart[], vendor: VendorCode): FoundPart[] {
  return parts.map((part) =>
    part.pattern === OUR_SKU
      ? part
      : { ...part, ...identifyVendor(part.partNumber, findFamily(part.partNumber), vendor) },
  );
}

function replacedEverywhere(pages: readonly PageFindings[]): PageFindings[] {
  const successors = new Map(
    pages.flatMap(({ parts }) =>
      parts.flatMap(({ pnNorm, replacedBy }) => (replacedBy ? [[pnNorm, replacedBy] as const] : [])),
    ),
  );
  const addSuccessor = (part: FoundPart): FoundPart =>
    part.replacedBy === undefined && successors.has(part.pnNorm)
      ? { ...part, replacedBy: successors.get(part.pnNorm)! }
      : part;
  return pages.map((page) => ({ ...page, parts: page.parts.map(addSuccessor) }));
}

/**
 * A number that a sentence or an index names is for those models alone for which the manual's lists have it, if they
 * say which.
 */
function withListedModels(pages: readonly PageFindings[]): PageFindings[] {
  const listed = pages.flatMap((page) =>
    page.parts.filter(isOfRow).map(({ pnNorm, quantities }) => ({
      pnNorm,
      isCounted: quantities !== undefined,
      models: quantities?.flatMap(({ model, quantity }) => (quantity === 0 ? [] : model)) ?? page.models,
    })),
  );
  const rowsByNumber = Map.groupBy(listed, ({ pnNorm }) => pnNorm);
  const findCounted = ({ pnNorm }: FoundPart) => (rowsByNumber.get(pnNorm) ?? []).filter(({ isCounted }) => isCounted);
  const isIndex = ({ parts }: PageFindings): boolean => {
    const rows = parts.filter((part) => isOfRow(part) && part.quantities === undefined);
    const counted = rows.filter((part) => findCounted(part).length > 0);
    return counted.length >= Math.max(FEWEST_INDEXED, INDEXED * rows.length);
  };
  const limit = (part: FoundPart, isIndexed: boolean): FoundPart => {
    const isOwn = isOfRow(part) && (!isIndexed || part.quantities !== undefined);
    const rows = isOwn ? [] : isOfRow(part) ? findCounted(part) : (rowsByNumber.get(part.pnNorm) ?? []);
    const models = rows.every((row) => row.models.length > 0) ? rows.flatMap((row) => row.models) : [];
    // Beside an index's numbers stand figures and references, no counts.
    const facts = isOfRow(part) ? { ...part, quantity: undefined } : part;
    return models.length === 0 ? part : { ...facts, quantities: [...new Set(models)].map((model) => ({ model })) };
  };
  return pages.map((page) => {
    const isIndexed = isIndex(page);
    return page.models.length > 0 ? page : { ...page, parts: page.parts.map((part) => limit(part, isIndexed)) };
  });
}

/** Rows of an index, and their share, whose numbers are listed elsewhere, with the models that have them. */
const FEWEST_INDEXED = 5;
const INDEXED = 0.7;

const NAMES_A_MANUAL = /\b(?:manual|catalog(?:ue)?|parts? list|parts book|handbook|guide|breakdown)\b/i;
const LONGEST = 120;

/** `Montage- und` goes on in the next line. */
const GOES_ON = /-\s(?:und|oder|en|och|og|&)$/;

/** `BOM.xlsx` is the name of a draft. */
const FILE_ENDING = /\.[a-z]{2,4}$/i;

/** Whether a line is a table's header, or a heading of notes, and names no manual. */
function isHeader(line: string): boolean {
  const roles = line.split(/\s+/).filter((word) => findRole(word) !== undefined);
  return line.endsWith(":") || roles.length > 1 || findRole(line) !== undefined;
}

/** Finds the title on the first page, else takes the file's own, which often is the name of a draft. */
function titleOfManual(
  first: PageFindings | undefined,
  { filename, title = "", author }: Pick<Given, "filename" | "title" | "author">,
): string {
  const lines = (first?.text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line) && line.length <= LONGEST);
  const names = [...lines.slice(0, 12), title];
  const manualName = names.find((name) => NAMES_A_MANUAL.test(name));
  if (manualName !== undefined) return manualName;
  const [line = "", next = ""] = lines[0] === author ? [] : lines;
  const headers = new Set((first?.tables ?? []).flatMap(listHeaderWords));
  const isOfHeader = line.split(/\s+/).every((word) => headers.has(word));
  if (line !== "" && !isHeader(line) && !isOfHeader) return GOES_ON.test(line) ? `${line} ${next}` : line;
  return title !== "" && !FILE_ENDING.test(title) ? title : filename.replace(/\.pdf$/i, "");
}
