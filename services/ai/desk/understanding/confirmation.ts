import { cleanText } from "./clean-text.ts";

const YES = /^(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please(?: do)?|go ahead|of course|absolutely|definitely)\b/i;
const ASKS_FOR_LINKS =
  /^(?:(?:please )?(?:send|give|show|share|get)(?: me| us)?|i(?:'d| would)? (?:like|want)|can i have|include)\b.{0,20}\blinks?\b/i;
/** What may stand beside a yes. */
const BESIDE =
  /\b(?:yes|yeah|yep|yup|sure|ok|okay|please|do|go|ahead|of|course|absolutely|definitely|send|give|show|share|get|include|me|us|the|those|these|them|store|shop|links?|link|for|all|parts?|that|would|be|great|nice|good|thanks|thank|you|it|i'd|i|like|want|to|have|can|and|a|with|now|here|in|purchase|buy|both|too|as|well)\b/gi;

/** Whether a text says yes to the question for store links, and asks nothing besides. */
export function isConfirmation(query: string): boolean {
  const text = cleanText(query);
  if (text.length > 200 || !(YES.test(text) || ASKS_FOR_LINKS.test(text))) return false;
  return text.replace(BESIDE, "").replace(/[\s,.!'-]+/g, "") === "";
}
