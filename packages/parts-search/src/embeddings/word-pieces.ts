/** WordPiece, as BERT-like models read text, over a `tokenizer.json` or a `vocab.txt`. */

export interface WordPieces {
  /** Encodes a text as at most `longest` ids, including the marks of beginning and end. */
  encode(text: string, longest: number): number[];
}

const CONTINUED = "##";
/** Characters; a longer word is unknown, as in the models' tokenizers. */
const LONGEST_WORD = 100;

export function createWordPieces(vocabulary: ReadonlyMap<string, number>, { lowerCase = true } = {}): WordPieces {
  const getId = (mark: string): number => {
    const id = vocabulary.get(mark);
    if (id === undefined) throw new Error(`the vocabulary has no ${mark}: it is not that of a WordPiece model`);
    return id;
  };
  const [begin, end, unknown] = [getId("[CLS]"), getId("[SEP]"), getId("[UNK]")];
  const splitWord = (word: string): number[] => {
    const characters = [...word];
    if (characters.length > LONGEST_WORD) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < characters.length;) {
      let to = characters.length;
      let id: number | undefined;
      for (; to > from && id === undefined; to -= 1)
        id = vocabulary.get((from === 0 ? "" : CONTINUED) + characters.slice(from, to).join(""));
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to + 1;
    }
    return ids;
  };
  return {
    encode: (text, longest) => [
      begin,
      ...splitText(text, lowerCase)
        .flatMap(splitWord)
        .slice(0, longest - 2),
      end,
    ],
  };
}

/** BERT's rules: no control characters, no accents without case; each punctuation mark and Han character is a word. */
function splitText(text: string, lowerCase: boolean): string[] {
  const clean = text.replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, (mark) => (/\s/.test(mark) ? " " : ""));
  const folded = lowerCase
    ? clean
        .toLowerCase()
        .normalize("NFD")
        .replace(/\p{Mn}/gu, "")
    : clean;
  return folded.match(/\p{Script=Han}|[\p{P}$+<=>^`|~]|[^\s\p{P}\p{Script=Han}$+<=>^`|~]+/gu) ?? [];
}

/** @throws Error when the tokenizer is not WordPiece */
export function readTokenizerJson(text: string): { vocabulary: Map<string, number>; lowerCase: boolean } {
  const { model, normalizer } = JSON.parse(text) as {
    model?: { type?: string; vocab?: Record<string, number> };
    normalizer?: { lowercase?: boolean } | null;
  };
  if (!model?.vocab || Array.isArray(model.vocab) || (model.type !== undefined && model.type !== "WordPiece")) {
    throw new Error(`tokenizer.json is of a ${model?.type ?? "nameless"} tokenizer; WordPiece alone is read`);
  }
  return { vocabulary: new Map(Object.entries(model.vocab)), lowerCase: normalizer?.lowercase ?? true };
}

/** The id of a piece is its line's number. */
export function readVocabularyText(text: string): Map<string, number> {
  return new Map(
    text
      .split(/\r?\n/)
      .filter((piece) => piece !== "")
      .map((piece, id) => [piece, id]),
  );
}
