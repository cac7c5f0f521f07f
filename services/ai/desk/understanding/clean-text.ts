/** Characters that are not seen, or that turn what is seen around: nobody types them to ask for a part. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]+/gu;

/**
 * A text as it reads: full-width forms as the plain ones, one blank between words, nothing unseen. Dashes of all
 * lengths are one.
 */
export function cleanText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\t\r\n]+/g, " ")
    .replace(UNSEEN, "")
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}
