import type { Language } from "../../../../mixins/shop/languages.ts";

export type { Language };
export const LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch", es: "Español" };

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** The language that was chosen, else the first that the browser asks for and there is. */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string): Language {
  if (chosen !== undefined && isLanguage(chosen)) return chosen;
  const wished = acceptLanguage
    .split(",")
    .map((entry) => {
      const [tag = "", weight] = entry.trim().toLowerCase().split(";q=");
      return { name: tag.split("-")[0]!, weight: weight === undefined ? 1 : Number(weight) };
    })
    .sort((first, second) => second.weight - first.weight)
    .map(({ name }) => name)
    .find(isLanguage);
  return wished ?? "en";
}

/** A text with its gaps filled: `{count} parts`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}
