const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBER = `(?:${[...SMALL, ...TENS, "oh", "hundred"].join("|")})`;
const SPOKEN = new RegExp(`\\b((?:[a-z] )+|[a-z]{2} )(${NUMBER}(?:[ -]${NUMBER})+)(?: ([b-hj-z]))?\\b`, "gi");
/** No letters of a name: `an eight fifty`. */
const WORDS = /^(?:a|i|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)$/i;
const SHORTEST = 3;

/** Names as speech is written down, as they are printed: `c h seven forty s` is CH740S, `g t twenty two fifty four` GT2254. */
export function withSpokenNames(text: string): string {
  return text.replace(SPOKEN, (said: string, spelt: string, counted: string, end = "") => {
    const digits = digitsOf(counted.toLowerCase().split(/[ -]/));
    const letters = spelt.trim();
    return WORDS.test(letters) || digits.length < SHORTEST
      ? said
      : `${letters.replaceAll(" ", "")}${digits}${end}`.toUpperCase();
  });
}

function digitsOf(words: readonly string[]): string {
  const isSmall = (word = ""): boolean => SMALL.indexOf(word) > 0 && SMALL.indexOf(word) < 10;
  return words
    .map((word, at) => {
      const after = words[at + 1];
      if (word === "oh") return "0";
      if (word === "hundred") return after === undefined ? "00" : isSmall(after) ? "0" : "";
      if (TENS.includes(word)) return `${TENS.indexOf(word) + 2}${isSmall(after) ? "" : "0"}`;
      return SMALL.indexOf(word);
    })
    .join("");
}
