import { normalizePartNumber } from "@partline/parts-language";
import { escapeRegExp } from "@partline/toolkit";
import { type Candidate, Evidence, type ManualText, type PageText } from "./evidence.ts";
import { findTitles, isCover, isFirstPage, isRunning, listEdges, splitLines, toFileWords } from "./manual-text.ts";
import { readLabels } from "./model-labels.ts";
import { NUMBER_LABEL } from "./machine-words.ts";
import { MODEL } from "./models.ts";
import { toMakerKey } from "./makers.ts";
import { findTitleNames, findWholeName, isGeneric, isMakerAlone, isRefused, type TitleName } from "./title-names.ts";

/** How much a source says of which machine a manual is for, alone. */
const WEIGHTS = {
  label: 0.75,
  /** A label's, without digits. */
  plainLabel: 0.53,
  /** Each of a few pages further back. */
  labelInside: 0.2,
  naming: 0.55,
  headline: 0.5,
  /** Lines above and below a title. */
  besideTitle: 0.3,
  running: 0.5,
  title: 0.4,
  /** The only words of a title that are a name's: on the page, and in the file; on each page. */
  wholeTitle: 0.31,
  wholeRunning: 0.4,
  wholeFilename: 0.35,
  /** A title that is the name of a draft. */
  draft: 0.15,
  outline: 0.25,
  columns: 0.45,
  /** A name that other sources have, too; alone. */
  inFilename: 0.4,
  filename: 0.35,
  /** A name behind a maker's, of a manual without text. */
  filenameAlone: 0.8,
  behindMaker: 0.35,
  /** Marked as a name: `E-Cart®`. */
  marked: 0.3,
  /** And alone on a line of the cover. */
  markedLine: 0.55,
  /** Of the file's title and a page alike. */
  titleOnPage: 0.25,
  /** A word of the file's name that the manual spells as none is: `TRiCycle`. */
  coined: 0.3,
  /** In front of `models`. */
  called: 0.2,
  /** Of pages that name it, at most. */
  body: 0.4,
};
/** Of a name without digits, or of few letters. */
const PLAIN = 0.6;
/** More for `GX390` than for `XB0X`. */
const SHAPELY = 0.05;
const USUAL_SHAPE = new RegExp(`^${MODEL}$`);
/** Of a title inside the manual, and of a name in the file's name that its text has nowhere. */
const INSIDE = 0.5;
/** Of what may be a document's number. */
const NUMBERED = 0.4;
/** Pages further back whose labels count each by itself. */
const LABELS_INSIDE = 3;
/** Of a name on one page of a longer manual whose other names are on several. */
const LONE = 0.75;
const LONGER = 10;
const SEVERAL = 3;
/** Names whose pages are counted. */
const MOST_COUNTED = 40;
const LONGEST_TITLE = 120;
/** Pages with the same line. */
const FEWEST_REPEATED = 3;
/** Characters of a page without text. */
const BLANK = 40;
/** Of a model beside which a title counts only as far as it names one. */
const LIKELY_MODEL = 0.5;
/** Of makers whose names are no models. */
const LIKELY_MAKER = 0.3;
/** `1G68V-100E1`, `WS-RT001-OG`, `AB123456` */
const DOCUMENT = /^\d.*-.*\d|-.*\d.*-|\d{5}/;
const EDITION = /^(.*\d\p{Lu}+)-\d$/u;
const MARKED = /(\p{Lu}[\p{L}\d]*(?:-\p{Lu}?[\p{L}\d]+)?)\s?[®™]/gu;
/** `RTX Pond Skimmer™` */
const MARKED_LINE = /^(\p{Lu}[\p{L}\d-]*(?: \p{L}[\p{L}\d-]*){1,3})\s?[®™]$/u;
/** Small letters between capitals. */
const COINED = /\p{Lu}.*\p{Ll}\p{Lu}/u;
const SHORTEST_COINED = 5;
const FEWEST_COINED = 2;
/** Characters of a number in the file's name that a longer one begins with. */
const SHORTEST_STEM = 5;
/** Listed numbers that are spelled alike, and the digits of one. */
const FEWEST_ALIKE = 5;
const DIGITS_ALIKE = 6;
/** `250V/10A`, `2.8m`: a line of a list, whose letters OCR took for large ones. */
const HAS_MEASURE = /(?<![\p{L}\d])\d+(?:\.\d+)?\s?(?:V|A|W|[kK]W|[mM]{1,2}|GB|MHz|GHz|Hz|kg|in)(?![\p{L}\d])/u;
/** `Vitotronic 200`: a line of a cover, whose type plate may say another name. */
const NAMED_LINE = /^(\p{Lu}[\p{L}-]{3,})\s(?!(?:19|20)\d\d$)[1-9]\d{1,3}$/u;
const PRODUCT = /^(?:product|produkt|produit|producto|prodotto|produto)\s*:\s*([^,;:(]+)/iu;
const FILE_ENDING = /\.[a-z]{2,4}$/i;
/** What a file is called that nobody has named. */
const UNNAMED_FILE = /^(?:doc|document|scan|img|image|file|page|manual|download)\W?\d/i;

/** Ranks the models that a manual may be for. */
export function rankModels(manual: ManualText, makers: readonly Candidate[]): Candidate[] {
  const likely = makers.filter(({ confidence }) => confidence >= LIKELY_MAKER);
  const sightings = new Sightings(new Set(likely.map(({ name }) => toMakerKey(name))));
  const { pages, title = "", chapters = [], listed } = manual;
  for (const [index, page] of pages.entries()) sightings.addPage(page, index, pages.length);
  sightings.addRunning(pages.length);
  const isDraft = FILE_ENDING.test(title);
  sightings.addTitle(title, isDraft, pages);
  for (const chapter of chapters) sightings.addNames(chapter, "outline", WEIGHTS.outline);
  const isBlank = pages.every(({ text }) => text.length < BLANK);
  sightings.addFileName(manual.filename, isBlank, pages);
  sightings.addCoined(manual.filename, pages);
  sightings.dropEdition(pages);
  sightings.addCounts(pages);
  const models = sightings.rank(listed);
  if ((models[0]?.confidence ?? 0) >= LIKELY_MODEL) return models;
  sightings.addWholeTitles(manual);
  const [best] = sightings.rank(listed);
  if (best === undefined || (best.confidence < LIKELY_MODEL && isFiled(best.name, manual.filename)))
    sightings.addFileName(manual.filename, isBlank, pages, true);
  return sightings.rank(listed);
}

class Sightings {
  readonly #evidence = new Evidence(toModelKey);
  readonly #makerKeys: ReadonlySet<string>;
  /** Pages at whose edges a name is. */
  readonly #edges = new Map<string, Set<number>>();
  /** And those at whose edges a line has a name alone. */
  readonly #wholeLines = new Map<string, Set<number>>();
  /** Pages that have a line. */
  readonly #lines = new Map<string, number>();
  readonly #labelled = new Set<string>();
  readonly #lone = new Set<string>();
  #labelsInside = 0;

  constructor(makerKeys: ReadonlySet<string>) {
    this.#makerKeys = makerKeys;
  }

  addNames(line: string, source: string, weight: number, isUnderMaker = false): void {
    for (const name of findTitleNames(line, this.#makerKeys, isUnderMaker)) this.#addName(name, source, weight);
  }

  #addName({ name, isBehindMaker, isPlain }: TitleName, source: string, weight: number): void {
    const share = isPlain ? PLAIN : DOCUMENT.test(name) ? NUMBERED : 1;
    this.#evidence.add(name, source, weight * share + getBonus(name));
    if (isBehindMaker) this.#evidence.add(name, "maker", isPlain ? WEIGHTS.behindMaker * PLAIN : WEIGHTS.behindMaker);
  }

  addTitle(title: string, isDraft: boolean, pages: readonly PageText[]): void {
    const words = title.replace(FILE_ENDING, " draft").replaceAll("_", " ");
    this.addNames(words, "title", isDraft ? WEIGHTS.draft : WEIGHTS.title);
    for (const { name, isPlain } of isDraft ? [] : findTitleNames(words, this.#makerKeys))
      // A title of a number alone is the document's.
      if (!isPlain && name !== words && pages.some(({ text }) => toPattern(name).test(text)))
        this.#evidence.add(name, "title on page", WEIGHTS.titleOnPage);
  }

  /** Adds words of the file's name that the manual spells in a way of their own. */
  addCoined(filename: string, pages: readonly PageText[]): void {
    for (const word of toFileWords(filename).split(/[\s-]+/)) {
      if (word.length < SHORTEST_COINED || !/^\p{L}+$/u.test(word) || this.#makerKeys.has(toMakerKey(word))) continue;
      const pattern = new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, "giu");
      const spellings = pages.flatMap(({ text }) => text.match(pattern) ?? []).filter((name) => COINED.test(name));
      const [name] = spellings;
      const isBegun = this.#evidence
        .rank()
        .some(({ key }) => key !== toModelKey(word) && key.startsWith(toModelKey(word)));
      if (name === undefined || spellings.length < FEWEST_COINED || isBegun) continue;
      this.#evidence.add(name, "coined", WEIGHTS.coined);
      this.#evidence.add(name, "filename", WEIGHTS.filename);
    }
  }

  addPage({ text, headlines = [], models = [], isRecognised }: PageText, index: number, pages: number): void {
    const isFirst = isFirstPage(index);
    const lines = splitLines(text);
    const typeNames = this.#addLabels(lines, index);
    for (const name of isCover(index) ? lines.flatMap(listSideBySide) : [])
      this.#evidence.add(name, "label", WEIGHTS.label);
    for (const model of models.filter((name) => !isRefused(name, true)))
      if (isFirst && (isCover(index) || !typeNames.has(toModelKey(model))))
        this.#evidence.add(model, "first page", WEIGHTS.headline + getBonus(model));
      else if (!typeNames.has(toModelKey(model)))
        this.#evidence.add(model, "columns", WEIGHTS.columns + getBonus(model));
    if (isFirst) {
      let previous = "";
      for (const line of headlines) {
        const weight = isRecognised && HAS_MEASURE.test(line) ? WEIGHTS.headline * INSIDE : WEIGHTS.headline;
        this.addNames(line, "headline", weight, isMakerAlone(previous, this.#makerKeys));
        previous = line;
      }
      // What a chart or a sentence marks is a material, or another's.
      for (const [, name = ""] of headlines.join("\n").matchAll(MARKED))
        if (!isGeneric(name) && !this.#makerKeys.has(toMakerKey(name)))
          this.#evidence.add(name, "marked", WEIGHTS.marked);
      for (const line of index === 0 ? headlines : []) {
        const [, name] = MARKED_LINE.exec(line.trim()) ?? [];
        if (name !== undefined) this.#evidence.add(name, "marked", WEIGHTS.markedLine);
        const [lineName, word = ""] = NAMED_LINE.exec(line.trim()) ?? [];
        if (
          lineName !== undefined &&
          !isGeneric(word) &&
          !NUMBER_LABEL.test(word) &&
          !this.#makerKeys.has(toMakerKey(word))
        )
          this.#evidence.add(lineName, "headline", WEIGHTS.headline);
      }
    }
    const isOuter = isFirst || index === pages - 1;
    for (const { line, isNear } of findTitles(lines, index))
      if (isNear) this.addNames(line, "beside title", WEIGHTS.besideTitle);
      else if (isOuter) this.addNames(line, "naming", WEIGHTS.naming);
      else this.addNames(line, "naming inside", WEIGHTS.naming * INSIDE);
    for (const line of new Set(lines)) this.#lines.set(line, (this.#lines.get(line) ?? 0) + 1);
    for (const line of new Set(listEdges(text)))
      if (line.length <= LONGEST_TITLE) {
        for (const { name } of findTitleNames(line, this.#makerKeys)) addPage(this.#edges, name, index);
        const wholeName = findWholeName(line, this.#makerKeys);
        if (wholeName !== undefined) addPage(this.#wholeLines, wholeName, index);
      }
  }

  /** @returns keys of those whose label says `Type` */
  #addLabels(lines: readonly string[], index: number): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const { name, isBehind, isType } of readLabels(lines)) {
      if (isRefused(name, true)) continue;
      if (isBehind) {
        this.#evidence.add(name, `called ${index % LABELS_INSIDE}`, WEIGHTS.called);
        continue;
      }
      this.#labelled.add(toModelKey(name));
      if (isType) keys.add(toModelKey(name));
      if (isCover(index) || (isFirstPage(index) && !isType))
        this.#evidence.add(name, "label", /\d/.test(name) ? WEIGHTS.label : WEIGHTS.plainLabel);
      else this.#evidence.add(name, `label ${(this.#labelsInside += 1) % LABELS_INSIDE}`, WEIGHTS.labelInside);
    }
    return keys;
  }

  addRunning(pages: number): void {
    for (const [name, indexes] of this.#edges)
      if (isRunning(indexes.size, pages)) this.#evidence.add(name, "running", WEIGHTS.running);
    // The head of a table on each page.
    for (const [line, count] of this.#lines)
      if (count >= FEWEST_REPEATED && count > pages / 2 && line.length <= LONGEST_TITLE)
        this.addNames(line, "running", WEIGHTS.running);
  }

  /** @param isAlone nothing else names a machine: the file's name is not contradicted */
  addFileName(filename: string, isBlank: boolean, pages: readonly PageText[], isAlone = false): void {
    const words = toFileWords(filename);
    const glued = toModelKey(words);
    const stems = words.split(/\s+/).flatMap((word) => {
      const stem = toModelKey(word);
      return stem.length >= SHORTEST_STEM && /\d/.test(stem) && /\p{L}/u.test(stem) ? stem : [];
    });
    for (const { key, name } of isAlone ? [] : this.#evidence.rank())
      if (key.length >= 3 && (glued.includes(key) || stems.some((stem) => key.startsWith(stem))))
        this.#evidence.add(name, "filename", WEIGHTS.inFilename);
    if (UNNAMED_FILE.test(words)) return;
    const title = words
      .replace(/-(?=\p{L})/gu, " ")
      .split(/\s+/)
      .map((word) =>
        /\d/.test(word) && !/\p{Lu}/u.test(word)
          ? word.toUpperCase()
          : word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
      )
      .join(" ");
    for (const titleName of findTitleNames(title, this.#makerKeys)) {
      const isInText =
        isBlank || (isAlone && !titleName.isPlain) || pages.some(({ text }) => toPattern(titleName.name).test(text));
      const weight = isBlank && titleName.isBehindMaker ? WEIGHTS.filenameAlone : WEIGHTS.filename;
      this.#addName(titleName, "filename", isInText ? weight : weight * INSIDE);
    }
  }

  /** Takes a name for another edition of the one that the pages have without its figure: `QL30-2`. */
  dropEdition(pages: readonly PageText[]): void {
    for (const { key, name } of this.#evidence.rank().slice(0, MOST_COUNTED)) {
      const [, plainName] = EDITION.exec(name) ?? [];
      if (plainName === undefined) continue;
      const count = (pattern: RegExp): number => pages.filter(({ text }) => pattern.test(text)).length;
      if (count(toPattern(name)) > 1 || count(toPattern(plainName)) < FEWEST_REPEATED) continue;
      this.#evidence.add(plainName, "edition", WEIGHTS.body / 2);
      this.#evidence.merge(key, toModelKey(plainName));
    }
  }

  /** Adds how many pages name what other sources have. */
  addCounts(pages: readonly PageText[]): void {
    const counts = this.#evidence
      .rank()
      .slice(0, MOST_COUNTED)
      .map(({ key, name }) => {
        const pattern = toPattern(name);
        return { key, name, count: pages.filter(({ text }) => pattern.test(text)).length };
      });
    const isLonger = pages.length > LONGER && counts.some(({ count }) => count >= SEVERAL);
    for (const { key, name, count } of counts) {
      if (count < 2 && isLonger) this.#lone.add(key);
      if (count > 1)
        this.#evidence.add(name, "body", Math.min(WEIGHTS.body, 0.1 + (0.5 * count) / Math.max(4, pages.length)));
    }
  }

  /** Adds names that are all that a title, or the cover's label, says, besides words of manuals. */
  addWholeTitles({ pages, title = "", author = "", filename }: ManualText): void {
    const [cover] = pages;
    const glued = toModelKey(toFileWords(filename));
    const add = (line: string, source: string, weight: number): void => {
      const words = findWholeName(line, this.#makerKeys);
      if (words === undefined || toModelKey(words) === toModelKey(author)) return;
      // `Clamp Set 58`, whose figure the file's name has, too.
      const [figure = ""] = / [1-9]\d{1,3}$/.exec(line.trim()) ?? [];
      const isFiled = figure !== "" && glued.includes(toModelKey(`${words.split(" ").at(-1)}${figure}`));
      const name = isFiled && line.trim().endsWith(words + figure) ? words + figure : words;
      this.#evidence.add(name, source, weight);
      if (isFiled || glued.includes(toModelKey(name))) this.#evidence.add(name, "filename", WEIGHTS.wholeFilename);
    };
    if (!FILE_ENDING.test(title)) add(title, "whole title", WEIGHTS.wholeTitle);
    const lines = splitLines(cover?.text ?? "");
    const titles = findTitles(lines, 0).flatMap(({ line, isNear }) => (isNear ? [] : line));
    for (const line of [lines[0], cover?.headlines?.[0], ...titles])
      if (line !== undefined) add(line, "whole line", WEIGHTS.wholeTitle);
    for (const line of lines) {
      const [, value] = PRODUCT.exec(line) ?? [];
      if (value !== undefined) add(value, "product", WEIGHTS.wholeTitle);
    }
    for (const [name, indexes] of this.#wholeLines)
      if (isRunning(indexes.size, pages.length)) add(name, "whole running", WEIGHTS.wholeRunning);
  }

  /** @param listed numbers of parts */
  rank(listed?: ReadonlySet<string>): Candidate[] {
    this.#mergeNested();
    const shapes = learnListedShapes(listed ?? new Set());
    const isListed = (key: string): boolean => listed?.has(key) === true || shapes.has(toKeyShape(key));
    const candidates = this.#evidence
      .rank()
      .filter(({ key }) => key.length > 1 && (this.#labelled.has(key) || !isListed(key)))
      .map(({ key, name, confidence }) => ({ name, confidence: this.#lone.has(key) ? confidence * LONE : confidence }))
      .sort((a, b) => b.confidence - a.confidence);
    return dropFragments(joinMarkets(candidates));
  }

  /** Counts `MM G521` for `G521`, and `HP 250 G3` for `250 G3`. */
  #mergeNested(): void {
    const candidates = this.#evidence.rank();
    const makers = new Set([...this.#makerKeys].map((key) => key.toUpperCase()));
    for (const { key, name } of candidates)
      for (const { key: end } of candidates) {
        if (key === end || !key.endsWith(end)) continue;
        const front = key.slice(0, -end.length);
        const isWordInFront = name.startsWith(`${front} `) && /^[A-Z]{1,3}$/.test(front);
        if (makers.has(front) || (isWordInFront && end.length >= 4 && /[A-Z].*\d/.test(end)))
          this.#evidence.merge(key, end);
      }
  }
}

/** Codes of one shape that are all of a line, at least. */
const FEWEST_IN_LINE = 3;

/** The models of a line that has nothing but codes of one shape: `AB-C18D AB-C22D AB-C25D`. */
function listSideBySide(line: string): string[] {
  const words = line.split(/\s+/);
  const isOne = new Set(words.map((word) => toKeyShape(word))).size === 1;
  const isMany = words.length >= FEWEST_IN_LINE && isOne && /^(?=.*\p{Lu}.*\p{Lu})(?=.*\d).{5,}$/u.test(words[0] ?? "");
  return isMany ? words.filter((word) => !isRefused(word, true)) : [];
}

/** Returns the shapes that most listed numbers have: one on a drawing is the drawing's or the assembly's number. */
function learnListedShapes(listed: ReadonlySet<string>): ReadonlySet<string> {
  const groups = Map.groupBy(listed, toKeyShape);
  return new Set(
    [...groups]
      .filter(([shape, keys]) => (shape.match(/0/g)?.length ?? 0) >= DIGITS_ALIKE && keys.length >= FEWEST_ALIKE)
      .filter(([, keys]) => keys.length > listed.size / 2)
      .map(([shape]) => shape),
  );
}

function toKeyShape(key: string): string {
  return key.replace(/\d/g, "0").replace(/\p{L}/gu, "A");
}

function addPage(pages: Map<string, Set<number>>, name: string, index: number): void {
  pages.set(name, (pages.get(name) ?? new Set()).add(index));
}

/** Two figures behind a stroke, of so many models, say for which countries they are: `192E2SB/05`. */
const MARKET = /^(.*\p{L})\/\d{2}$/u;
const FEWEST_MARKETS = 4;

function joinMarkets(candidates: readonly Candidate[]): Candidate[] {
  const families = Map.groupBy(candidates, ({ name }) => MARKET.exec(name)?.[1] ?? "");
  return [...families]
    .flatMap(([name, members]) =>
      name === "" || members.length < FEWEST_MARKETS
        ? members
        : [{ name, confidence: Math.max(...members.map(({ confidence }) => confidence)) }],
    )
    .sort((first, second) => second.confidence - first.confidence);
}

/** Drops what is a word of a surer name, or such a name with more words, and families of several: `T25` of `T25-42`. */
function dropFragments(candidates: readonly Candidate[]): Candidate[] {
  const wholeNames: Candidate[] = [];
  for (const { name, confidence } of candidates) {
    const words = new Set(name.split(" "));
    const isFragment = wholeNames.some((surer) => {
      const surerWords = surer.name.split(" ");
      return surerWords.every((word) => words.has(word)) || [...words].every((word) => surerWords.includes(word));
    });
    if (!isFragment) wholeNames.push({ name, confidence });
  }
  const isMember = ({ name, confidence }: Candidate, family: Candidate): boolean =>
    name.startsWith(family.name) &&
    /^[-\s/]/.test(name.slice(family.name.length)) &&
    confidence > family.confidence / 2;
  const isVariant = ({ name }: Candidate): boolean => wholeNames.some((series) => isOfSeries(name, series.name));
  return wholeNames
    .filter((candidate) => !isVariant(candidate))
    .filter((family) => wholeNames.filter((candidate) => isMember(candidate, family)).length < 2);
}

/** Whether a series names it with an X in each place where its models differ: `880R-X` of `880X-X`. */
function isOfSeries(name: string, series: string): boolean {
  if (name === series || name.length !== series.length || !/X.*-X+$/.test(series)) return false;
  return [...series].every((letter, place) => letter === "X" || letter === name[place]);
}

function getBonus(name: string): number {
  return USUAL_SHAPE.test(name) || /^[A-Z]{1,4}-[A-Z]\d{3,5}[A-Z]{0,3}$| (?:II|III|IV)$|^[A-Z]{2,4} \d/.test(name)
    ? SHAPELY
    : 0;
}

/** Whether a file's name has a model's. */
function isFiled(name: string, filename: string): boolean {
  return toModelKey(toFileWords(filename)).includes(toModelKey(name));
}

/** Returns a model's letters and digits alone. */
function toModelKey(name: string): string {
  return normalizePartNumber(name).replace(/[^\p{L}\p{N}]/gu, "");
}

function toPattern(name: string): RegExp {
  const glued = name
    .split(/[\s./_-]+/)
    .map(escapeRegExp)
    .join("[\\s./_-]*");
  return new RegExp(`(?<![\\p{L}\\d-])${glued}(?![\\p{L}\\d])`, "u");
}
