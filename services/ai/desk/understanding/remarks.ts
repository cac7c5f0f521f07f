import { cleanText } from "./clean-text.ts";

const NO = /^(?:no|nope|nah|not now|no need)\b/i;
const BESIDE_NO =
  /\b(?:no|nope|nah|not|now|need|thanks?|thx|you|very|much|a|lot|i'm|i|am|fine|good|ok|okay|that's|that|is|it|all|for|today|links?|them|those|these|the|any|want|don't|do|please)\b/gi;
const THANKS = /\b(?:thanks?|thx)\b/i;
const BESIDE_THANKS =
  /\b(?:ok|okay|all|right|alright|great|good|nice|perfect|cool|thanks?|thx|you|very|so|much|many|a|lot|that's|that|is|was|it|helpful|again|for|the|your|help|info|information)\b/gi;

/** What is said to a text that is a no or thanks, and asks nothing besides. `Ok thanks` says yes to nothing. */
export function remarkSaid(query: string): string | undefined {
  const text = cleanText(query);
  const isAllOf = (words: RegExp): boolean =>
    text.length <= 200 && text.replace(words, "").replace(/[\s,.!-]+/g, "") === "";
  if (NO.test(text) && isAllOf(BESIDE_NO)) return "All right. Ask about a part or an equipment whenever you like.";
  if (THANKS.test(text) && isAllOf(BESIDE_THANKS)) return "You are welcome.";
  return undefined;
}
