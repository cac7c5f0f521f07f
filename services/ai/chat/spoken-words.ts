/** Most words that a number is written in. */
export const MOST_WORDS = 5;

/** A word that a model says, or was told, without the marks around it. */
export interface Word {
  text: string;
  /** A comma or the like stands behind it. */
  isCut: boolean;
}

export function wordsSaid(text: string): Word[] {
  return text
    .split(/\s+/)
    .map((raw) => ({ raw, text: raw.replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%"]+$/gu, "").replace(/['’]s$/u, "") }))
    .filter(({ text: word }) => word !== "")
    .map(({ raw, text: word }) => ({ text: word, isCut: /[,;.)]$/.test(raw) }));
}

/** `1.` in front of a line is no number. */
export function withoutListMarks(text: string): string {
  return text.replace(/^\s*\d{1,2}[.)]\s+/gm, "");
}
