import { SAYS } from "./words.ts";

/** Characters that are not seen, or that turn what is seen around: nobody types them to ask for a part. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]+/gu;

/**
 * A text as it reads: full-width forms as the plain ones, one blank between words, nothing unseen. Dashes of all
 * lengths are one.
 */
export function cleanText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\t\r\n]+/g, " ")
    .replace(UNSEEN, "")
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

const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S+|\S+@\S+\.\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|info|biz|shop|store|app|dev|ru|cn|xyz|top|site|online|example|test|invalid)\b\S*/gi;
/** What sells instead of naming: the name ends before it. */
const SALES_TALK = new RegExp(`(?:${SAYS["sales talk"].source}).*$`, "is");
const SYSTEM_SAYS = /\bSYSTEM:\s*(?=[a-z]).*$/s;
const MONEY = /[$€£]\s?\d[\d.,]*|\b(?:usd|eur)\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:dollars?|usd|cents?|bucks|euros?|¢)/gi;
const PHONE = /(?:\+?\d{1,3}[-. ]?)?\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/g;
const CODE =
  /<script\b.*?(?:<\/script>|$)|\b\w+:\w+\(\S*|\b(?:alert|eval|prompt|confirm|fetch|atob|import|require|exec|function|settimeout|(?:document|window|console)\.\w+)\s*\([^)]*\)*;?/gis;
// Of a thread, `#10-24`, it is no markup.
const MARKUP = /<[^>]*>?|(?:[`*_~|\\{}]|#(?!\d+-\d))+|\]\(|!\[|&[a-z#0-9]{2,8};/gi;

/** Whether a text tells its reader what to do or say, as no name of a part and no line of a parts list does. */
export function isInstruction(text: string): boolean {
  return SAYS.instruction.test(text);
}

/**
 * A title as it may stand in an answer: whole, with its sizes and numbers, on one line, without addresses, markup,
 * money, phone numbers or sales talk; undefined if nothing of it may.
 */
export function titleOf(text: string, longest = LONGEST_NAME): string | undefined {
  const clean = cleanText(text.slice(0, LONGEST_READ));
  if (isInstruction(clean)) return undefined;
  const named = clean
    .replace(CODE, " ")
    .replace(SYSTEM_SAYS, "")
    .replace(SALES_TALK, "")
    .replace(PHONE, " ")
    .replace(MONEY, " ")
    .replace(/\bSYSTEM:/g, "SYSTEM");
  const plain = named
    .replace(ADDRESS, " ")
    .replace(MARKUP, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:.)\]-]+|[\s,;:([-]+$/g, "");
  if (plain === "") return undefined;
  return plain.length > longest ? `${plain.slice(0, longest).replace(/\s+\S*$/, "")}…` : plain;
}

/** A line of a manual's text, in the same way. */
export function quotableLine(text: string): string | undefined {
  return titleOf(text, LONGEST_LINE);
}

/** The name of an equipment, in the same way: a manual may call itself anything. */
export function equipmentName(text: string): string {
  return titleOf(text) ?? "equipment of another name";
}

/** A tire's size in millimetres, LT235/75R15: as long as a part's number, and none. */
const METRIC_TIRE = /^[A-Z]{0,2}\d{3}\/\d{2}[A-Z]{0,2}\d{2}$/;

/** As long as a part's number: a name may have sizes and models in it, and no number that nobody looked up. */
export function isLongNumber(word: string): boolean {
  return (
    (word.match(/\d/g)?.length ?? 0) >= 4 &&
    !METRIC_TIRE.test(word) &&
    !/^\d{1,2}\/\d{4}$/.test(word) &&
    !/^\d+([./x"-]\d*){2,}$/.test(word) &&
    !/^\$?\d{1,3}(,\d{3})*\.\d{2}$/.test(word)
  );
}
