export const MAX_LENGTH = { partNumber: 100, title: 500, brand: 200, category: 100, url: 2_000 } as const;

/** Returns the address in ASCII, as carts require; undefined if it is not http(s) or is too long. */
export function readHttpUrl(text: string): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return href.length > MAX_LENGTH.url ? undefined : href;
}

/** Tab, CR and LF are allowed; half a surrogate pair is not: no store can keep it. */
export function hasControlCharacter(text: string): boolean {
  return /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) || !text.isWellFormed();
}
