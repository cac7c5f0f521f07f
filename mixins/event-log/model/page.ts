/** Of data and metadata that a page holds; it ends with the event that goes beyond. What a reader asks for must not fill the memory. */
export const LARGEST_PAGE_CHARACTERS = 8 * 1024 * 1024;
