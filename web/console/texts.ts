import type { Language } from "../shared/language.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";
import { es } from "./texts/es.ts";

export const TEXTS: Record<Language, Texts> = { en, de, es };

/** Of the page, as the server chose it: another one is another page. */
export const language = (typeof document === "undefined" ? "en" : document.documentElement.lang) as Language;
export const texts = TEXTS[language];
