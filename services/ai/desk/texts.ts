import { EN, type TextName, type Texts } from "./texts/en.ts";

export type { TextName, Texts };

const TEXTS: Partial<Record<string, Texts>> = { en: EN };

/** Returns what the desk says in a language, in English where it does not speak that. @param language ISO 639-1 */
export function getTexts(language: string): Texts {
  return TEXTS[language] ?? EN;
}

/** Returns a text with its slots filled: `<part>` by `part`. */
export function renderText(texts: Texts, name: TextName, slots: Readonly<Record<string, string>> = {}): string {
  return texts[name].replace(/<(\w+)>/g, (slot, key: string) => slots[key] ?? slot);
}
