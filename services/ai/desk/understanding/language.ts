import { cleanText } from "./clean-text.ts";

/** Words that other languages are full of, and that English and parts lists are not. */
const FOREIGN: ReadonlySet<string> = new Set(
  `der das dem den und für ist sind ein eine einen einem welche welcher welches wie wieviel passt passen ich mein meinen meine brauche kostet kosten wo gibt haben sie zum zur mit nicht ersatzteil
  el los las una para que qué cuál cual cuánto cuanto cuesta cuántos necesito del por mi tiene tienen dónde donde está es son como cómo repuesto
  le les des pour quel quelle quels quelles combien est sont je mon ma mes avez vous où dans avec coûte besoin pièce
  il gli della per quale quanto costa dove mio mia sono che di ricambio serve
  het een voor welke hoeveel waar mijn heb ik nodig kost zijn past
  os um uma qual quanto onde meu minha preciso não são peça
  och är för vilken hur mycket jag min behöver kostar og til hvilken hvor jeg`.split(/\s+/),
);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}]{2}/u;

export const ENGLISH_ALONE =
  "I understand questions in English alone, and numbers of parts and equipment in any: please ask in English.";

/** Whether a text that nothing was found for is in a language that the desk does not know. */
export function isOtherLanguage(text: string): boolean {
  const words = cleanText(text)
    .toLowerCase()
    .split(/[^\p{L}']+/u)
    .filter((word) => word !== "");
  const foreign = words.filter((word) => FOREIGN.has(word)).length;
  return OTHER_SCRIPT.test(text) || (foreign >= 2 && foreign * 4 >= words.length);
}
