import { fold } from "@partline/parts-language";
import {
  Evidence,
  isFirstPage,
  isOuterPage,
  isRunning,
  listEdges,
  listTitles,
  splitLines,
  toFileWords,
} from "./evidence.ts";
import type { Candidate, ManualText } from "./evidence.ts";
import { findMakerCalled, findMakers, isForAnother, toMakerKey } from "./makers.ts";
import { COMPANY_FORM, COMPANY_WORDS, GENERIC } from "./machine-words.ts";

/** How much a source says of who made a machine, alone; the rest is doubt. */
const WEIGHTS = {
  filename: 0.55,
  headline: 0.5,
  naming: 0.5,
  running: 0.5,
  title: 0.45,
  copyright: 0.6,
  madeBy: 0.55,
  company: 0.45,
  companyInside: 0.2,
  phrase: 0.25,
  author: 0.35,
  site: 0.25,
  ofName: 0.3,
  /** Of pages that name it, at most. */
  body: 0.45,
};
/** Of a line beside a title. */
const NEAR = 0.8;
const PHRASES = 3;

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
  String.raw`(?:manufactured|made|produced|built|published|distributed)\s+(?:and\s+\w+\s+)?by|manufacturer(?:’s name)?\s*:|hersteller\s*:|hergestellt\s+(?:von|durch)|fabriqu\S+\s+par|fabricant\s*:|constructeur\s*:|fabricado\s+por|fabricante\s*:|prodotto\s+da|fabbricato\s+da|costruttore\s*:|produttore\s*:|fabricante\s*:|tillverkare\s*:|tillverka[ds]\s+av|fabrikant\s*:|geproduceerd\s+door|製造元\s*[:：]?|メーカー\s*[:：]?`,
  "iu",
);
const ONE_NAME = String.raw`(${PROPER}(?:\s+${PROPER}){0,2})`;
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
const EVERYBODYS = new Set(
  "microsoft windows adobe acrobat intel amd google youtube facebook twitter instagram linkedin gmail hotmail yahoo outlook github apache java linux android iso din sae ansi osha epa iec quarkxpress".split(
    " ",
  ),
);
const SITE = /(?:www\.|@|https?:\/\/(?:www\.)?)([\p{L}\d-]{3,30})\.(?:[a-z]{2,3}\.)?[a-z]{2,6}\b/giu;
const OF_ANOTHER =
  /^['’]?s?\s*(?:[,/&]|and|or|tractors?|engines?|motors?|loaders?|Traktoren|tracteurs|tractores|tratores|trattori)\b/u;

interface Names {
  evidence: Evidence;
  add(name: string | undefined, source: string, weight: number): void;
}

/** Ranks who may have made the machine of a manual. */
export function rankMakers(manual: ManualText): Candidate[] {
  const names = createNames();
  const { evidence, add } = names;
  const addKnown = (text: string, source: string, weight: number): void => {
    for (const { name, from, to } of findMakers(text))
      if (!isForAnother(text.slice(0, from), text) && !OF_ANOTHER.test(text.slice(to))) add(name, source, weight);
  };
  const fileWords = toFileWords(manual.filename);
  addKnown(toTitle(fileWords.replaceAll("-", " ")), "filename", WEIGHTS.filename);
  addKnown(manual.title ?? "", "title", WEIGHTS.title);
  addKnown((manual.chapters ?? []).join("\n"), "outline", WEIGHTS.title / 2);
  const author = manual.author ?? "";
  addKnown(author, "author", WEIGHTS.author);
  for (const [, name] of author.matchAll(COMPANY)) add(name, "author", WEIGHTS.author);
  const running = new Map<string, number>();
  const pagesOfMaker = new Map<string, number>();
  const sites = new Map<string, number>();
  let phrases = 0;
  const { pages } = manual;
  for (const [index, { text, headlines = [] }] of pages.entries()) {
    const isOuter = isOuterPage(index, pages.length);
    const lines = splitLines(text);
    if (isFirstPage(index)) for (const line of headlines) addKnown(line, "headline", WEIGHTS.headline);
    for (const { line, isNear } of isOuter ? listTitles(lines, index) : [])
      addKnown(line, "naming", isNear ? WEIGHTS.naming * NEAR : WEIGHTS.naming);
    for (const line of lines) {
      if (OTHERS_MARK.test(line) && !/copyright|©|reserved/i.test(line)) continue;
      add(findNameBehind(COPYRIGHT, line), "copyright", isOuter ? WEIGHTS.copyright : WEIGHTS.copyright / 2);
      for (const { 0: whole, 1: name, index: at } of line.matchAll(COMPANY)) {
        const isEnd = /^[\s.,;:|]*$|^\s*[,.;|-]/.test(line.slice(at + whole.length));
        if (SHORT_FORM.test(whole.replace(/\.$/, "")) && !isEnd && line.length > 60) continue;
        add(name, isOuter ? "company" : "company inside", isOuter ? WEIGHTS.company : WEIGHTS.companyInside);
      }
      add(findNameBehind(MADE_BY, line), "made by", WEIGHTS.madeBy);
      for (const words of OWN_WORDS) {
        const [, name] = words.exec(line) ?? [];
        if (name !== undefined) add(name, `phrase ${(phrases += 1) % PHRASES}`, WEIGHTS.phrase);
      }
    }
    for (const [, site] of text.matchAll(SITE))
      sites.set(site!.toLowerCase(), (sites.get(site!.toLowerCase()) ?? 0) + 1);
    const named = new Set(
      findMakers(text).flatMap(({ name, from, to }) => {
        const [before, behind] = [text.slice(Math.max(0, from - 80), from), text.slice(to, to + 80)];
        const isOthers = isForAnother(before) || OF_ANOTHER.test(behind) || OTHERS_MARK.test(before + behind);
        return isOthers ? [] : name;
      }),
    );
    for (const name of named) pagesOfMaker.set(name, (pagesOfMaker.get(name) ?? 0) + 1);
    for (const name of new Set(listEdges(text).flatMap((line) => findMakers(line).map((maker) => maker.name))))
      running.set(name, (running.get(name) ?? 0) + 1);
  }
  for (const [name, count] of running) if (isRunning(count, pages.length)) add(name, "running", WEIGHTS.running);
  for (const [name, count] of pagesOfMaker)
    add(name, "body", Math.min(WEIGHTS.body, 0.1 + (0.6 * count) / Math.max(5, pages.length)));
  for (const site of sites.keys()) {
    const key = toMakerKey(site);
    const owner = evidence.keys().find((each) => each.length > 2 && (key.startsWith(each) || each.startsWith(key)));
    if (owner !== undefined) names.addKey(owner, "site", WEIGHTS.site);
    else if (findMakerCalled(site)) add(toTitle(site), "site", WEIGHTS.site);
    else add(toTitle(site), "site", WEIGHTS.site / 2);
  }
  return evidence.rank().map(({ name, confidence }) => ({ name: inUsualCase(name, pages), confidence }));
}

/** Case matters in a name, and not in the words in front of it. */
function findNameBehind(words: RegExp, line: string): string | undefined {
  const match = words.exec(line);
  return match === null ? undefined : NAME_FIRST.exec(line.slice(match.index + match[0].length))?.[1];
}

function createNames(): Names & { addKey(key: string, source: string, weight: number): void } {
  const evidence = new Evidence(toMakerKey);
  const spellings = new Map<string, string>();
  const add = (rawName: string | undefined, source: string, weight: number): void => {
    const name = rawName && toCompanyName(rawName);
    if (!name) return;
    spellings.set(toMakerKey(name), name);
    evidence.add(name, source, weight);
  };
  return { evidence, add, addKey: (key, source, weight) => add(spellings.get(key), source, weight) };
}

/** Returns what a company is called: a known maker's name, else its own without the words of its form. */
function toCompanyName(name: string): string | undefined {
  const words = name
    .replace(/[®™©,;:]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const isForm = (word: string): boolean => COMPANY_WORDS.has(fold(word).replace(/[.’']/g, ""));
  const isPlain = (word: string): boolean => GENERIC.has(fold(word).replace(/[.’']s?$/g, ""));
  const known = findMakerCalled(words.join(" "));
  if (known) return known.name;
  while (words.length > 1 && isForm(words.at(-1)!)) words.pop();
  while (words.length > 0 && /^(?:by|the|this|our|your|a|an|in|of|for|if|to|and|von|der|die|das)$/i.test(words[0]!))
    words.shift();
  const text = words.join(" ").replace(/[.’']+$/, "");
  const letters = text.replace(/[^\p{L}]/gu, "");
  if (letters.length < 2 || letters.length > 40) return undefined;
  if (words.every((word) => isPlain(word) || isForm(word) || EVERYBODYS.has(fold(word)))) return undefined;
  if (EVERYBODYS.has(fold(words[0]!))) return undefined;
  return text;
}

/** Writes a name in capitals as the manual itself does elsewhere, else with one capital. */
function inUsualCase(name: string, pages: ManualText["pages"]): string {
  if (name !== name.toUpperCase() || !/\p{L}{5}/u.test(name)) return name;
  const pattern = new RegExp(`(?<!\\p{L})${name.replace(/[.*+?^$(){}[\]\\|]/g, "\\$&")}(?!\\p{L})`, "giu");
  for (const { text } of pages)
    for (const [spelling] of text.matchAll(pattern))
      if (spelling !== spelling.toUpperCase() && isProper(spelling)) return spelling;
  return name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

function toTitle(words: string): string {
  return words.replace(/(?<![\p{L}\d])\p{Ll}/gu, (letter) => letter.toUpperCase());
}
