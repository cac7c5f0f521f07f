import { readFileSync } from "node:fs";
import { fold } from "../../../mixins/fold.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "../../../mixins/search-index/synonyms.ts";
import { listOf } from "./words.ts";

/** What stands around parts in other languages: what parts are called is search's data. */
const AROUND = readFileSync(new URL("./languages.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((row) => row !== "" && !row.startsWith("#"))
  .map((row) => row.split("|").map((cell) => cell.trim()));

interface Language {
  /** By folded words, several with one blank between. */
  words: ReadonlyMap<string, string>;
  /** Endings of a plural. */
  plurals: readonly string[];
  /** French binds short words by an apostrophe. */
  hasElisions?: true;
  hasCompounds?: true;
}

const keyOf = (phrase: string): string => fold(phrase).replace(/[^\p{L}]+/gu, " ");

/** @param place of the language in the rows; a row's words win over search's */
function wordsOf(place: number, synonyms: readonly string[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const { words: own, meanings } of synonyms.map(parseSynonyms))
    if (own !== meanings) for (const word of own) if (!words.has(keyOf(word))) words.set(keyOf(word), meanings[0]!);
  for (const cells of AROUND)
    for (const word of (cells[place] ?? "").split(","))
      if (keyOf(word.trim()).trim() !== "") words.set(keyOf(word.trim()), cells[0] === "-" ? "" : cells[0]!);
  return words;
}

const LANGUAGES: readonly Language[] = [
  { words: wordsOf(1, DEFAULT_SYNONYMS.de), plurals: ["en", "n", "e", "er", "s"], hasCompounds: true },
  { words: wordsOf(2, DEFAULT_SYNONYMS.es), plurals: ["es", "s"] },
  { words: wordsOf(3, DEFAULT_SYNONYMS.fr), plurals: ["s", "x"], hasElisions: true },
];
/** Words that English has too: they alone say nothing of a text's language. */
const ALSO_ENGLISH = new Set(
  [
    ...listOf("also english"),
    ...[...AROUND.map(([meaning]) => meaning!), ...LANGUAGES.flatMap(({ words }) => [...words.values()])].flatMap(
      (meaning) => meaning.trim().split(/[ -]+/),
    ),
    ...DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)),
  ].map(fold),
);
/** English words that stand around parts. */
const QUESTION_WORDS = new Set([
  ..."does do can many it has will".split(" "),
  ...AROUND.flatMap(([meaning]) => (/^\w{2,5}$/.test(meaning!) ? [meaning!] : [])),
]);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const SHORTEST_OF_COMPOUND = 3;
const SHORTEST_OF_SEVERAL = 4;
/** A long word of a language, or two short ones, make a text one of its. */
const ENOUGH = 2;
const LONGEST_PHRASE = 6;
/** Words, of which those with a digit or beside one are of a number. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}./#-]*/gu;
export function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** A question in English, word by word, if it is in one of these languages; otherwise as it is. */
export function inEnglish(text: string): string {
  const read = LANGUAGES.map((language) => translated(text, language));
  const best = read.reduce((first, each) => (each.score > first.score ? each : first));
  // A word or two of another language amid English ones are English: `how many lift links does it have`.
  if (best.score < ENOUGH || best.score <= best.english) return text;
  return best.text.replace(/[\s_]+/g, " ").trim();
}

function translated(text: string, language: Language): { text: string; score: number; english: number } {
  const plain = language.hasElisions ? text.replace(/\b([dlnqsj]|qu)['’](?=\p{L})/giu, "$1 ") : text;
  const words = [...plain.matchAll(WORD)].map(({ 0: word, index: from }): Spot => {
    const letters = word.replace(/[./#-]+$/, "");
    return { from, to: from + letters.length, key: /[\d-]/.test(letters) ? undefined : fold(letters) };
  });
  let english = "";
  let end = 0;
  let score = 0;
  for (let at = 0; at < words.length;) {
    const found = longestAt(at, words, plain, language);
    const { from, to } = { from: words[at]!.from, to: words[at + (found?.count ?? 1) - 1]!.to };
    if (found) {
      english += plain.slice(end, from) + found.meaning.replaceAll(" ", "_");
      end = to;
      for (const { key = "" } of words.slice(at, at + found.count))
        if (!ALSO_ENGLISH.has(key)) score += key.length > 3 ? ENOUGH : 1;
    }
    at += found?.count ?? 1;
  }
  const isEnglish = ({ key = "" }: Spot): boolean => QUESTION_WORDS.has(key) && !language.words.has(key);
  return { text: english + plain.slice(end), score, english: words.filter(isEnglish).length };
}

interface Spot {
  from: number;
  to: number;
  /** Absent where it is of a number. */
  key: string | undefined;
}

/** The most words from one on that mean something together. */
function longestAt(
  at: number,
  words: readonly Spot[],
  text: string,
  language: Language,
): { count: number; meaning: string } | undefined {
  for (let count = Math.min(LONGEST_PHRASE, words.length - at); count >= 1; count -= 1) {
    const some = words.slice(at, at + count);
    const isTogether = some.every(
      ({ key, from }, place) =>
        key !== undefined && (place === 0 || /^[\s'’-]$/.test(text.slice(some[place - 1]!.to, from))),
    );
    if (!isTogether) continue;
    const key = some.map((each) => each.key).join(" ");
    const meaning = count === 1 ? meaningOf(key, language) : language.words.get(key);
    if (meaning !== undefined) return { count, meaning };
  }
  return undefined;
}

function meaningOf(word: string, language: Language): string | undefined {
  const { words, plurals, hasCompounds } = language;
  const known = words.get(word);
  if (known !== undefined) return known;
  const ending = plurals.find(
    (each) =>
      word.length - each.length >= SHORTEST_OF_SEVERAL && word.endsWith(each) && words.get(word.slice(0, -each.length)),
  );
  if (ending !== undefined) return `${words.get(word.slice(0, -ending.length))!}s`;
  if (!hasCompounds) return undefined;
  // Known words, with a letter between them or none.
  for (let cut = word.length - SHORTEST_OF_COMPOUND; cut >= 2; cut -= 1) {
    const start = word.slice(0, cut);
    const first = words.get(start) || words.get(start.replace(/(?:s|n|en)$/, ""));
    const rest = meaningOf(word.slice(cut), language);
    if (first && rest) return `${first} ${rest}`;
  }
  return undefined;
}
