/** The path of this app that a text names, never another site's; else the first page. */
export function localPath(text: string | null): string {
  const base = "http://here.invalid";
  if (text === null || !text.startsWith("/") || !URL.canParse(text, base)) return "/";
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : "/";
}
