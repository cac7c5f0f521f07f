import { fold } from "@partline/parts-language";
import { isNeverPart, isOtherKind } from "../parts/other-kinds.ts";
import { COMPANY_FORM, COMPANY_WORDS, GENERIC, NAMES_A_MANUAL, NUMBER_LABEL, REVISION } from "./machine-words.ts";
import { findMakerCalled, findMakers, isForAnother, toMakerKey } from "./makers.ts";

export interface TitleName {
  name: string;
  /** A maker's name stands in front. */
  isBehindMaker: boolean;
  /** Words alone, as `Uno`. */
  isPlain: boolean;
}

const MEASURE =
  /^(?:[øØ~±<>]?\d+(?:[.,/]\d+)?(?:V|VAC|VDC|W|KW|HP|PS|CV|CC|CM|CM3|MM|M|M3|IN|INCH|FT|KG|G|LBS?|T|HZ|KHZ|MHZ|GHZ|AH|MAH|A|RPM|L|LT|ML|OZ|BAR|PSI|KPA|MPA|NM|KVA|VA|SSU|CST|DB|°?C|F|[KMGT]B|[KM]BIT|ST|ND|RD|TH|X|D|H|S|MIN|%)|\d+(?:[.,]\d+)?[X×]\d.*|V[A-Z]?\d+(?:\.[A-Z]?\d+)+|V\d|R\d{1,2}|REV\.?\d*|M\d{1,2}(?:X.*)?|A[0-5]|USB\d?.*|MP[34]|WIN\d+|I[357]-\d+|CO2|H2O|(?:EN|UL|CE|EC|IP|EU|EG|UNC|UNF)[-/]?\d.*|(?:19|20)\d{2}(?:[-/.]\d+)*[A-Z]?|Q[1-4]|NO\d+|\d{1,2}[A-Z]?-\d{1,3}|\d{1,2}[A-Z])$/i;
/** Numbers of standards, which are no models unless a label says so. */
const STANDARD = /^(?:ISO|DIN|SAE|IEC|API|ASTM|ANSI)[-/]?\d/i;
const ROMAN = /^(?:II|III|IV|VI{0,3}|IX)$/;
/** `GX390`, `Z-110`, `DCP-L2540DW`, `F4i`, `CTRL_V1.0_840C`. */
const SHAPE = /^(?=.*\d)(?=.*\p{Lu})[\p{Lu}\d][\p{Lu}\d./+_-]*\p{Ll}{0,2}$/u;
const LONGEST_MODEL = 16;
const MOST_DIGITS = 7;
/** `G3`, `Mk2`, `Pro`: behind a model. */
const GENERATION =
  /^(?:G\d{1,2}|[A-Z]\d|[B-DF-HJ-NP-TV-Z]{1,3}|Mk\s?[\dIVX]+|II|III|IV|Plus|Pro|Max|Mini|SE|EX|[A-Z]?\d{1,2}[A-Za-z]{1,2})$/;
/** `Ultimaker2+`, and in a file's name `ULTIMAKER2PLUS`. */
const MAKER_WITH_FIGURE = /^(\p{L}{3,})(\d)(\+|PLUS)?$/u;
/** `MS 170`, `GT 550`: in front of digits. */
const PREFIX = /^[A-Z]{1,4}$/;
const BEHIND_PREFIX = /^(?:\d{2,4}[A-Z]{0,3}|\d{1,2}-\d{2,3})$/;
const MOST_WORDS = 28;
/** A line with a company's name or address names no machine. */
const ADDRESS = new RegExp(
  String.raw`©|copyright|www\.|@|\b\d{5}\b|(?<![\p{L}\d])(?:${COMPANY_FORM})(?![\p{L}\d])\.?|\b(?:Street|Road|Avenue|P\.?O\.? Box|Rua|Via|Viale|Rue)\b`,
  "u",
);

interface TitleWord {
  text: string;
  from: number;
  isMaker: boolean;
}

/**
 * Finds the names of machines in a title: words with digits, what stands behind a maker, names with a figure.
 * @param isUnderMaker the line above is a maker's name
 */
export function findTitleNames(rawLine: string, makerKeys: ReadonlySet<string>, isUnderMaker = false): TitleName[] {
  if (ADDRESS.test(rawLine)) return [];
  // What is in brackets is of something else, or said again.
  const line = rawLine
    .normalize("NFKC")
    .replace(/[’']\s?\d{2}(?!\d)/g, " ")
    // `КМН - 5.6`
    .replace(/(?<![\p{L}\d])(\p{Lu}{2,5}) [-–] (?=\d)/gu, "$1-")
    .replace(/\([^)]*\)/g, " ; ")
    // A piece of `1 609 92A 7Z2` is no name.
    .replace(/(?<!\S)(?=\S* .*\p{Lu})\d[\dA-Z]{0,3}(?: \d[\dA-Z]{1,3}){2,}(?!\S)/gu, " ; ")
    .replace(/[®™©"“”„«»]/g, " ");
  const words = splitTitle(line, makerKeys);
  const names: TitleName[] = [];
  let isBehindMaker = isUnderMaker;
  let next = 0;
  for (const [index, word] of words.length > MOST_WORDS ? [] : words.entries()) {
    if (index < next) continue;
    const following = words.slice(index).map(({ text, isMaker }, place) => (isMaker && place > 0 ? ";" : text));
    if (word.isMaker) {
      isBehindMaker = true;
      const [maker, figure = ""] = following;
      // `Ultimaker 2`, `Ultimaker 2+`
      if (/^\d\+?$/.test(figure) || ROMAN.test(figure)) {
        names.push({ name: `${maker} ${figure}`, isBehindMaker, isPlain: false });
        next = index + 2;
      }
      continue;
    }
    const start = line.slice(0, word.from);
    if (isForAnother(start, line) || REVISION.test(start)) break;
    const length = NUMBER_LABEL.test(start) ? 0 : countModelWords(following, isBehindMaker);
    if (length === 0) {
      if (!isGeneric(word.text) || /^[,;|:]$/.test(word.text)) isBehindMaker = false;
      continue;
    }
    const name = following.slice(0, length).join(" ");
    const isPlain = !/\d/.test(name) && !ROMAN.test(following[length - 1] ?? "");
    if (!isRefused(name) && !(isPlain && isUnderMaker)) names.push({ name, isBehindMaker, isPlain });
    const siblings = listSiblings(name, following.slice(length));
    names.push(...siblings.map((sibling) => ({ name: sibling, isBehindMaker, isPlain })));
    next = index + length + 2 * siblings.length;
    // `L3400 L4400` are both the maker's, `Uno workshop` is not.
    isBehindMaker &&= !isPlain;
  }
  return names;
}

const LONGEST_WHOLE_NAME = 3;
/** `Illustration-02`, `V1.1`: behind a name, and none of it. */
const MARK = /^(?:\p{L}+-)?[vV]?\d+(?:\.\d+)*$/u;

/** Finds the name that a title has besides words of manuals, if that is all: `Trail Fox components and parts`. */
export function findWholeName(line: string, makerKeys: ReadonlySet<string>): string | undefined {
  if (ADDRESS.test(line) || line.includes(",") || /\.{3}|[:=;]$/.test(line)) return undefined;
  const words = line
    .replace(/[®™"“”„«»]/g, " ")
    .split(/[\s–]+/)
    .filter((word) => word !== "");
  const isOther = (word: string): boolean =>
    isGeneric(word) || MARK.test(word) || /^[^\p{L}]+$/u.test(word) || makerKeys.has(toMakerKey(word));
  const first = words.findIndex((word) => !isOther(word));
  const last = words.findLastIndex((word) => !isOther(word));
  const name = words.slice(first, last + 1);
  const isName =
    first >= 0 &&
    name.length <= LONGEST_WHOLE_NAME &&
    name.every(
      (word) =>
        word === "&" || (/^[\p{Lu}\d][\p{L}\d-]*$/u.test(word) && !COMPANY_WORDS.has(fold(word)) && !isGeneric(word)),
    );
  const text = name.join(" ");
  return isName && /\p{L}{3}/u.test(text) && !NAMES_A_MANUAL.test(fold(text)) && !isRefused(text) ? text : undefined;
}

/** Splits a title into words and the marks between them. */
function splitTitle(line: string, makerKeys: ReadonlySet<string>): TitleWord[] {
  const makers = findMakers(line).filter(({ isSeries }) => !isSeries);
  return [...line.matchAll(/[^\s,;|•·:=/]+(?:\/[^\s,;|•·:=/]+)*|[,;|•·:=]/gu)].flatMap(({ 0: text, index: from }) =>
    splitWord(text.replace(/^[([{]+|[)\]}.!?-]+$/g, "")).map((word) => ({
      text: word,
      from,
      isMaker: makers.some((maker) => from >= maker.from && from < maker.to) || makerKeys.has(toMakerKey(word)),
    })),
  );
}

/** `F115TR/F115TRG` are two, `TX/2` is one; `Ultimaker2` is a maker and a figure. */
function splitWord(word: string): string[] {
  const [, name = "", figure, plus] = MAKER_WITH_FIGURE.exec(word) ?? [];
  const maker = findMakerCalled(name);
  if (maker) return [maker.name, `${figure}${plus === undefined ? "" : "+"}`];
  const parts = word.split("/");
  return parts.length > 1 && parts.every((part) => part.length >= 3 && SHAPE.test(part)) ? parts : [word];
}

/** Lists what goes on as the first of several does: behind `MS 170` the `MS 180` of `MS 170, 180`. */
function listSiblings(name: string, rest: readonly string[]): string[] {
  const [stem] = /^[A-Z]{1,4} (?=\d)/.exec(name) ?? [];
  const [mark, figures = "", ...tail] = rest;
  if (stem === undefined || mark !== "," || !BEHIND_PREFIX.test(figures)) return [];
  return [stem + figures, ...listSiblings(name, tail)];
}

/** Counts the words at the beginning that are a machine's name. */
function countModelWords(words: readonly string[], isBehindMaker: boolean): number {
  const [first = "", second = "", third = ""] = words;
  // `MH 400 E`
  const isLetter = (length: number): boolean =>
    /^[A-Z]$/.test(words[length] ?? "") &&
    (isGeneric(words[length + 1] ?? ",") || /^[,;|•·:]$/.test(words[length + 1] ?? ","));
  const extend = (length: number): number => {
    const word = words[length] ?? "";
    return isLetter(length) || (GENERATION.test(word) && !isGeneric(word) && !MEASURE.test(word)) ? length + 1 : length;
  };
  if (isModelWord(first)) return extend(1);
  // `Ender-3 Pro`
  if (/^\p{Lu}\p{Ll}+-\d{1,4}[A-Z]?$/u.test(first) && !isGeneric(first.replace(/-.*/, ""))) return extend(1);
  // `ThinkPad T480`, `SeedMax 500`
  if (/^\p{Lu}\p{Ll}+\p{Lu}\p{Ll}*$/u.test(first) && (isModelWord(second) || isFigures(second))) return extend(2);
  // `MS 170`, `CBR 600 F4i`
  const isSplit = PREFIX.test(first) && !isGeneric(first) && BEHIND_PREFIX.test(second);
  if (isSplit && !isRefused(`${first} ${second}`)) return extend(2);
  const isName =
    /^\p{Lu}[\p{L}-]+$/u.test(first) &&
    !isGeneric(first) &&
    !COMPANY_WORDS.has(fold(first)) &&
    !NAMES_A_MANUAL.test(fold(first));
  if (isBehindMaker) {
    // `X5`, `D6`
    if (/^[A-Z]\d{1,2}$/.test(first) && !isRefused(first)) return 1;
    // `206`, `250 G3`
    if (/^\d{2,4}[A-Za-z]{0,2}$/.test(first) && !/^(?:19|20)\d\d$/.test(first)) return extend(1);
    // `Ninja ZX-6R`, `Ender 3`
    if (isName && (isModelWord(second) || /^\d{2,4}$/.test(second))) return extend(2);
    if (isName && (ROMAN.test(second) || /^\d{1,2}$/.test(second))) return 2;
    if (isName && /^\p{Lu}\p{L}+$/u.test(second) && !isGeneric(second) && isModelWord(third)) return extend(3);
    if (isName) return isLetter(1) ? 2 : 1;
  }
  // `Clio II`
  const isFigure = ROMAN.test(second) || (/^\d$/.test(second) && first.length > 3);
  return isName && /\p{Ll}/u.test(first) && isFigure ? 2 : 0;
}

/** Behind a name: `500`, and no year. */
function isFigures(word: string): boolean {
  return /^\d{2,4}$/.test(word) && !/^(?:19|20)\d\d$/.test(word);
}

/** `MOWER-123-45` is a document's number. */
function isModelWord(word: string): boolean {
  return (
    SHAPE.test(word) &&
    !/\p{L}{6}(?!\p{Lu}?_)|^\d-\p{L}/u.test(word) &&
    word.length <= LONGEST_MODEL &&
    word.length > 2 &&
    !isRefused(word) &&
    (word.match(/-/g)?.length ?? 0) < 3 &&
    !/^\d+-\d+-/.test(word)
  );
}

/** Whether it is a measure, a date, a standard or the like, and no model. */
export function isRefused(name: string, isLabelled = false): boolean {
  const key = name.replace(/\s/g, "");
  return (
    MEASURE.test(key) ||
    (!isLabelled && STANDARD.test(key)) ||
    /^\p{L}+ (?:19|20)\d\d$/u.test(name) ||
    /^\p{L}+-0+$/u.test(key) ||
    // What is left to be filled in; the number of a form, or of a drawing.
    /X{3}|^0{2}\.|^\p{L}+(?:-\d{2,3}){3,}$/u.test(key) ||
    isNeverPart(name) ||
    (isOtherKind(name) && !/^[A-Z]{1,4}-?\d+[A-Z]*$/.test(name)) ||
    key.length > 2 * LONGEST_MODEL ||
    (key.match(/\d/g)?.length ?? 0) > MOST_DIGITS
  );
}

/** Whether a word of a title names no machine by itself. */
export function isGeneric(word: string): boolean {
  return GENERIC.has(fold(word).replace(/['’]s?$|[.:]$/g, ""));
}

/** Whether a line has nothing but a maker's name. */
export function isMakerAlone(line: string, makerKeys: ReadonlySet<string>): boolean {
  const [maker] = findMakers(line);
  return makerKeys.has(toMakerKey(line)) || (maker !== undefined && maker.to - maker.from >= line.trim().length - 1);
}
