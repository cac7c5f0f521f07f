import { DEFAULT_SYNONYMS, parseSynonyms } from "./synonyms.ts";
import { fold } from "../fold.ts";
import { toSingular } from "./text.ts";
import { readLines } from "./read-lines.ts";
import { getAt, getFrom, memoizeRecent } from "@partline/toolkit";
import { findMeasure, getWordSet } from "./vocabulary.ts";
import { nameDescribed } from "./descriptions.ts";

/** What stands around parts in other languages: what parts are called is search's data. */
const AROUND = readLines("languages").map((row) => row.split("|").map((cell) => cell.trim()));

interface Language {
  /** By folded words, several with one blank between. */
  words: ReadonlyMap<string, string>;
  /** Those of several words by their first, the longest first. */
  phrases: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Endings of a plural. */
  plurals: readonly string[];
  hasCompounds: boolean;
  cases?: RegExp | undefined;
  /** Meanings by words without the endings of their cases. */
  stems: ReadonlyMap<string, string>;
  /** Their first words. */
  firstStems: ReadonlySet<string>;
}

/** Endings of nouns in all cases, Polish and Swedish, behind what is left of a word. */
const POLISH_CASES = /(?<=\p{L}{3})(?:iami|ami|iach|ach|iem|owi|ow|om|em|ie|ia|iu|ego|emu|ych|ymi|ej|a|e|i|o|u|y)$/u;
const SWEDISH_CASES = /(?<=\p{L}{4})(?:arnas?|ernas?|ornas?|ens|ets|en|et|ar|er|or|na|n|t)$/u;
const toStem = (key: string, cases: RegExp): string => key.replaceAll(/[^ ]+/g, (word) => word.replace(cases, ""));

const toKey = (phrase: string): string =>
  fold(phrase)
    .replace(/[^\p{L}]+/gu, " ")
    .trim();

/** @param place of the language in the rows; a row's words win over search's */
function createLanguage(
  place: number,
  synonyms: readonly string[],
  plurals: readonly string[],
  hasCompounds = false,
  cases?: RegExp,
): Language {
  const words = new Map<string, string>();
  const rules = synonyms.map(parseSynonyms);
  for (const { words: synonymWords, meanings } of rules)
    if (synonymWords !== meanings)
      for (const key of synonymWords.map(toKey)) {
        const meaning = getAt(meanings, 0);
        // `Riemenscheiben` behind `Riemenscheibe`. Polish and Swedish endings are of one thing too.
        const isPlural =
          place < 3 &&
          plurals.some((ending) => key.endsWith(ending) && words.get(key.slice(0, -ending.length)) === meaning);
        if (!words.has(key)) words.set(key, isPlural ? `${meaning}s` : meaning);
      }
  for (const [meaning, ...cells] of AROUND)
    for (const key of (cells[place] ?? "").split(",").map(toKey))
      if (key !== "") words.set(key, meaning === "-" ? "" : meaning!);
  const phrases = [...words.keys()]
    .filter((key) => key.includes(" "))
    .sort((a, b) => b.length - a.length)
    .map((key) => key.split(" "));
  // Names of parts alone: of other words, endings say which they are.
  const stems = new Map<string, string>();
  if (cases)
    for (const { words: names, meanings } of rules)
      for (const stem of names.map((name) => toStem(toKey(name), cases)))
        if (!stems.has(stem)) stems.set(stem, getAt(meanings, 0));
  const firstStems = new Set([...stems.keys()].map((stem) => stem.replace(/ .*/, "")));
  return {
    words,
    phrases: Map.groupBy(phrases, ([first = ""]) => first),
    plurals,
    hasCompounds,
    cases,
    stems,
    firstStems,
  };
}

const LANGUAGES: readonly Language[] = [
  createLanguage(0, DEFAULT_SYNONYMS.de, ["en", "n", "e", "er", "s"], true),
  createLanguage(1, DEFAULT_SYNONYMS.es, ["es", "s"]),
  createLanguage(2, DEFAULT_SYNONYMS.fr, ["s", "x"]),
  createLanguage(4, DEFAULT_SYNONYMS.pl, ["i", "y", "a", "e"], false, POLISH_CASES),
  createLanguage(5, DEFAULT_SYNONYMS.sv, ["ar", "er", "en", "et", "n"], true, SWEDISH_CASES),
  createLanguage(6, [], []),
  createLanguage(7, [], []),
];
const LANGUAGE_CODES = ["de", "es", "fr", "pl", "sv", "pt", "it"];
/** What things are called by what they do, in English. */
const EVERYDAY = createLanguage(3, [], []);
const ALL_LANGUAGES = [...LANGUAGES, EVERYDAY];
/** Words that English has too: they alone say nothing of a text's language. */
const ALSO_ENGLISH = new Set(
  [
    ...getWordSet("also english"),
    ...[...AROUND.map(([meaning]) => meaning!), ...LANGUAGES.flatMap(({ words }) => [...words.values()])].flatMap(
      (meaning) => meaning.trim().split(/[ -]+/),
    ),
    ...DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)),
  ].map(fold),
);
/** English words that stand around parts; `New Holland` is a maker. */
const QUESTION_WORDS = new Set([
  ..."does do can many it has will".split(" "),
  ...AROUND.flatMap(([meaning]) => (/^(?!new$)\w{2,5}$/.test(meaning!) ? [meaning!] : [])),
]);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const SHORTEST_OF_COMPOUND = 3;
/** Letters: there are many ways to cut a longer one. */
const LONGEST_COMPOUND = 40;
const SHORTEST_OF_SEVERAL = 4;
/** A long word of a language, or two short ones, make a text one of its. */
const ENOUGH = 2;

export function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** Returns a question in English, word by word, if it is in one of these languages, and which that is (ISO 639-1). */
export function readLanguage(typed: string): { text: string; language: string } {
  const typedTokens = splitTokens(typed);
  const everyday = translate(typedTokens, LANGUAGES.length);
  const text = everyday.text ?? typed;
  const tokens = everyday.text === undefined ? typedTokens : splitTokens(text);
  const translations = LANGUAGES.map((_, index) => translate(tokens, index));
  const best = translations.reduce((first, translation) => (translation.score > first.score ? translation : first));
  // A word or two of another language amid English ones are English: `how many lift links does it have`.
  const isEnglish = best.score < ENOUGH || best.score <= best.english;
  if (isEnglish && translations.every(({ english }) => english > 0)) return { text, language: "en" };
  const index = translations.indexOf(best);
  const english = isEnglish ? text : (best.text ?? text);
  const namedText = findMeasure(english) ? text : nameDescribed(text, english);
  if (isEnglish && namedText === text) return { text, language: "en" };
  const translatedText = namedText === text ? english : (translate(splitTokens(namedText), index).text ?? namedText);
  const language = isEnglish ? "en" : (LANGUAGE_CODES[index] ?? "en");
  return { text: translatedText.replace(/\s+/g, " ").trim(), language };
}

/** A word where it stands; each language reads the same. */
interface Token {
  key: string;
  /** It has letters alone. */
  isPlain: boolean;
  /** It has a digit: it is of a number or a name. */
  isName: boolean;
  from: number;
  to: number;
}

interface Tokens {
  /** What they are of. */
  plain: string;
  tokens: readonly Token[];
}

const TOKEN = /\d{1,2}(?=-\p{L}{5})|[\p{L}\p{N}](?:[./#-]*[\p{L}\p{N}])*/gu;

function splitTokens(text: string): Tokens {
  // French binds short words by an apostrophe, and who does it by a hyphen.
  const plain = text
    .replace(/\b([dlnqsj]|qu)['’](?=\p{L})/giu, "$1 ")
    .replace(/(?<=\p{L})-(?:t-)?(?=(?:ils?|elles?|on|vous|tu|je|nous|ce)\b)/giu, " ");
  const tokens = [...foldInPlace(plain).matchAll(TOKEN)].map(({ 0: word, index }) => ({
    key: /^[a-z]+$/.test(word) ? word : toKey(word),
    isPlain: !/[^\p{L}]/u.test(word),
    isName: /\d/.test(word),
    from: index,
    to: index + word.length,
  }));
  return { plain, tokens };
}

/** @param place of the language @returns no text if it has no word of it */
function translate({ plain, tokens }: Tokens, place: number): { text?: string; score: number; english: number } {
  let [output, end, score, english] = ["", 0, 0, 0];
  const isPhrase = (words: readonly string[], start: number): boolean =>
    words.every((word, index) => {
      const [token, previous] = [tokens[start + index], tokens[start + index - 1]];
      if (!token?.isPlain || token.key !== word) return false;
      return index === 0 || (previous?.to === token.from - 1 && /[\s'’]/.test(plain.charAt(token.from - 1)));
    });
  for (let index = 0; index < tokens.length; index += 1) {
    const first = getAt(tokens, index);
    const { phrases, meanings, startsStems } = lookUpWord(first.key);
    const phrase = phrases?.[place]?.find((words) => isPhrase(words, index));
    if (phrase) index += phrase.length - 1;
    else if (first.isName) continue;
    const least = meanings[place] === undefined ? 1 : 2;
    const inCase = phrase || !startsStems[place] ? undefined : findInCase(tokens, index, place, least);
    if (inCase) index += inCase.length - 1;
    const key = phrase?.join(" ") ?? first.key;
    const meaning = phrase ? ALL_LANGUAGES[place]?.words.get(key) : (inCase?.meaning ?? meanings[place]);
    if (meaning === undefined) {
      if (QUESTION_WORDS.has(key)) english += 1;
      continue;
    }
    output += plain.slice(end, first.from) + meaning;
    end = getAt(tokens, index).to;
    for (const word of key.split(" "))
      if (!ALSO_ENGLISH.has(word) && !ALSO_ENGLISH.has(toSingular(word))) score += word.length > 3 ? ENOUGH : 1;
  }
  return { ...(end > 0 && { text: output + plain.slice(end) }), score, english };
}

const MOST_IN_CASE = 3;

/** Finds a part's name in any case: `zębów podbieracza`. */
function findInCase(tokens: readonly Token[], index: number, place: number, least: number) {
  for (let length = MOST_IN_CASE; length >= least; length -= 1) {
    const words = tokens.slice(index, index + length);
    if (words.length < length || !words.every(({ isPlain }) => isPlain)) continue;
    const meaning = ALL_LANGUAGES[place]?.stems.get(words.map(({ key }) => lookUpWord(key).stems[place]).join(" "));
    if (meaning !== undefined) return { meaning, length };
  }
  return undefined;
}

/** Looks up a word once for all languages: most texts have words that others have too. */
const lookUpWord = memoizeRecent(5_000, (key) => {
  const phrases = ALL_LANGUAGES.map((language) => language.phrases.get(key));
  const stems = ALL_LANGUAGES.map(({ cases }) => cases && toStem(key, cases));
  return {
    ...(phrases.some((starting) => starting !== undefined) && { phrases }),
    meanings: ALL_LANGUAGES.map((language) => findMeaning(key, language)),
    stems,
    startsStems: ALL_LANGUAGES.map(({ firstStems }, place) => firstStems.has(stems[place] ?? "")),
  };
});

/** Folds letters that keep their length, so that each stays where it was. */
function foldInPlace(text: string): string {
  return text
    .replace(/\P{ASCII}/gu, (letter) => (fold(letter).length === letter.length ? fold(letter) : letter))
    .toLowerCase();
}

function findMeaning(word: string, language: Language): string | undefined {
  const { words, plurals, hasCompounds } = language;
  const meaning = words.get(word);
  if (meaning !== undefined) return meaning;
  const ending = plurals.find(
    (plural) =>
      word.length - plural.length >= SHORTEST_OF_SEVERAL &&
      word.endsWith(plural) &&
      words.get(word.slice(0, -plural.length)),
  );
  if (ending !== undefined) return `${getFrom(words, word.slice(0, -ending.length))}s`;
  if (!hasCompounds || word.length > LONGEST_COMPOUND) return undefined;
  // Known words, with a letter between them or none.
  for (let cut = word.length - SHORTEST_OF_COMPOUND; cut >= 2; cut -= 1) {
    const start = word.slice(0, cut);
    const first = words.get(start) || (/[sn]$/.test(start) && words.get(start.replace(/(?:s|n|en)$/, "")));
    // Read behind a known word alone: behind any letters, the time would grow by half with each letter.
    const rest = first && findMeaning(word.slice(cut), language);
    if (rest) return `${first} ${rest}`;
  }
  return undefined;
}
