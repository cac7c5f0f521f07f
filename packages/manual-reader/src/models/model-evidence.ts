import { fold, normalizePartNumber } from "@partline/parts-language";
import { isNeverPart, isOtherKind } from "../parts/other-kinds.ts";
import { Evidence, isFirstPage, isRunning, listEdges, listTitles, splitLines, toFileWords } from "./evidence.ts";
import type { Candidate, ManualText } from "./evidence.ts";
import { readLabels } from "./model-labels.ts";
import { MODEL } from "./models.ts";
import { findMakers, isForAnother, toMakerKey } from "./makers.ts";
import { COMPANY_FORM, COMPANY_WORDS, GENERIC, NAMES_A_MANUAL, NUMBER_LABEL } from "./machine-words.ts";

/** How much a source says of which machine a manual is for, alone. */
const WEIGHTS = {
  label: 0.75,
  /** Each of a few pages further back. */
  labelInside: 0.2,
  naming: 0.55,
  headline: 0.5,
  running: 0.5,
  title: 0.4,
  outline: 0.25,
  columns: 0.45,
  /** A name that other sources have, too; alone. */
  inFilename: 0.4,
  filename: 0.35,
  behindMaker: 0.35,
  marked: 0.3,
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
/** Of a line beside a title, of a title inside the manual. */
const NEAR = 0.8;
const INSIDE = 0.5;
/** Of what may be a document's number. */
const NUMBERED = 0.4;
const LABELS_INSIDE = 3;
/** Names whose pages are counted. */
const MOST_COUNTED = 40;
const MOST_HEADLINE_WORDS = 14;
const LONGEST_TITLE = 120;

const MEASURE =
  /^(?:[øØ~±<>]?\d+(?:[.,/]\d+)?(?:V|VAC|VDC|W|KW|HP|PS|CV|CC|CM|CM3|MM|M|M3|IN|INCH|FT|KG|G|LBS?|T|HZ|KHZ|MHZ|GHZ|AH|MAH|A|RPM|L|LT|ML|OZ|BAR|PSI|KPA|MPA|NM|KVA|VA|SSU|CST|DB|°?C|F|GB|TB|MB|ST|ND|RD|TH|X|D|H|S|MIN|%)|\d+(?:[.,]\d+)?[X×]\d.*|V[A-Z]?\d+(?:\.[A-Z]?\d+)+|V\d|R\d{1,2}|REV\.?\d*|M\d{1,2}(?:X.*)?|A[0-5]|USB\d?.*|MP[34]|WIN\d+|I[357]-\d+|CO2|H2O|(?:EN|ISO|DIN|SAE|IEC|UL|CE|EC|API|IP|ASTM|ANSI|EU|EG|UNC|UNF)[-/]?\d.*|(?:19|20)\d{2}(?:[-/.]\d+)*[A-Z]?|Q[1-4]|NO\d+|\d{1,2}[A-Z]?-\d{1,3}|\d{1,2}[A-Z])$/i;
const ROMAN = /^(?:II|III|IV|VI{0,3}|IX)$/;
/** `GX390`, `Z-110`, `DCP-L2540DW`, `F4i`. */
const SHAPE = /^(?=.*\d)(?=.*\p{Lu})[\p{Lu}\d][\p{Lu}\d./+-]*\p{Ll}{0,2}$/u;
const LONGEST_MODEL = 16;
/** `1G68V-100E1`, `WS-RT001-OG`, `AB123456` */
const DOCUMENT = /^\d.*-.*\d|-.*\d.*-|\d{6}/;
const MOST_DIGITS = 7;
/** `G3`, `60`, `Mk2`, `Pro`: behind a model. */
const GENERATION =
  /^(?:G\d{1,2}|[A-Z]\d|[B-DF-HJ-NP-TV-Z]{1,3}|Mk\s?[\dIVX]+|II|III|IV|Plus|Pro|Max|Mini|SE|EX|[A-Z]?\d{1,2}[A-Za-z]{1,2})$/;
/** `MS 170`, `GT 550`: in front of digits. */
const PREFIX = /^[A-Z]{1,4}$/;

interface TitleName {
  name: string;
  /** A maker's name stands in front. */
  isBehindMaker: boolean;
  /** Words alone, as `Uno`. */
  isPlain: boolean;
}

/** Ranks the models that a manual may be for. */
export function rankModels(manual: ManualText, makers: readonly Candidate[]): Candidate[] {
  const evidence = new Evidence(toModelKey);
  const { pages } = manual;
  const makerKeys = new Set(makers.filter(({ confidence }) => confidence >= 0.3).map(({ name }) => toMakerKey(name)));
  const findNames = (line: string, isBehind = false): TitleName[] => findTitleNames(line, makerKeys, isBehind);
  const addNames = (line: string, source: string, weight: number, isBehind = false): void => {
    for (const { name, isBehindMaker, isPlain } of findNames(line, isBehind)) {
      const share = isPlain ? PLAIN : DOCUMENT.test(name) ? NUMBERED : 1;
      evidence.add(name, source, weight * share + (USUAL_SHAPE.test(name) ? SHAPELY : 0));
      if (isBehindMaker) evidence.add(name, "maker", isPlain ? WEIGHTS.behindMaker * PLAIN : WEIGHTS.behindMaker);
    }
  };
  const running = new Map<string, Set<number>>();
  let inside = 0;
  const labelled = new Set<string>();
  for (const [index, { text, headlines = [], models = [] }] of pages.entries()) {
    const isFirst = isFirstPage(index);
    const lines = splitLines(text);
    for (const { name, isBehind } of readLabels(lines)) {
      if (isRefused(name)) continue;
      const isPlain = !/\d/.test(name);
      if (!isBehind) labelled.add(toModelKey(name));
      if (isBehind) evidence.add(name, `called ${index % LABELS_INSIDE}`, WEIGHTS.called);
      else if (isFirst) evidence.add(name, "label", isPlain ? WEIGHTS.label * PLAIN : WEIGHTS.label);
      else evidence.add(name, `label ${(inside += 1) % LABELS_INSIDE}`, WEIGHTS.labelInside);
    }
    for (const model of models) {
      const shapely = USUAL_SHAPE.test(model) ? SHAPELY : 0;
      if (!isRefused(model))
        evidence.add(
          model,
          isFirst ? "first page" : "columns",
          (isFirst ? WEIGHTS.headline : WEIGHTS.columns) + shapely,
        );
    }
    if (isFirst)
      for (const [at, line] of headlines.entries())
        addNames(line, "headline", WEIGHTS.headline, at > 0 && isMakerAlone(headlines[at - 1]!, makerKeys));
    for (const line of lines) {
      if (isFirst && /[®™]/u.test(line))
        for (const [, name] of line.matchAll(/(\p{Lu}[\p{L}\d]*(?:-\p{Lu}?[\p{L}\d]+)?)\s?[®™]/gu))
          if (!isGeneric(name!) && !makerKeys.has(toMakerKey(name!))) evidence.add(name!, "marked", WEIGHTS.marked);
    }
    const isOuter = isFirst || index === pages.length - 1;
    for (const { line, isNear } of listTitles(lines, index))
      addNames(line, isOuter ? "naming" : "naming inside", WEIGHTS.naming * (isNear ? NEAR : isOuter ? 1 : INSIDE));
    for (const line of new Set(listEdges(text)))
      if (line.length <= LONGEST_TITLE)
        for (const { name } of findNames(line)) running.set(name, (running.get(name) ?? new Set()).add(index));
  }
  for (const [name, where] of running)
    if (isRunning(where.size, pages.length)) evidence.add(name, "running", WEIGHTS.running);
  const title = manual.title ?? "";
  // A draft's name is rather its file's.
  addNames(title.replace(/\.[a-z]{2,4}$/i, " draft"), "title", /\.[a-z]{2,4}$/i.test(title) ? 0.15 : WEIGHTS.title);
  for (const chapter of manual.chapters ?? []) addNames(chapter, "outline", WEIGHTS.outline);
  addFileName(manual.filename, evidence, makerKeys);
  const best = evidence.rank().slice(0, MOST_COUNTED);
  const texts = pages.map(({ text }) => ` ${text.replace(/\s+/g, " ")} `);
  for (const { name } of best) {
    const pattern = toPattern(name);
    const count = texts.filter((text) => pattern.test(text)).length;
    if (count > 1) evidence.add(name, "body", Math.min(WEIGHTS.body, 0.1 + (0.5 * count) / Math.max(4, texts.length)));
  }
  mergeNested(evidence, makerKeys);
  const isModel = (key: string): boolean => key.length > 1 && (labelled.has(key) || manual.listed?.has(key) !== true);
  return dropFragments(evidence.rank().filter(({ key }) => isModel(key))).map(({ name, confidence }) => ({
    name,
    confidence,
  }));
}

/** Drops what is a word of a surer name, or such a name with more words, and families of several: `T25` of `T25-42`. */
function dropFragments(candidates: readonly (Candidate & { key: string })[]): (Candidate & { key: string })[] {
  const kept: (Candidate & { key: string })[] = [];
  for (const candidate of candidates) {
    const words = new Set(candidate.name.split(" "));
    const isFragment = kept.some(({ name }) => {
      const others = name.split(" ");
      return others.every((word) => words.has(word)) || [...words].every((word) => others.includes(word));
    });
    if (!isFragment) kept.push(candidate);
  }
  const isFamily = ({ name: family, confidence }: Candidate): boolean =>
    kept.filter(({ name, confidence: own }) => /^[-\s/]/.test(cutBeginning(name, family)) && own > confidence / 2)
      .length > 1;
  return kept.filter((candidate) => !isFamily(candidate));
}

/** Returns what stands behind a beginning; empty without it. */
function cutBeginning(name: string, beginning: string): string {
  return name.startsWith(beginning) ? name.slice(beginning.length) : "";
}

/** Returns a model's letters and digits alone. */
export function toModelKey(name: string): string {
  return normalizePartNumber(name).replace(/[^\p{L}\p{N}]/gu, "");
}

function toPattern(name: string): RegExp {
  const glued = name
    .split(/[\s./-]+/)
    .map((part) => part.replace(/[.*+?^$(){}[\]\\|]/g, "\\$&"))
    .join("[\\s./-]*");
  return new RegExp(`(?<![\\p{L}\\d-])${glued}(?![\\p{L}\\d])`, "u");
}

/** Counts `MM G521` for `G521`, and `HP 250 G3` for `250 G3`. */
function mergeNested(evidence: Evidence, makerKeys: ReadonlySet<string>): void {
  const keys = evidence.keys();
  const makers = new Set([...makerKeys].map((key) => key.toUpperCase()));
  for (const { key, name } of evidence.rank())
    for (const other of keys) {
      if (key === other || !key.endsWith(other)) continue;
      const front = key.slice(0, -other.length);
      const isWordInFront = name.startsWith(`${front} `) && /^[A-Z]{1,3}$/.test(front);
      if (makers.has(front) || (isWordInFront && other.length >= 4 && /[A-Z].*\d/.test(other)))
        evidence.merge(key, other);
    }
}

function isGeneric(word: string): boolean {
  return GENERIC.has(fold(word).replace(/['’]s?$|[.:]$/g, ""));
}

/** Whether it is a measure, a date, a standard or the like, and no model. */
export function isRefused(name: string): boolean {
  const key = name.replace(/\s/g, "");
  return (
    MEASURE.test(key) ||
    /^\p{L}+ (?:19|20)\d\d$/u.test(name) ||
    isNeverPart(name) ||
    (isOtherKind(name) && !/^[A-Z]{1,4}-?\d+[A-Z]*$/.test(name)) ||
    key.length > 2 * LONGEST_MODEL ||
    (key.match(/\d/g)?.length ?? 0) > MOST_DIGITS
  );
}

/** `MOWER-123-45` is a document's number. */
function isModelWord(word: string): boolean {
  return (
    SHAPE.test(word) &&
    !/\p{L}{6}|^\d-\p{L}/u.test(word) &&
    word.length <= LONGEST_MODEL &&
    word.length > 2 &&
    !isRefused(word) &&
    (word.match(/-/g)?.length ?? 0) < 3 &&
    !/^\d+-\d+-/.test(word)
  );
}

/** Whether a line has nothing but a maker's name. */
function isMakerAlone(line: string, makerKeys: ReadonlySet<string>): boolean {
  const [maker] = findMakers(line);
  return makerKeys.has(toMakerKey(line)) || (maker !== undefined && maker.to - maker.from >= line.trim().length - 1);
}

/** A line with a company's name or address names no machine behind it. */
const ADDRESS = new RegExp(
  String.raw`©|copyright|www\.|@|\b\d{5}\b|(?<![\p{L}\d])(?:${COMPANY_FORM})(?![\p{L}\d])\.?|\b(?:Street|Road|Avenue|P\.?O\.? Box|Rua|Via|Viale|Rue)\b`,
  "u",
);

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
    .replace(/\([^)]*\)/g, " ; ")
    .replace(/[®™©"“”„«»]/g, " ");
  if (line.split(/\s+/).length > MOST_HEADLINE_WORDS * 2) return [];
  const makers = findMakers(line);
  const isMaker = (from: number, word: string): boolean =>
    makers.some((maker) => from >= maker.from && from < maker.to) || makerKeys.has(toMakerKey(word));
  const words = [...line.matchAll(/[^\s,;|•·:/]+(?:\/[^\s,;|•·:/]+)*|[,;|•·:]/gu)].flatMap(({ 0: text, index }) =>
    splitSlashes(text.replace(/^[([{]+|[)\]}.!?-]+$/g, "")).map((word) => ({
      text: word,
      isMaker: isMaker(index, word),
      from: index,
    })),
  );
  const names: TitleName[] = [];
  let isBehindMaker = isUnderMaker;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word.isMaker) {
      isBehindMaker = true;
      // `Ultimaker 2`
      const figure = words[at + 1]?.text ?? "";
      if (/^\d$/.test(figure) || ROMAN.test(figure)) {
        names.push({ name: `${word.text} ${figure}`, isBehindMaker, isPlain: false });
        at += 1;
      }
      continue;
    }
    const before = line.slice(0, word.from);
    if (isForAnother(before, line)) break;
    const rest = words.slice(at).map(({ text, isMaker: isAnother }) => (isAnother ? ";" : text));
    const length = NUMBER_LABEL.test(before) ? 0 : countModelWords(rest, isBehindMaker);
    if (length > 0) {
      const name = rest.slice(0, length).join(" ");
      const isPlain = !/\d/.test(name) && !ROMAN.test(rest[length - 1]!);
      if (!isRefused(name) && !(isPlain && isUnderMaker)) names.push({ name, isBehindMaker, isPlain });
      // `MS 170, 180`
      const stem = /^[A-Z]{1,4} (?=\d)/.exec(name)?.[0];
      for (
        let next = at + length;
        stem && words[next]?.text === "," && /^\d{2,4}[A-Z]{0,2}$/.test(words[next + 1]?.text ?? "");
        next += 2
      )
        names.push({ name: stem + words[next + 1]!.text, isBehindMaker, isPlain });
      at += length - 1;
      // `L3400 L4400` are both the maker's, `Uno workshop` is not.
      isBehindMaker &&= !isPlain;
    } else if (!isGeneric(word.text) || /^[,;|:]$/.test(word.text)) isBehindMaker = false;
  }
  return names;
}

/** `F115TR/F115TRG` are two, `TX/2` is one. */
function splitSlashes(word: string): string[] {
  const parts = word.split("/");
  return parts.length > 1 && parts.every((part) => part.length >= 3 && SHAPE.test(part)) ? parts : [word];
}

/** Counts the words at the beginning that are a machine's name. */
function countModelWords(words: readonly string[], isBehindMaker: boolean): number {
  const [first = "", second = "", third = ""] = words;
  const extend = (length: number): number =>
    words[length] !== undefined &&
    GENERATION.test(words[length]) &&
    !isGeneric(words[length]) &&
    !MEASURE.test(words[length])
      ? length + 1
      : length;
  if (isModelWord(first)) return extend(1);
  // `Ender-3 Pro`
  if (/^\p{Lu}\p{Ll}+-\d{1,4}[A-Z]?$/u.test(first) && !isGeneric(first.replace(/-.*/, ""))) return extend(1);
  // `ThinkPad T480`
  if (/^\p{Lu}\p{Ll}+\p{Lu}\p{Ll}*$/u.test(first) && isModelWord(second)) return extend(2);
  // `MS 170`, `CBR 600 F4i`
  if (PREFIX.test(first) && !isGeneric(first) && /^\d{2,4}[A-Z]{0,3}$/.test(second) && !isRefused(`${first} ${second}`))
    return extend(2);
  const isName =
    /^\p{Lu}[\p{L}-]+$/u.test(first) &&
    !isGeneric(first) &&
    !COMPANY_WORDS.has(fold(first)) &&
    !NAMES_A_MANUAL.test(fold(first));
  if (isBehindMaker) {
    // `206`, `250 G3`
    if (/^\d{2,4}[A-Za-z]{0,2}$/.test(first) && !/^(?:19|20)\d\d$/.test(first)) return extend(1);
    // `ThinkPad T480`
    if (isName && (isModelWord(second) || /^\d{2,4}$/.test(second))) return extend(2);
    if (isName && (ROMAN.test(second) || /^\d{1,2}$/.test(second))) return 2;
    if (isName && third !== "" && /^\p{Lu}\p{Ll}+$/u.test(second) && isModelWord(third)) return extend(3);
    if (isName) return 1;
  }
  // `Clio II`
  if (isName && /\p{Ll}/u.test(first) && (ROMAN.test(second) || (/^\d$/.test(second) && first.length > 3))) return 2;
  return 0;
}

function addFileName(filename: string, evidence: Evidence, makerKeys: ReadonlySet<string>): void {
  const words = toFileWords(filename);
  const whole = toModelKey(words);
  for (const key of evidence.keys())
    if (key.length >= 3 && whole.includes(key)) evidence.add(nameOf(evidence, key), "filename", WEIGHTS.inFilename);
  const capital = words
    .replace(/-(?=\p{L})/gu, " ")
    .split(/\s+/)
    .map((word) => (/\d/.test(word) ? word.toUpperCase() : word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())))
    .join(" ");
  if (/^(?:doc|document|scan|img|image|file|page|manual|download)\W?\d/i.test(words)) return;
  for (const { name, isBehindMaker, isPlain } of findTitleNames(capital, makerKeys)) {
    evidence.add(name, "filename", isPlain ? WEIGHTS.filename * PLAIN : WEIGHTS.filename);
    if (isBehindMaker) evidence.add(name, "maker", isPlain ? WEIGHTS.behindMaker * PLAIN : WEIGHTS.behindMaker);
  }
}

function nameOf(evidence: Evidence, key: string): string {
  return evidence.rank().find((each) => each.key === key)?.name ?? key;
}
