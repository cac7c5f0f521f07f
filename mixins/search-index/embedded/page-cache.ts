import type { SearchPage, SearchQuery } from "../port.ts";

const MAX_PAGES = 50;

/**
 * Answers to queries without words, which walk the whole index and are what a storefront's first page asks for. They
 * hold for one version of the index.
 */
export class PageCache {
  readonly #pages = new Map<string, SearchPage>();
  #version = -1;

  get(query: SearchQuery, version: number, search: () => SearchPage): SearchPage {
    if (version !== this.#version) this.#pages.clear();
    this.#version = version;
    const key = JSON.stringify(query);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = search();
    const oldest = this.#pages.keys().next();
    if (this.#pages.size >= MAX_PAGES && !oldest.done) this.#pages.delete(oldest.value);
    this.#pages.set(key, page);
    return page;
  }
}
