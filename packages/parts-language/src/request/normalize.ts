import { cleanText } from "../safe-words.ts";
import { dropCorrected, dropIntroductions, markCutNumbers, writeShared, writeTyped } from "../words/clauses.ts";
import { readLanguage } from "../words/languages.ts";
import { readLinks } from "../words/split-words.ts";
import { writeCounts, writeSpoken, writeSpokenNames } from "../words/spoken.ts";
import { SAYS } from "../words/vocabulary.ts";

/** An e-mail says early what it is about. Characters. */
const LONGEST_READ = 8_000;
/** `Ok, chuck three of them into my cart` */
const CART_VERB =
  /(?<!\p{L})(?!(?:in|into|to|for|of|on|with|and|or)\b)\p{L}+(?= (?:an?|the|one|some|it|them|these|those|this|that|\d+)\b.*\b(?:cart|basket|trolley)\b)/iu;

/** Normalizes a question to plain characters, English words and counts in digits; and the language that it is in. */
export function normalizeQuestion(query: string): { text: string; language: string } {
  // Our own SKU is a number behind its vendor's code.
  const typed = readLinks(dropIntroductions(cleanText(query.slice(0, LONGEST_READ))));
  const plain = markCutNumbers(writeSpoken(writeSpokenNames(writeTyped(typed))).replace(/[¿¡]/g, " "))
    .replace(/(?<=\s)'?n'?(?=\s)/g, "and")
    .replace(/(?<=\s)w\/(o?)(?=\s)/gi, (_, out: string) => (out === "" ? "with" : "without"))
    .replace(/\bCT-([A-Z]{3})-(?=\S*\d)/gi, "$1 ");
  const { text, language } = readLanguage(plain);
  const english = writeCounts(writeShared(dropCorrected(text)));
  const wishText = SAYS.cart.test(english)
    ? english.replace(CART_VERB, "add").replace(/\btrolley\b/i, "cart")
    : english;
  return { text: writeComparison(wishText), language };
}

/** `Any cheaper deck belt than 594961` compares a deck belt: what is compared stands first. */
function writeComparison(text: string): string {
  return text.replace(
    /\b(cheaper|less expensive|longer|shorter|bigger|larger|smaller|wider|stronger) ((?:(?!than\b)\p{L}+ ){1,4})than\b/iu,
    "$2$1 than",
  );
}
