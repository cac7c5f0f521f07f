/** What reads words in Node: lists of words lie in files. */
export { isOtherScript, translateToEnglish } from "./src/words/languages.ts";
export { findNumberMentions, MOST_NUMBERS, type NumberMention } from "./src/words/number-mentions.ts";
export { priceWish, type PriceWish } from "./src/words/price-words.ts";
export {
  dropExtras,
  dropUnits,
  dropYear,
  findNamingWords,
  findRatings,
  isDescribing,
  isMachineName,
  isPlain,
  isWorthShowing,
  isYear,
  listSplits,
  readAsDigits,
} from "./src/words/shopper-words.ts";
export {
  FACT_PATTERNS,
  findMeasure,
  findRole,
  getWordSet,
  type Intent,
  INTENTS,
  isAskingTerm,
  MACHINES,
  type Measure,
  NOISE,
  PART_WORDS,
  SAYS,
  type Symptom,
  SYMPTOMS,
} from "./src/words/vocabulary.ts";
