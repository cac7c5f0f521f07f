import type { Language } from "../shared/language.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";
import { es } from "./texts/es.ts";

export const TEXTS: Record<Language, Texts> = { en, de, es };

const page = (globalThis as { document?: { documentElement: { lang: string } } }).document;
/** The page's language, as the server chose it: another one is another page. */
export const language = (page?.documentElement.lang ?? "en") as Language;
export const texts = TEXTS[language];
