/** How a text is read in terms: what threads of the indexes load. */
export { foldHeader, HEADER_WORDS, joinHeaderWords } from "./src/words/header-words.ts";
export { DEFAULT_SYNONYMS, parseSynonyms } from "./src/words/synonyms.ts";
export { splitPlacedWords, splitWords, type Word } from "./src/words/split-words.ts";
export {
  type Chunk,
  hasDigit,
  isDecimalSize,
  isSize,
  isStopChunk,
  isStopWord,
  joinMeasure,
  joinTerms,
  listCompounds,
  listSizeTerms,
  queryChunks,
  readSpacedSize,
  splitChunks,
  splitMeasuredChunks,
  splitTerms,
  toSingular,
} from "./src/words/text.ts";
