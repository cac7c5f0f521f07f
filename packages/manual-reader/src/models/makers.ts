import { fold, VENDOR_NAMES, type VendorCode } from "@partline/parts-language";
import { escapeRegExp } from "@partline/toolkit";
import { KNOWN_MAKERS } from "./known-makers.ts";
import { NAMES_A_MANUAL } from "./machine-words.ts";

export interface Maker {
  name: string;
  vendor?: VendorCode;
}

/** Excludes everyday words and bare codes. */
const isTelling = (name: string, code: string): boolean =>
  name !== code && !["Knight", "Weaver", "Alamo", "Briggs"].includes(name);

const BRANDS: Partial<Record<VendorCode, readonly string[]>> = {
  AGC: ["Massey Ferguson", "Challenger", "Hesston", "Gleaner"],
};

interface Spelling extends Maker {
  spelling: string;
}

const SPELLINGS: readonly Spelling[] = [
  ...Object.entries(VENDOR_NAMES).flatMap(([code, names]): Spelling[] =>
    [...names, ...(BRANDS[code as VendorCode] ?? [])]
      .filter((name) => isTelling(name, code))
      .map((spelling) => ({
        spelling,
        name: BRANDS[code as VendorCode]?.includes(spelling) ? spelling : names[0],
        vendor: code as VendorCode,
      })),
  ),
  ...KNOWN_MAKERS.flatMap(([name = "", ...aliases]): Spelling[] =>
    [name, ...aliases].map((spelling) => ({ spelling, name })),
  ),
];

const BY_KEY = new Map(
  SPELLINGS.toReversed().map(({ spelling, ...maker }): [string, Maker] => [toMakerKey(spelling), maker]),
);

/** Makers by their first word, as written or in capitals; the longest name first. */
const BY_FIRST_WORD = Map.groupBy(
  [...new Set(SPELLINGS.flatMap(({ spelling }) => [spelling, spelling.toUpperCase()]))]
    .sort((a, b) => b.length - a.length)
    .map((spelling) => ({
      maker: BY_KEY.get(toMakerKey(spelling)),
      first: /^[\p{L}\d]+/u.exec(spelling)?.[0],
      pattern: new RegExp(escapeRegExp(spelling).replaceAll(" ", String.raw`\s+`), "uy"),
    })),
  ({ first }) => first,
);
/** One for all spellings: a thousand patterns with a class of all letters take 30 ms to make. */
const WORD_END = /(?![\p{L}\d])/uy;

export interface MakerMention extends Maker {
  from: number;
  to: number;
  /** Whether the name is that of a series, by what stands around it: `304 Challenger`, `Challenger Series`. */
  isSeries: boolean;
}

const NUMBERED = /(?<![\p{L}\d.-])(?!(?:19|20)\d\d\s)\d{3,4}\s$/u;
/** Characters in front of a name, as many as `NUMBERED` looks at. */
const NUMBER_LENGTH = 8;
const SERIES = /^\s+(?:series|serie|série|baureihe)(?!\p{L})/iu;

/** Finds where a text names makers that are known. */
export function findMakers(text: string): MakerMention[] {
  const mentions: MakerMention[] = [];
  // In Japanese the form of a company touches its name.
  const spaced = text.replaceAll("株式会社", "    ");
  for (const { 0: word, index: from } of spaced.matchAll(/[\p{L}\d]+/gu)) {
    if (from < (mentions.at(-1)?.to ?? 0)) continue;
    for (const { maker, pattern } of BY_FIRST_WORD.get(word) ?? []) {
      pattern.lastIndex = from;
      const spelling = pattern.exec(spaced)?.[0];
      if (spelling === undefined || !maker) continue;
      WORD_END.lastIndex = pattern.lastIndex;
      if (!WORD_END.test(spaced)) continue;
      // `35 HP`
      const isMeasure = spelling.length < 3 && /\d\s*$/.test(text.slice(Math.max(0, from - 3), from));
      const to = from + spelling.length;
      const isSeries =
        NUMBERED.test(text.slice(Math.max(0, from - NUMBER_LENGTH), from)) || SERIES.test(text.slice(to));
      if (!isMeasure) mentions.push({ ...maker, from, to, isSeries });
      break;
    }
  }
  return mentions;
}

/** Returns the known maker that a name is, or begins with: `Yamaha Motor` is Yamaha. */
export function findMakerCalled(name: string): Maker | undefined {
  const words = name.split(/\s+/);
  for (let length = words.length; length > 0; length -= 1) {
    const maker = BY_KEY.get(toMakerKey(words.slice(0, length).join(" ")));
    if (maker) return maker;
  }
  return undefined;
}

/** The maker named first. */
export function makerIn(text: string): Maker | undefined {
  const [first] = findMakers(text);
  return first && { name: first.name, ...(first.vendor && { vendor: first.vendor }) };
}

/** What is for a maker's machine is none of its own. */
const FITS =
  /(?:[Ff]its|[Ff]itted to|[Ff]or use (?:on|with)|[Cc]ompatible with|[Rr]eplaces|[Aa]ttach(?:es|ed)? to|[Uu]sed (?:on|with)|[Pp]assend (?:zu|für)|[Cc]ompatible avec)\s+(?:[^.]{0,60})$/u;
const FOR =
  /(?:^|\s)(?:[Ff]or|[Ff]ür|[Pp]our|[Pp]ara|[Pp]er|[Ff]ör|[Vv]oor)\s+(?:(?:the|all|most|some|a|an|die|les|los)\s+)?(?:\p{Lu}[\p{L}&-]*(?:,|\s+(?:and|or|&|und|et|y|e)|\/)\s*)*$/u;

/**
 * Whether what stands behind a text is what something fits, and not what a line is about; a manual is for its machine.
 */
export function isForAnother(start: string, line = start): boolean {
  return FITS.test(start) || (FOR.test(start) && !NAMES_A_MANUAL.test(fold(line)));
}

/** Returns letters and digits alone, so that spellings of a name are equal. */
export function toMakerKey(name: string): string {
  return fold(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
