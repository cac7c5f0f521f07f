import { plain } from "../text/lines.ts";

/** A number as notes name it: with a digit, four characters or more. */
const NUMBER = String.raw`(?=[0-9A-Za-z.-]*\d)(?:\d{2}([ -])\d{3}\#\d{2}(?:[ -]?-S)?|[0-9A-Z][0-9A-Za-z]*(?:[-./][0-9A-Za-z]+)*)(?![0-9A-Za-z%"'])`;
const LABEL = String.raw`(?:\s*(?:by|with|to|is|are|:|->|as)\b|\s*[:(])?(?:\s*(?:the|new|kit|assembly|genuine))*(?:\s*(?:p\/n|pn|part|item|kit|order)\b\.?)?(?:\s*(?:nos?|numbers?|#)\b\.?)?\s*[#:(]?\s*`;

/** What says that the number after it takes the place of the one before. */
const TOWARDS = String.raw`(?:(?:has\s+been|have\s+been|is|was|are|now|been|and)\s+)*(?:replaced\s+by|superseded\s+(?:by|to)|supersedes\s+to|replace\s+with|changed\s+to|substitute[ds]?(?:\s+(?:by|with))?|supplied\s+as|serviced\s+by|service\s+with|now|use\s+instead|(?:(?:n\.?l\.?a\.?|nla|no\s+longer\s+(?:available|supplied)|obsolete|disc(?:ontinued)?\.?)[\s,;:.)-]*(?:(?:use|order|see|replaced\s+by|now)\b))|use(?!\s+(?:with|before|after|on|up|from|only|in|as|to)\b))|->|=>|\u2192|\u21d2|\u27a1`;
const BACKWARDS = String.raw`(?:replaces|supersedes|formerly|was|in\s+place\s+of|substitute\s+for|replacement\s+for|old)`;

const number = (name: string): string => `(?<${name}>${NUMBER.replace("([ -])", `(?<s${name}>[ -])`).replace(String.raw`\#`, String.raw`\k<s${name}>`)})`;
const towards = new RegExp(String.raw`(?:${number("old")}[\s,;:.()*-]*(?:\S{0,20}\s){0,2}?)?(?<![A-Za-z])(?:${TOWARDS})${LABEL}${number("next")}`, "gi");
const backwards = new RegExp(String.raw`(?:${number("next")}[\s,;:.()*-]*)?(?<![A-Za-z])${BACKWARDS}(?![A-Za-z])${LABEL}${number("old")}`, "gi");

/** What a note says of two numbers, where in its text each stands; one that it leaves out is that of its row. */
export interface Supersession {
  old?: Mention;
  next?: Mention;
}

export interface Mention {
  number: string;
  start: number;
}

/** "690111 replaced by 691036", "NLA, use 691036", "Replaces 690111" and the like, each in the order of the text. */
export function supersessionsIn(given: string): Supersession[] {
  const text = plain(given);
  return [towards, backwards].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): Supersession[] => {
      const { old, next } = match.groups as { old?: string; next?: string };
      const spread = match[0];
      const mention = (value: string | undefined, start: number): Mention | undefined => (value && isNumber(value) ? { number: value, start: match.index + start } : undefined);
      const first = pattern === towards ? mention(old, spread.indexOf(old ?? "")) : mention(next, spread.indexOf(next ?? ""));
      const second = pattern === towards ? mention(next, spread.lastIndexOf(next ?? "")) : mention(old, spread.lastIndexOf(old ?? ""));
      if (!second) return [];
      const [was, is] = pattern === towards ? [first, second] : [second, first];
      return [{ ...(was && { old: was }), ...(is && { next: is }) }];
    }),
  ).sort((a, b) => (a.old ?? a.next)!.start - (b.old ?? b.next)!.start);
}

const isNumber = (text: string): boolean => /\d/.test(text) && text.replace(/[^0-9A-Za-z]/g, "").length >= 4 && /\d.*\d.*\d/.test(text);
