export const ROOT_ID = "page";
export const DATA_ID = "page-data";

/** What the server wrote into the page. */
export function pageData(): unknown {
  return JSON.parse(document.getElementById(DATA_ID)!.textContent);
}
