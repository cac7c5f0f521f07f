/** Languages of the shop's pages, its own texts, and mails to buyers. */
export const LANGUAGES = ["en", "de", "es"] as const;
export type Language = (typeof LANGUAGES)[number];
