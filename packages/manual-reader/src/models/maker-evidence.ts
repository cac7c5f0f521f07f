import { fold } from "@partline/parts-language";
import { escapeRegExp } from "@partline/toolkit";
import { type Candidate, Evidence, type ManualText, type PageText } from "./evidence.ts";
import { findTitles, isFirstPage, isOuterPage, isRunning, listEdges, splitLines, toFileWords } from "./manual-text.ts";
import { findMakerCalled, findMakers, isForAnother, toMakerKey } from "./makers.ts";
import { COMPANY_FORM, COMPANY_WORDS, GENERIC, OPERATOR } from "./machine-words.ts";

/** How much a source says of who made a machine, alone; the rest is doubt. */
const WEIGHTS = {
  filename: 0.55,
  /** A name that other sources have, too. */
  inFilename: 0.4,
  /** The first word of a line that goes on with a model. */
  leading: 0.15,
  /** Words of the cover with whose initials a line beside them begins. */
  initials: 0.55,
  /** What a company says that it is called. */
  alias: 0.55,
  headline: 0.5,
  naming: 0.5,
  running: 0.5,
  title: 0.45,
  outline: 0.2,
  copyright: 0.6,
  madeBy: 0.55,
  company: 0.45,
  companyInside: 0.2,
  phrase: 0.25,
  author: 0.35,
  /** At the end of many lines, as in a column of suppliers; the file's name has it, too. */
  supplier: 0.3,
  site: 0.25,
  /** A line that is the name of the site, and nothing else. */
  siteLine: 0.4,
  /** The file's name has it in front of a model: of the machine, to be confirmed; of another shape, to be suggested. */
  inFront: 0.45,
  filed: 0.2,
  /** And a page has it, too. */
  filedOnPage: 0.2,
  /** Names of parts have it in front of the machine's: `AcmeTrail-Bracket`. */
  joined: 0.3,
  /** Of pages that name it, at most: alone it names who made some component. */
  body: 0.43,
};
/** Of a line beside a title. */
const NEAR = 0.8;
/** Of the name of somebody who runs machines. */
const OPERATING = 0.5;
const PHRASES = 3;
const LEADING = /^\p{Lu}[\p{L}-]{2,}$/u;
const SHORTEST_IN_FILENAME = 4;
/** `Acme`, `ACM` */
const FILED = /^(?:\p{L}{4,}|\p{Lu}{3})$/u;
const FEWEST_SUPPLIED = 5;
/** Times that names of parts begin with a maker's and a machine's, and letters of the machine's. */
const FEWEST_JOINED = 5;
const SHORTEST_JOINED = 4;
/** Letters of a name of which one may be read wrong. */
const LEAST_MISREAD = 6;
const MAKERS_NUMBER = /(?:^|\s)(\p{Lu}\p{L}{3,})\s(?:[Pp](?:art|ART)s?\s)?(?:[Nn][Oo]s?\.?|[Nn]umber|#)(?=\s|$)/u;
/** Characters around a name. */
const NEARBY = 80;
const MANY_COMPANIES = 4;
const SHORTEST_INITIALS = 3;
const QUOTES = /[“”"„«»]/g;
/** Characters of a line of an address. */
const LONGEST_ADDRESS = 60;

const PROPER = String.raw`(?:\p{Lu}[\p{L}\p{N}.’'&-]*|\p{Lu}\.(?:\p{Lu}\.)*|&)`;
const NAME = String.raw`(${PROPER}(?:\s+(?:${PROPER}|of|and|de|do|da|di|et|und|e|y)){0,5})`;
const COPYRIGHT =
  /(?:©|\(c\)|copyright|reserved by)\s*(?:copyright|©|\(c\))?\s*(?:(?:19|20)\d\d(?:\s*[-–,/]\s*(?:19|20)?\d\d)*)?\s*,?\s*(?:(?:by|von|par|da|por)\s)?\s*(?:the\s+)?/iu;
const NAME_FIRST = new RegExp(String.raw`^\s*${NAME}`, "u");
const isProper = (name: string): boolean => /^\p{Lu}/u.test(name);
const COMPANY = new RegExp(
  String.raw`${NAME}\s*,?\s+(?:${COMPANY_FORM}|${COMPANY_FORM.toUpperCase()})(?![\p{L}\p{N}])\.?`,
  "gu",
);
/** Of two letters, which are words elsewhere. */
const SHORT_FORM = /\s(?:AS|AB|SE|SA|SAS|AG|KG|Co|CO|PLC|Pty|PTY|NV|BV)\.?$/;
const MADE_BY = new RegExp(
  String.raw`(?:manufactured|made|produced|built|published|distributed)\s+(?:and\s+\w+\s+)?by|manufacturer(?:’s name)?\s*:|hersteller\s*:|hergestellt\s+(?:von|durch)|fabriqu\S+\s+par|fabricant\s*:|constructeur\s*:|fabricado\s+por|fabricante\s*:|prodotto\s+da|fabbricato\s+da|costruttore\s*:|produttore\s*:|tillverkare\s*:|tillverka[ds]\s+av|fabrikant\s*:|geproduceerd\s+door|製造元\s*[:：]?|メーカー\s*[:：]?`,
  "iu",
);
const ALIAS =
  /\((?:here(?:in)?after|im folgenden|nachfolgend|ci-après|en adelante|doravante|di seguito)\s+(?:(?:is\s+)?called|referred to as|genannt|dénommée?|denominad[ao]|denominat[ao])?\s*/iu;
const ONE_NAME = String.raw`(${PROPER}(?:\s+${PROPER}){0,2})`;
/** A row of a list begins with its reference, or its positions in a circuit. */
const ROW = /^(?:\d{1,3}|[A-Z]{1,3}\d{1,3}(?:[-,][A-Z]{1,3}\d{1,3})*)\s/;
/** Behind a company's name begins a sentence: `Acme Company. All rights reserved`. */
const SENTENCE_BEHIND = new RegExp(String.raw`(?<=\s${COMPANY_FORM}|\p{Ll}{4})\.\s.*$`, "u");

/** Of nobody that is known: a part's name shortens words so, too. */
const INITIALS = /^(?:\p{Lu}\.)+\p{Lu}?$/u;

/** In a sentence in capitals, in front of a company's name. */
const IN_FRONT = /^(?:to|by|from|with|or|and)$|\d{3}/i;
/** Before the company that another one is of: `A Division of Acme Corporation`. */
const PART_OF =
  /^.*(?:division|subsidiary|unit|member|company|brand|gesellschaft|unternehmen|filiale) (?:of|der|de|du) /iu;

/** Before a company's name, and no part of it. */
const LEADING_WORD = new RegExp(
  `^(?:${[
    "by|the|this|our|your|a|an|in|of|for|if|to|and|von|der|die|das|sie|ihre?[mnrs]?|unsere?[mnrs]?",
    "votre|notre|vos|nos|sus?|nuestr[ao]s?|vostr[aeio]|nostr[aeio]",
  ].join("|")})$`,
  "i",
);
/** How makers speak of themselves. */
const OWN_WORDS: readonly RegExp[] = [
  String.raw`\b[Gg]enuine\s+${ONE_NAME}\s+(?:\w+\s+)?(?:parts?|spares?|accessories|replacement)`,
  String.raw`\b[Oo]riginal[- ]${ONE_NAME}[\s-]+(?:parts?|spares?|Teile|Ersatzteile|Zubehör)`,
  String.raw`${ONE_NAME}\s+(?:reserves|warrants|guarantees|shall not be liable|assumes no|is not (?:liable|responsible)|behält sich|se réserve|se reserva|si riserva|förbehåller sig)`,
  String.raw`\bpolicy of\s+${ONE_NAME}`,
  String.raw`\b(?:authorized|authorised|your|an|the)\s+${ONE_NAME}\s+(?:[Dd]ealers?|[Dd]istributors?|[Ss]ervice [Cc]ent)`,
  String.raw`${ONE_NAME}[\s-]+(?:Händler|Vertragshändler|Fachhändler|Kundendienst|Originalteile|[Dd]ealer|[Ww]arranty|WARRANTY|products and services|återförsäljare)`,
  String.raw`\b(?:concessionnaire|revendeur|concesionario|concessionário|distribuidor|concessionario|rivenditore|återförsäljare)\s+${ONE_NAME}`,
  String.raw`(?:pièces|recambios|repuestos|peças|ricambi|reservdelar)\s+(?:d['’]origine|originales|originais|originali|de rechange)?\s*${ONE_NAME}`,
  String.raw`(?:Thank you for|Congratulations on)\s+(?:choosing|purchasing|buying|your)\s+(?:a|an|the|this|our|your)?\s*(?:new\s+)?${ONE_NAME}`,
].map((source) => new RegExp(source, "u"));
/** Whose names are in manuals of all makers, and lines that say so. */
const OTHERS_MARK =
  /trade\s?mark|registered|licen[sc]e|warenzeichen|marque|marca|owned by|property of|GPL|Adobe|Microsoft/i;
/** What drawing programs print in the frame of a sheet. */
const DRAWN_WITH = /Autodesk|SolidWorks|АСКОН|КОМПАС-3D/i;
const EVERYBODYS = new Set(
  "microsoft windows adobe acrobat intel amd google youtube facebook twitter instagram linkedin gmail hotmail yahoo outlook github apache java linux android iso din sae ansi osha epa iec quarkxpress".split(
    " ",
  ),
);
const SITE = /(?:www\.|@|https?:\/\/(?:www\.)?)([\p{L}\d-]{3,30})\.(?:[a-z]{2,3}\.)?[a-z]{2,6}\b/giu;
const SITE_LINE = /^\p{Lu}[\p{L}\d &.-]{2,29}$/u;
const OF_ANOTHER =
  /^['’]?s?\s*(?:[,/&]|and|or|tractors?|engines?|motors?|loaders?|Traktoren|tracteurs|tractores|tratores|trattori)\b/u;

/**
 * Ranks who may have made the machine of a manual.
 * @param models the names that the machine may have, in front of which its maker's stands
 */
export function rankMakers(
  { pages, filename, title = "", author = "", chapters = [] }: ManualText,
  models: readonly Candidate[] = [],
): Candidate[] {
  const sightings = new Sightings();
  sightings.addKnown(toTitle(toFileWords(filename).replaceAll("-", " ")), "filename", WEIGHTS.filename);
  sightings.addKnown(title, "title", WEIGHTS.title);
  sightings.addKnown(chapters.join("\n"), "outline", WEIGHTS.outline);
  sightings.addKnown(author, "author", WEIGHTS.author);
  for (const [, name] of author.matchAll(COMPANY)) sightings.add(name, "author", WEIGHTS.author);
  for (const [index, page] of pages.entries()) sightings.addPage(page, index, pages.length);
  sightings.addCounts(pages.length);
  sightings.addSuppliers(filename, pages);
  sightings.addFileName(filename, models, pages);
  sightings.addJoined(filename, models, pages);
  sightings.addSites();
  return sightings.rank().map(({ name, confidence }) => ({ name: toUsualCase(name, pages), confidence }));
}

class Sightings {
  readonly #evidence = new Evidence(toMakerKey);
  /** Pages at whose edges a known maker's name is, and those that have it at all. */
  readonly #edges = new Map<string, number>();
  readonly #pages = new Map<string, number>();
  readonly #sites = new Set<string>();
  readonly #wholeLines = new Set<string>();
  #phrases = 0;

  add(rawName: string | undefined, source: string, weight: number): void {
    const name = rawName && toCompanyName(rawName);
    if (name) this.#evidence.add(name, source, OPERATOR.test(name) ? weight * OPERATING : weight);
  }

  /** Adds the known makers that a text is about. */
  addKnown(text: string, source: string, weight: number): void {
    for (const { name, from, to, isSeries } of findMakers(text))
      if (!isSeries && !isForAnother(text.slice(0, from), text) && !OF_ANOTHER.test(text.slice(to)))
        this.add(name, source, weight);
  }

  addPage({ text, headlines = [] }: PageText, index: number, pages: number): void {
    const isOuter = isOuterPage(index, pages);
    const lines = splitLines(text);
    if (isFirstPage(index)) for (const line of headlines) this.addKnown(line, "headline", WEIGHTS.headline);
    if (index === 0) for (const line of headlines) this.#addLeading(line);
    if (index === 0) this.#addInitials(headlines);
    for (const { line, isNear } of isOuter ? findTitles(lines, index) : [])
      this.addKnown(line, isNear ? "headline" : "naming", isNear ? WEIGHTS.naming * NEAR : WEIGHTS.naming);
    const speaking = lines.filter(
      (line) => !DRAWN_WITH.test(line) && (!OTHERS_MARK.test(line) || /copyright|©|reserved/i.test(line)),
    );
    // A page that names many companies lists suppliers or dealers, unless they are one maker's in many countries.
    const companies = speaking.flatMap((line) =>
      [...line.matchAll(COMPANY)].map(([, name = ""]) => toMakerKey(name.split(" ")[0] ?? "")),
    );
    const isList = new Set(companies).size >= MANY_COMPANIES;
    for (const line of speaking) this.#addCompanies(line.replace(QUOTES, ""), isOuter, isList);
    for (const [, site = ""] of text.matchAll(SITE)) this.#sites.add(site.toLowerCase());
    for (const line of isOuter ? lines : []) if (SITE_LINE.test(line)) this.#wholeLines.add(line);
    const names = findMakers(text).flatMap(({ name, from, to, isSeries }) => {
      const [start, end] = [text.slice(Math.max(0, from - NEARBY), from), text.slice(to, to + NEARBY)];
      const isOther = isForAnother(start) || OF_ANOTHER.test(end) || OTHERS_MARK.test(start + end);
      return isOther || isSeries ? [] : name;
    });
    countNames(names, this.#pages);
    countNames(
      listEdges(text).flatMap((line) => findMakers(line).flatMap(({ name, isSeries }) => (isSeries ? [] : name))),
      this.#edges,
    );
  }

  /** Adds what a line says of a company: its rights, its form, what it makes, how it speaks of itself. */
  #addCompanies(line: string, isOuter: boolean, isList: boolean): void {
    this.add(findNameBehind(COPYRIGHT, line), "copyright", isOuter ? WEIGHTS.copyright : WEIGHTS.copyright / 2);
    this.add(findNameBehind(MADE_BY, line), "made by", WEIGHTS.madeBy);
    this.add(findNameBehind(ALIAS, line), "alias", WEIGHTS.alias);
    for (const { 0: company, 1: name, index } of isList ? [] : line.matchAll(COMPANY)) {
      const isEnd = /^[\s.,;:|]*$|^\s*[,.;|-]/.test(line.slice(index + company.length));
      // `IN PART OR AS A WHOLE`
      const isSentence = line.length > LONGEST_ADDRESS || line === line.toUpperCase();
      if (SHORT_FORM.test(company.replace(/\.$/, "")) && !isEnd && isSentence) continue;
      const isOwner = isOuter && !ROW.test(line);
      this.add(name, isOwner ? "company" : "company inside", isOwner ? WEIGHTS.company : WEIGHTS.companyInside);
    }
    for (const words of OWN_WORDS) {
      const [, name] = words.exec(line) ?? [];
      if (name !== undefined) this.add(name, `phrase ${(this.#phrases += 1) % PHRASES}`, WEIGHTS.phrase);
    }
  }

  addCounts(pages: number): void {
    for (const [name, count] of this.#edges) if (isRunning(count, pages)) this.add(name, "running", WEIGHTS.running);
    for (const [name, count] of this.#pages)
      this.add(name, "body", Math.min(WEIGHTS.body, 0.1 + (0.6 * count) / Math.max(5, pages)));
  }

  /**
   * Adds a word of the file's name that many lines of a list end in, as its column of suppliers, or that heads its
   * numbers: `Acme No.`
   */
  addSuppliers(filename: string, pages: readonly PageText[]): void {
    const lines = pages.flatMap(({ text }) => splitLines(text));
    for (const word of toFileWords(filename).split(/[\s-]+/)) {
      if (word.length < SHORTEST_IN_FILENAME || !/^\p{L}+$/u.test(word) || GENERIC.has(fold(word))) continue;
      const pattern = new RegExp(String.raw`\s(${word})$`, "iu");
      const spellings = lines.flatMap((line) => pattern.exec(line)?.[1] ?? []).filter(isProper);
      // What lines begin with, too, is the machine that the parts are for.
      const beginning = new RegExp(String.raw`^(?:\S+\s){0,3}${word}\s`, "iu");
      const inside = lines.filter((line) => beginning.test(line));
      if (spellings.length >= Math.max(FEWEST_SUPPLIED, 2 * inside.length))
        this.add(spellings[0], "supplier", WEIGHTS.supplier);
      const isTheirs = lines.some((line) => {
        const [, name = ""] = MAKERS_NUMBER.exec(line) ?? [];
        return isMisread(name.toLowerCase(), word.toLowerCase());
      });
      if (isTheirs) this.add(toTitle(word), "header", WEIGHTS.supplier);
    }
  }

  /** Counts the file's name for names that it has, and takes what it has in front of the machine's for its maker's. */
  addFileName(filename: string, models: readonly Candidate[], pages: readonly PageText[]): void {
    const glued = toMakerKey(toFileWords(filename));
    for (const { key, name } of this.#evidence.rank())
      if (key.length >= SHORTEST_IN_FILENAME && glued.includes(key))
        this.#evidence.add(name, "filename", WEIGHTS.inFilename);
    const words = toFileWords(filename).split(/[\s-]+/);
    const first = words.findIndex((word) => FILED.test(word) && !GENERIC.has(fold(word)));
    const isNamed = (this.#evidence.rank()[0]?.confidence ?? 0) > WEIGHTS.supplier;
    const [word = "", next = ""] = words.slice(first < 0 ? words.length : first);
    if (word === "" || isNamed || models.some(({ name }) => toMakerKey(name).startsWith(toMakerKey(word)))) return;
    const restKey = toMakerKey(words.slice(first + 1).join(" "));
    const isInFront =
      first === 0 && models.some(({ name }) => restKey.startsWith(toMakerKey(name)) || isCode(next, name));
    if (isInFront || /\d/.test(next)) this.add(toTitle(word), "filed", isInFront ? WEIGHTS.inFront : WEIGHTS.filed);
    const pattern = new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "iu");
    if (isInFront && pages.some(({ text }) => pattern.test(text)))
      this.add(toTitle(word), "filed on page", WEIGHTS.filedOnPage);
  }

  /** Adds what names of parts, and the file's, have joined to the machine's name: `AcmeTrail-Bracket`. */
  addJoined(filename: string, models: readonly Candidate[], pages: readonly PageText[]): void {
    const [{ name } = { name: "" }] = models;
    if (toMakerKey(name).length < SHORTEST_JOINED) return;
    const spelling = /\d/.test(name) ? name : toTitle(name.toLowerCase());
    const joined = new RegExp(String.raw`(?<![\p{L}\d])(\p{Lu}[\p{L}\d]+)${escapeRegExp(spelling)}(?![\p{L}\d])`, "gu");
    const listFronts = (text: string): string[] => [...text.matchAll(joined)].map(([, front = ""]) => front);
    for (const front of listFronts(toFileWords(filename))) this.add(front, "filed", WEIGHTS.inFront);
    const fronts = Map.groupBy(
      pages.flatMap(({ text }) => listFronts(text)),
      (front) => front,
    );
    for (const [front, times] of fronts) if (times.length >= FEWEST_JOINED) this.add(front, "joined", WEIGHTS.joined);
  }

  /** Adds the first word of a title that goes on with a model: `NORDVIK TRAIL FOX NX3000`. */
  #addLeading(line: string): void {
    const [first = "", ...following] = line.trim().split(/\s+/);
    const isName = LEADING.test(first) && !GENERIC.has(fold(first)) && !COMPANY_WORDS.has(fold(first));
    if (isName && following.some((word) => /\p{Lu}.*\d/u.test(word))) this.add(first, "leading", WEIGHTS.leading);
  }

  /** Adds a line of the cover that another one shortens: `Fell River Mills` of `FRM Loom`. */
  #addInitials(lines: readonly string[]): void {
    const firstWords = new Set(lines.flatMap((line) => /^\p{Lu}+(?= )/u.exec(line.trim())?.[0] ?? []));
    for (const line of lines) {
      const words = line.trim().split(/\s+/);
      const initials = words.map((word) => word[0]).join("");
      const isName = words.length >= SHORTEST_INITIALS && words.every((word) => /^\p{Lu}\p{Ll}+$/u.test(word));
      if (isName && firstWords.has(initials)) this.add(line, "initials", WEIGHTS.initials);
    }
  }

  /** Adds addresses on the web: more for a name that other sources have. */
  addSites(): void {
    const ranked = this.#evidence.rank();
    for (const site of this.#sites) {
      const siteKey = toMakerKey(site);
      const owner = ranked.find(({ key }) => key.length > 2 && (siteKey.startsWith(key) || key.startsWith(siteKey)));
      const isKnown = owner !== undefined || findMakerCalled(site) !== undefined;
      const line = [...this.#wholeLines].find((name) => toMakerKey(name) === siteKey);
      if (line !== undefined) this.add(line, "site line", WEIGHTS.siteLine);
      this.add(owner?.name ?? line ?? toTitle(site), "site", isKnown ? WEIGHTS.site : WEIGHTS.site / 2);
    }
  }

  rank(): Candidate[] {
    return this.#evidence.rank();
  }
}

/** Counts each name once. */
function countNames(names: readonly string[], counts: Map<string, number>): void {
  for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Case matters in a name, and not in the words in front of it. */
function findNameBehind(words: RegExp, line: string): string | undefined {
  const match = words.exec(line);
  if (match === null) return undefined;
  return NAME_FIRST.exec(line.slice(match.index + match[0].length).replace(SENTENCE_BEHIND, ""))?.[1];
}

/** Returns what a company is called: a known maker's name, else its own without the words of its form. */
function toCompanyName(name: string): string | undefined {
  const words = name
    .replace(PART_OF, "")
    .replace(/[®™©,;:]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const isForm = (word: string): boolean => COMPANY_WORDS.has(fold(word).replace(/[.’']/g, ""));
  const isPlain = (word: string): boolean => GENERIC.has(fold(word).replace(/[.’']s?$/g, ""));
  // `Andreas Stihl`
  const maker = findMakerCalled(words.join(" ")) ?? findMakerCalled(words.findLast((word) => !isForm(word)) ?? "");
  if (maker) return maker.name;
  while (words.length > 1 && isForm(words.at(-1) ?? "")) words.pop();
  if (name === name.toUpperCase()) words.splice(0, words.findLastIndex((word) => IN_FRONT.test(word)) + 1);
  while (words.length > 0 && LEADING_WORD.test(words[0] ?? "")) words.shift();
  const text = words.join(" ").replace(/[.’']+$/, "");
  const letters = text.replace(/[^\p{L}]/gu, "");
  if (letters.length < 2 || letters.length > 40 || INITIALS.test(text)) return undefined;
  if (words.every((word) => isPlain(word) || isForm(word) || EVERYBODYS.has(fold(word)))) return undefined;
  if (EVERYBODYS.has(fold(words[0] ?? ""))) return undefined;
  return text;
}

/** Writes a name in capitals as the manual itself does elsewhere, else with one capital. */
function toUsualCase(name: string, pages: ManualText["pages"]): string {
  if (name !== name.toUpperCase() || !/\p{L}{5}/u.test(name)) return name;
  const pattern = new RegExp(`(?<!\\p{L})${escapeRegExp(name)}(?!\\p{L})`, "giu");
  for (const { text } of pages)
    for (const [spelling] of text.matchAll(pattern))
      if (spelling !== spelling.toUpperCase() && isProper(spelling)) return spelling;
  return name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Whether a word in capitals shortens a name: `TFX` of `Trail Fox`. */
function isCode(word: string, name: string): boolean {
  const initials = name.split(" ").map(([letter = ""]) => letter.toUpperCase());
  return initials.length > 1 && /^\p{Lu}{2,4}$/u.test(word) && word.startsWith(initials.join(""));
}

/** Whether two words are one, of which OCR read a letter wrong. */
function isMisread(word: string, name: string): boolean {
  const differing = [...name].filter((letter, place) => letter !== word[place]).length;
  return word.length === name.length && differing <= (name.length >= LEAST_MISREAD ? 1 : 0);
}

function toTitle(words: string): string {
  return words.replace(/(?<![\p{L}\d])\p{Ll}/gu, (letter) => letter.toUpperCase());
}
