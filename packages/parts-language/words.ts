/** What reads words in Node: lists of words lie in files. */
export {
  createBareItem,
  deduplicate,
  findIntent,
  isStatement,
  isUnknownMachine,
  type Item,
} from "./src/request/item.ts";
export { listModelNames, type MachineMention } from "./src/request/marks.ts";
export { normalizeQuestion } from "./src/request/normalize.ts";
export { extractPartTerms, type UnknownName } from "./src/request/piece.ts";
export { type Request, understand } from "./src/request/understand.ts";
export { type AskedUnit, type Constraints, readWishes, type Wishes } from "./src/request/wishes.ts";
export {
  dropCorrected,
  dropIntroductions,
  dropUnmeant,
  findPartNames,
  MAKERS,
  markCutNumbers,
  writeTyped,
} from "./src/words/clauses.ts";
export { findDescribedParts, isCertainDescription, isUnnamed } from "./src/words/descriptions.ts";
export { isOtherScript, readLanguage } from "./src/words/languages.ts";
export { findNumberMentions, MOST_NUMBERS, type NumberMention } from "./src/words/number-mentions.ts";
export { priceWish, type PriceWish } from "./src/words/price-words.ts";
export { groupKindWords, PART_KINDS } from "./src/words/part-kinds.ts";
export { listPartNouns, type PartNouns } from "./src/words/part-nouns.ts";
export {
  dropExtras,
  dropUnits,
  dropYear,
  findNamingWords,
  findRatings,
  isDescribing,
  isMachineName,
  isNoPartName,
  isPlain,
  isWorthShowing,
  isYear,
  listSplits,
  writePacks,
  writeSizes,
} from "./src/words/shopper-words.ts";
export { readLinks } from "./src/words/split-words.ts";
export { writeCounts, writeNumbers, writeSpoken, writeSpokenNames } from "./src/words/spoken.ts";
export {
  FACT_PATTERNS,
  findMeasure,
  getLines,
  getWordSet,
  type Intent,
  INTENTS,
  isAskingTerm,
  MACHINES,
  type Measure,
  NOISE,
  OPPOSITES,
  PART_WORDS,
  SAYS,
  type Symptom,
  SYMPTOMS,
} from "./src/words/vocabulary.ts";
