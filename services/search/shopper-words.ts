import { fold } from "../../mixins/fold.ts";

/** What shoppers type around the words that name a part: pure text, before any index is asked. */

/** Words that name no part: function words, and what people say of a part that they need, by language. */
const SAYING_NOTHING = new Set(
  [
    "a an and any are as at be by can could do does for from get give got has have how i if im in is it its like me my",
    "much must need needs of on one or our out please send should so some take takes that the their them these this to",
    "us want we what whats when where which who will with would you your looking look find buy order ordering cost costs",
    "price cheap cheapest new original genuine oem quality complete replacement replace spare part parts number no fit",
    "fits fitting size sized inch inches machine broken broke died dead worn leaking leaks bad old again thanks thank hello hi",
    "der die das den dem ein eine einen fur fuer von mit und ich brauche suche welche welcher welches passt neu ersatz",
    "el la los las un una de del para con y por necesito busco cual que repuesto nuevo",
    "le les des du pour avec et je cherche besoin quel quelle piece neuf",
  ].flatMap((line) => line.split(" ")),
);

const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Between two spoken numbers. */
const SPOKEN_SIGNS: Record<string, string> = {
  by: "x",
  x: "x",
  dash: "-",
  minus: "-",
  slash: "/",
  point: ".",
  dot: ".",
};

/** Returns the words of a query that may name a part, with what was spoken as it is written. */
export function namingWords(q: string): string[] {
  const words = fold(q)
    .replaceAll(/(?<=\d)\*(?=\d)/g, "x")
    .split(/[\s,;+?!"]+/)
    .map((word) => word.replace(/^[.:()'-]+|[.:()'-]+$/g, ""))
    .filter((word) => word !== "");
  return written(words).filter((word) => !SAYING_NOTHING.has(word));
}

/** Returns the ways in which a word that is nowhere may be several: two numbers, a machine and a part, two measures. */
export function splitsOf(word: string): string[][] {
  const splits: string[][] = [];
  const [left, right, ...more] = word.split("/");
  if (right !== undefined && more.length === 0 && [left!, right].every((each) => each.length > 3 && /\d/.test(each)))
    splits.push([left!, right]);
  const [, model, tail] = /^(.*\d)(\p{L}{4,})$/u.exec(word) ?? [];
  if (model !== undefined && tail !== undefined)
    for (const taken of [2, 1, 0]) splits.push([model + tail.slice(0, taken), tail.slice(taken)]);
  const [, name, number] = /^(\p{L}{4,})(\d.*)$/u.exec(word) ?? [];
  if (name !== undefined && number !== undefined) splits.push([name, number]);
  if (/^[m\d][\d./]*x\d+$/.test(word)) splits.push(word.split("x"));
  return splits;
}

/** Writes spoken numbers in digits, and joins them with the letters and signs between them: `g x one sixty` is `gx160`. */
function written(words: readonly string[]): string[] {
  const said: { text: string; isSpoken: boolean }[] = [];
  for (const [at, word] of words.entries()) {
    const last = said.at(-1);
    if (word === "half" && /^in/.test(words[at + 1] ?? "")) said.push({ text: "1/2", isSpoken: false });
    else if (UNITS.includes(word) || TEENS.includes(word) || TENS.includes(word)) {
      const isTens = TENS.includes(words[at - 1] ?? "") && UNITS.includes(word);
      const digits = digitsOf(word);
      if (last?.isSpoken) last.text = isTens ? last.text.slice(0, -1) + digits : last.text + digits;
      else said.push({ text: digits, isSpoken: true });
    } else said.push({ text: word, isSpoken: false });
  }
  // A single `one` may be a pronoun; a size or a model has more.
  if (!said.some(({ isSpoken, text }) => isSpoken && (text.length > 1 || said.length === 1))) return [...words];
  const joined: { text: string; joins: boolean }[] = [];
  for (const [at, { text, isSpoken }] of said.entries()) {
    const last = joined.at(-1);
    const sign = last && /\d$/.test(last.text) && said[at + 1]?.isSpoken ? SPOKEN_SIGNS[text] : undefined;
    const joins = isSpoken || sign !== undefined || /^\p{L}$/u.test(text);
    if (last?.joins && joins) last.text += sign ?? text;
    else joined.push({ text, joins });
  }
  return joined.map(({ text }) => text);
}

function digitsOf(word: string): string {
  if (UNITS.includes(word)) return String(UNITS.indexOf(word));
  return TEENS.includes(word) ? String(10 + TEENS.indexOf(word)) : `${TENS.indexOf(word) + 2}0`;
}
