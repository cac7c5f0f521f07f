import { plain } from "../text/lines.ts";

/** At least four characters, with a digit. */
const NUMBER = String.raw`(?<number>(?=[0-9A-Za-z.-]*\d)(?:\d{2}(?<sign>[ -])\d{3}\k<sign>\d{2}(?:[ -]?-S)?|[0-9A-Z][0-9A-Za-z]*(?:[-./][0-9A-Za-z]+)*)(?![0-9A-Za-z%"']))`;
const LABEL = String.raw`(?:\s*(?:by|with|to|is|are|:|->|as)\b|\s*[:(])?(?:\s*(?:the|new|kit|assembly|genuine|la|le|il|die|das|den))*(?:\s*(?:p\/n|pn|part|item|kit|order|teile?|pieza|pi\u00e8ce|r\u00e9f(?:\u00e9rence)?|ref(?:erencia)?|bestell)\b[.-]?)?(?:\s*(?:nos?|numbers?|nr|nummer|n[\u00b0\u00ba]|n\u00famero|num\u00e9ro|#)(?![A-Za-z0-9])\.?)?\s*[#:(]?\s*`;

/** Before the successor. */
const TOWARDS = String.raw`(?:(?:has\s+been|have\s+been|is|was|are|now|been|and|wird|wurde|werden|ist|ha\s+sido|es|fue|est|a\s+\u00e9t\u00e9|\u00e8)\s+)*(?:replaced\s+by|ersetzt\s+durch|reemplazad[oa]s?\s+por|sustituid[oa]s?\s+por|remplac\u00e9e?s?\s+par|sostituit[oaie]\s+da|superseded\s+(?:by|to)|supersedes\s+to|replace\s+with|changed\s+to|substitute[ds]?(?:\s+(?:by|with))?|supplied\s+as|serviced\s+by|service\s+with|now|use\s+instead|(?:(?:n\.?l\.?a\.?|nla|no\s+longer\s+(?:available|supplied)|obsolete|disc(?:ontinued)?\.?)[\s,;:.)-]*(?:(?:use|order|see|replaced\s+by|now)\b))|use(?!\s+(?:with|before|after|on|up|from|only|in|as|to)\b))|->|=>|\u2192|\u21d2|\u27a1`;
const BACKWARDS = String.raw`(?:replaces|supersedes|formerly|was|in\s+place\s+of|sub(?:stitutes?|s)?\s+for|replacement\s+for|old)`;

const towards = new RegExp(String.raw`(?<![A-Za-z])(?:${TOWARDS})${LABEL}${NUMBER}`, "gi");
const backwards = new RegExp(String.raw`(?<![A-Za-z])${BACKWARDS}(?![A-Za-z])${LABEL}${NUMBER}`, "gi");
const any = new RegExp(String.raw`(?<![0-9A-Za-z]|[0-9A-Za-z][-./])${NUMBER}`, "g");
/** A quick test, as few lines speak of a successor: each of the above has one of these. */
const MAY_SPEAK =
  /repla|erse|reem|susti|rempl|sosti|supers|chang|sub|suppl|serv|now|use|[-=]>|[\u2192\u21d2\u27a1]|n\.?l\.?a|longer|obsol|disc|former|was|place|old/i;
/** Marks and two words at most. */
const BETWEEN = /^[\s,;:.()*-]*(?:[^\s\d]{1,20}\s+){0,2}[\s(]*$/;
const REACH = 60;

/** A missing number is the row's. */
export interface Supersession {
  old?: Mention;
  next?: Mention;
}

interface Mention {
  number: string;
  start: number;
}

/** "690111 replaced by 691036", "NLA, use 691036", "Replaces 690111". */
export function supersessionsIn(rawText: string): Supersession[] {
  const text = plain(rawText);
  if (!MAY_SPEAK.test(text)) return [];
  return (
    [
      [towards, false],
      [backwards, true],
    ] as const
  )
    .flatMap(([pattern, isBackwards]) =>
      [...text.matchAll(pattern)].flatMap((match): Supersession[] => {
        const after = match.groups!.number!;
        if (!isNumber(after)) return [];
        const second = { number: after, start: match.index + match[0].lastIndexOf(after) };
        const first = mentionBefore(text, match.index);
        const [old, next] = isBackwards ? [second, first] : [first, second];
        return [{ old, next }];
      }),
    )
    .sort((a, b) => (a.old ?? a.next)!.start - (b.old ?? b.next)!.start);
}

function mentionBefore(text: string, end: number): Mention | undefined {
  const from = Math.max(0, end - REACH);
  const last = [...text.slice(from, end).matchAll(any)].findLast(({ 0: mention }) => isNumber(mention));
  if (!last || !BETWEEN.test(text.slice(from + last.index + last[0].length, end))) return undefined;
  return { number: last[0], start: from + last.index };
}

const isNumber = (text: string): boolean =>
  /\d/.test(text) && text.replace(/[^0-9A-Za-z]/g, "").length >= 4 && /\d.*\d.*\d/.test(text);
