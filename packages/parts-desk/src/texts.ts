import { DE } from "./texts/de.ts";
import { EN, type TextName, type Texts } from "./texts/en.ts";
import { ES } from "./texts/es.ts";

export type { TextName, Texts };

const TEXTS: Partial<Record<string, Texts>> = { de: DE, en: EN, es: ES };

/** Returns what the desk says in a language, in English where it does not speak that. @param language ISO 639-1 */
export function getTexts(language: string): Texts {
  return TEXTS[language] ?? EN;
}

/** Finds what the desk calls something: a measure, for example. */
export function findText(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name as TextName] : undefined;
}

/** Returns a text with its slots filled: `<part>` by `part`. */
export function renderText(texts: Texts, name: TextName, slots: Readonly<Record<string, string>> = {}): string {
  return texts[name].replace(/<(\w+)>/g, (slot, key: string) => slots[key] ?? slot);
}
