import { DE } from "./texts/de.ts";
import { EN, type TextName, type Texts } from "./texts/en.ts";
import { ES } from "./texts/es.ts";

export type { TextName, Texts };

const TEXTS: Partial<Record<string, Texts>> = { de: DE, en: EN, es: ES };

/** Returns what the desk says in a language, in English where it does not speak that. @param language ISO 639-1 */
export function getTexts(language: string): Texts {
  return TEXTS[language] ?? EN;
}

/** How people reach the shop, and when. */
export interface ShopContact {
  phone: string | null;
  email: string | null;
  /** Lines. */
  address: readonly string[];
  /** Lines. */
  openingHours: readonly string[];
}

/** Returns the texts with what the shop says of itself in place of "I don't know": as far as it says it. */
export function withContact(texts: Texts, { phone, email, address, openingHours }: ShopContact): Texts {
  // Braces and angle brackets are placeholders of answers.
  const join = (parts: readonly (string | null)[]): string =>
    parts
      .filter((part) => part !== null && part !== "")
      .join(", ")
      .replace(/[{}<>]/g, "");
  const ways = join([phone, email, join(address)]);
  const hours = join(openingHours);
  return {
    ...texts,
    ...(ways !== "" && {
      "talk phone": renderText(texts, "our contact", { ways }),
      "talk person": renderText(texts, "our people", { ways }),
    }),
    ...(hours !== "" && { "talk hours": renderText(texts, "our hours", { hours }) }),
  };
}

/** Finds what the desk calls something: a measure, for example. */
export function findText(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name as TextName] : undefined;
}

/** Returns a text with its slots filled: `<part>` by `part`. */
export function renderText(texts: Texts, name: TextName, slots: Readonly<Record<string, string>> = {}): string {
  return texts[name].replace(/<(\w+)>/g, (slot, key: string) => slots[key] ?? slot);
}
