/** Returns whether a text can be stored and compared everywhere: no null character, no half of a surrogate pair. */
export function isSafeText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Returns a text with its control characters as spaces: a line break in a name begins no line of its own. */
export function onOneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

/** Characters that are not seen, or that turn what is seen around: nobody types them. Line breaks and tabs are seen. */
const UNSEEN = /[[\p{Cf}\p{Cc}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]--[\t\n\r]]+/gv;

/** The text as it is seen: a command that is hidden in it, or that turns the rest around, is gone. */
export function asSeen(text: string): string {
  return text.replace(UNSEEN, "");
}

/** Returns whether a URL-encoded text is UTF-8; URLSearchParams would put replacement characters. */
export function isPercentEncoded(text: string): boolean {
  if (!text.includes("%")) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** The text with credentials in URLs struck out. */
export function removeCredentials(text: string): string {
  return text.replace(/(\w+:\/\/)[^\s/@]+@/g, "$1***@");
}

/**
 * Whether a text has a control character other than tab, CR and LF, or half a surrogate pair, which no store can keep.
 */
export function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) || !text.isWellFormed();
}
