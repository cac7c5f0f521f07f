/** Most characters that a part's fields may have. */
export const MAX_LENGTH = { partNumber: 100, title: 500, brand: 200, url: 2_000 } as const;

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Tab, CR and LF are none; half of a surrogate pair is one, since no store can keep it. */
export function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) || !text.isWellFormed();
}
