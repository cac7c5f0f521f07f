/** Returns an order number as it is stored, from what a buyer typed. */
export const normalizeOrderNumber = (text: string): string => text.replaceAll(/[\s#]/g, "").toUpperCase();
