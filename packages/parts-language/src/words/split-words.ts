/** Marks that separate unrelated words. */
const APART = /[,;:!?()[\]{}<>"“”|]+/u;

/** Returns the words of typed text or of a model's name, without the marks around them. */
export function splitWords(text: string): string[] {
  return text
    .split(APART)
    .flatMap((part) => part.split(/\s+/u))
    .map((word) => word.replace(/['’]s$/u, "").replace(/^[^\p{L}\p{N}$#]+|[^\p{L}\p{N}&%]+$/gu, ""))
    .filter((word) => word !== "");
}

export interface Word {
  text: string;
  from: number;
  to: number;
  /** The words before it belong to another phrase. */
  isApart: boolean;
}

export function splitPlacedWords(text: string): Word[] {
  let end = 0;
  return [...text.matchAll(/[\p{L}\p{N}$#&][^\s,;:!?()[\]{}<>"“”|]*/gu)].flatMap(({ 0: typed, index }): Word[] => {
    const word = typed.replace(/['’]s$/u, "").replace(/[^\p{L}\p{N}&%]+$/u, "");
    if (word === "") return [];
    const isApart = /[,;:!?()]/.test(text.slice(end, index));
    end = index + word.length;
    return [{ text: word, from: index, to: end, isApart }];
  });
}

/**
 * Returns a text with the last part of each link as words, `muffler round koh 2466739s` of a page's address, and with
 * the values alone of what a form, or a label, says: `part=595822&qty=2`, `(1P)87795269 (Q)2`.
 */
export function readLinks(text: string): string {
  return text
    .replace(/https?:\/\/[^\s?#]*?([^\s/?#]*)\/?(?:[?#]\S*)?(?=\s|$)/gi, (_, slug: string) =>
      slug.replaceAll(/[-_+]|%20/g, " "),
    )
    .replace(/(?<=^|[\s&;])q(?:ty|uantity)=|\(Q\)(?=\d)/gi, " x")
    .replace(/\((?:1|30)?P\)|\(\d{0,2}[A-OR-Z]\)\S*\d\S*/g, " ")
    .replace(/(?<=^|[\s&;])\w+=(?=[^\s&;])|(?<==\S*)[&;]/g, " ")
    .trim();
}
