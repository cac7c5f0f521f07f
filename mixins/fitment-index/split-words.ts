/** Marks that separate unrelated words. */
const APART = /[,;:!?()[\]{}<>"“”|]+/u;

/** Returns the words of typed text or of a model's name, without the marks around them. */
export function wordsOf(text: string): string[] {
  return text
    .split(APART)
    .flatMap((part) => part.split(/\s+/u))
    .map((word) => word.replace(/['’]s$/u, "").replace(/^[^\p{L}\p{N}$#]+|[^\p{L}\p{N}&%]+$/gu, ""))
    .filter((word) => word !== "");
}
