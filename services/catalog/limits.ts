/** Of a price file that is imported: two million rows of 500 bytes. */
export const MOST_PRICE_FILE_BYTES = 1_000_000_000;
