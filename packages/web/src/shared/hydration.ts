export const ROOT_ID = "page";
export const DATA_ID = "page-data";

type Page = { getElementById(id: string): { textContent: string } | null } | undefined;

/** Returns what the server wrote into the page; null outside a page. */
export function pageData(): unknown {
  const { document } = globalThis as unknown as { document: Page };
  return JSON.parse(document?.getElementById(DATA_ID)?.textContent ?? "null");
}
