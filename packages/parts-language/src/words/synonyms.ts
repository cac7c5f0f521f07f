import { readLines } from "./read-lines.ts";

/**
 * Words and phrases of the same meaning at a parts counter, in the lines of Solr's synonym files. `a, b`: each asks for
 * the other too; a narrower word (`mower blade` for `blade`), a neighbour (`shear pin` for `shear bolt`) or a
 * misspelling is none. `a, b => c`: a and b ask for c too, and c for neither. The index handles plurals, case, accents
 * and punctuation.
 */
interface SynonymRule {
  words: readonly string[];
  /** Of which each word asks for all others. */
  meanings: readonly string[];
}

const ROWS = readLines("synonyms/other-languages").map((row) => row.split("|").map((cell) => cell.trim()));

/** The product's own lines by language (ISO 639-1). */
export const DEFAULT_SYNONYMS = {
  en: readLines("synonyms/en"),
  de: listTranslations(1),
  es: listTranslations(2),
  fr: listTranslations(3),
  pl: listTranslations(4),
  sv: listTranslations(5),
};

/** @throws Error saying what is wrong with the line */
export function parseSynonyms(line: string): SynonymRule {
  const sides = line.split("=>").map((side) => side.split(",").map((word) => word.trim()));
  if (sides.length > 2) throw new Error("has more than one '=>'");
  if (sides.some((side) => side.includes(""))) throw new Error("has an empty word");
  const [words, meanings = words] = sides;
  if (words === meanings && words!.length < 2)
    throw new Error("has one word alone: give another, or '=>' and a meaning");
  return { words: words!, meanings: meanings! };
}

/** @param column of a language in the rows */
function listTranslations(column: number): readonly string[] {
  return ROWS.flatMap((cells) => (cells[column] ? [`${cells[column]} => ${cells[0]}`] : []));
}

/** Lists what a meaning is called first, in English, German and Spanish. */
export const listFirstNames = (): string[][] => ROWS.map((cells) => cells.slice(0, 3).map(takeFirst));
const takeFirst = (cell: string): string => cell.replace(/,.*/, "").trim();
