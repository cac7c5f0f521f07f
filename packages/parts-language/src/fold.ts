/** Letters that Unicode does not decompose, as people type them on another keyboard. */
const PLAIN_LETTERS: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};
const LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "gu");

/** Lower case, without accents, in plain Latin letters. */
export function fold(text: string): string {
  // Most text is plain, and then there is nothing to decompose.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const lower = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return lower.replace(LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** A name as it is compared: `Briggs & Stratton`, `BRIGGS  & STRATTON` and `briggs&stratton` are the same. */
export function foldName(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}&]+/gu, "");
}
