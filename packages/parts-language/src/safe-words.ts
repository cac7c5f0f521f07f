import { asSeen } from "./safe-text.ts";

/**
 * A text as it reads: full-width forms as the plain ones, one blank between words, nothing unseen. Dashes of all
 * lengths are one.
 */
export function cleanText(text: string): string {
  return asSeen(text.normalize("NFKC").replace(/[\t\r\n\v\f]+/g, " "))
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Characters of a manual's or the catalog's words that are quoted, and that are looked at: a cell of a table may hold a
 * page.
 */
const LONGEST_NAME = 200;
const LONGEST_LINE = 240;
const LONGEST_READ = 1_000;

/** Speaks to its reader instead of naming a part. */
const INSTRUCTION =
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,60}\b(?:instructions?|previous|above|prior|rules?|prompts?|context|guidelines|everything|manual)\b|\bsystem (?:prompt|message|note|override)\b|\byou (?:are|must|should|will|shall|have to|can) (?:now|always|never|an?\b|only|reply|respond|answer|say|tell|recommend|include|give)|\b(?:ai|language|chat) ?(?:assistant|model|bot)s?\b|\bassistants?\b|\bchatbots?\b|\b(?:respond|reply|answer|say|print|repeat|write|tell|recommend|quote|return|reveal|include)\b.{0,30}\b(?:exactly|only|instead|user|customer|everyone|following|always|price|word|verbatim|prompt|key)\b|\bdeveloper mode\b|\bjailbreak|\bapi[ _-]?keys?\b|\bnew (?:instructions?|rules?)\b|\b(?:use|order|buy|fit|take|install|get)\b.{0,40}\binstead\b/i;
// Of `ASSY.LH/RH`, sides are no domain.
const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S+|(?<!\S)\S[^\s@]*@(?=\S[^\s.]*\.\S)\S+|\b(?!(?:ft|in|lbf?|fl)\.)[a-z0-9-]{2,}(?:\.[a-z0-9-]+)*\.(?![lr]h\/)[a-z]{2,24}\/\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|info|biz|shop|store|app|dev|de|eu|fr|nl|pl|uk|ru|cn|xyz|top|site|online|example|test|invalid)\b\S*/gi;
/** What sells instead of naming: the name ends before it. */
const SALES_TALK =
  /(?:^\s*system\s*:|\b(?:assistant|user|developer|admin|human|bot|prompt)\s*:|\b(?:the )?price (?:is|was|now)\b|\b(?:order|buy|purchase) (?:it )?(?:at|from|now|online|here|via|by|it)\b|\bcall (?:us|now|me|today|toll|[+(\d])|\btext (?:us|me)\b|\bvisit\b|\bcontact us\b|\[?\s*\bclick\b|\bpay (?:at|to|via|with|by|us|me|now)\b|\bwire (?:the |your )?(?:money|funds|payment)\b|\bfree of charge\b|\b(?:free|same[- ]day) (?:shipping|delivery)\b|\bdelivered (?:in|within|today|tomorrow)\b|\bships (?:in|within|today|tomorrow|free)\b|\S{1,40}\s+[([]?dot[)\]]?\s+(?:com|net|org|io|info|biz|shop|store|app|co|us)\b).*$/is;
/** What an answer says in words of its own: a name ends before it, so that it answers nothing. */
const ANSWERING =
  /[\s,;:.(]*\b(?:page \d|quantity \d|\d+ in stock|(?:in|out of) stock\b|stock not known|not in the catalog|is replaced by|(?:is )?(?:not )?listed for the\b|fits the\b|the supplier did\b|no manual\b).*$/is;
const SYSTEM_SAYS = /\bSYSTEM:\s*(?=[a-z]).*$/s;
const MONEY = /[$€£]\s?\d[\d.,]*|\b(?:usd|eur)\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:dollars?|usd|cents?|bucks|euros?|¢)/gi;
const PHONE = /(?:\+?\d{1,3}[-. ]?)?\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/g;
const CODE =
  /<script\b.*?(?:<\/script>|$)|\b\w+:\w+\(\S*|\b(?:alert|eval|prompt|confirm|fetch|atob|import|require|exec|function|settimeout|(?:document|window|console)\.\w+)\s*\([^)]*\)*;?/gis;
// Of a thread, `#10-24`, it is no markup.
const MARKUP = /<[^>]*>?|(?:[`*_~|\\{}]|#(?!\d+-\d))+|\]\(|!\[|&[a-z#0-9]{2,8};/gi;

/** Returns whether a text instructs its reader, as no name of a part and no line of a parts list does. */
export function isInstruction(text: string): boolean {
  return INSTRUCTION.test(text);
}

/**
 * A title as it may stand in an answer: whole, with its sizes and numbers, on one line, without addresses, markup,
 * money, phone numbers or sales talk; undefined if nothing of it may.
 */
export function cleanTitle(text: string): string | undefined {
  const [name] = cleanQuote(text);
  return cleanName(name ?? "");
}

/** Nothing of it leaves the brackets that an answer puts around a name: it closes what it opens, and nothing else. */
function cleanName(name: string): string | undefined {
  let open = 0;
  const plain = name.replace(ANSWERING, "").replace(/[()]/g, (bracket, index: number, text: string) => {
    open += bracket === "(" ? 1 : -1;
    if (open >= 0) return bracket;
    open = 0;
    return /[\p{L}\p{N}]/u.test(text[index + 1] ?? "") ? " " : "";
  });
  const words = plain.replace(/\s+/g, " ").trim();
  return words === "" ? undefined : words + ")".repeat(open);
}

/**
 * A line of a manual's text as it may stand in an answer, its digits with it: on one line, without addresses and
 * markup; empty list where nothing of it may.
 */
export function cleanLine(text: string): string[] {
  return cleanQuote(text, LONGEST_LINE);
}

/**
 * The name of an equipment as it may stand in an answer: as any other, but its own digits stay. A manual may call
 * itself anything.
 */
export function cleanEquipmentName(text: string): string {
  return cleanTitle(text) ?? "equipment of another name";
}

function cleanQuote(text: string, longest = LONGEST_NAME): string[] {
  const clean = cleanText(text.slice(0, LONGEST_READ));
  if (isInstruction(clean)) return [];
  const words = clean
    .replace(CODE, " ")
    .replace(SYSTEM_SAYS, "")
    .replace(SALES_TALK, "")
    .replace(PHONE, " ")
    .replace(MONEY, " ")
    .replace(/\bSYSTEM:/g, "SYSTEM");
  const plain = words
    .replace(ADDRESS, " ")
    .replace(MARKUP, " ")
    // Those around a quote are the answer's.
    .replace(/[“”„‟«»]/g, '"')
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:.)\]-]+|[\s,;:([-]+$/g, "");
  if (plain === "") return [];
  return [plain.length > longest ? `${plain.slice(0, longest).replace(/\s+\S*$/, "")}…` : plain];
}

/** A tire's size in millimetres, LT235/75R15: as long as a part's number, and none. */
const METRIC_TIRE = /^[A-Z]{0,2}\d{3}\/\d{2}[A-Z]{0,2}\d{2}$/;

/** As long as a part's number: a name may have sizes and models in it, and no number that nobody looked up. */
export function isLongNumber(word: string): boolean {
  return (
    (word.match(/\d/g)?.length ?? 0) >= 4 &&
    !METRIC_TIRE.test(word) &&
    !/^\d{1,2}\/\d{4}$/.test(word) &&
    !/^\d{1,3}(?:\.\d+)?[~*x×]\d{1,3}(?:\.\d+)?$/.test(word) &&
    !/^\d+([./x"-]\d*){2,}$/.test(word) &&
    !/^\$?\d{1,3}(,\d{3})*\.\d{2}$/.test(word)
  );
}
