const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const YES = toSet(
  "yes y true ja j oui o sí si sì s sim tak t да так igen i da ano áno kyllä evet var ναι 有 有り あり 예 있음",
);
const NO = toSet(
  "no n false nein non nao não nie нет ні nem nu ne nej nei nee ei hayır yok όχι 無 無し なし 无 아니오 없음",
);

/** Reads yes or no in the languages of price lists; undefined for any other text. */
export function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
