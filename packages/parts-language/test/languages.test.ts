import { expect, test } from "@jest/globals";
import { fold } from "../src/fold.ts";
import { readLanguage } from "../src/words/languages.ts";
import { DEFAULT_SYNONYMS } from "../src/words/synonyms.ts";

const OTHER_LANGUAGES = ["de", "es", "fr", "pl", "sv"] as const;
const listMeanings = (language: (typeof OTHER_LANGUAGES)[number]): string[] =>
  DEFAULT_SYNONYMS[language].map((line) => line.split(" => ")[1]!);

test("what one language has a word for, each has", () => {
  const [german, ...others] = OTHER_LANGUAGES.map((language) => new Set(listMeanings(language)));
  for (const meanings of others) expect([...meanings].sort()).toEqual([...german!].sort());
});

test.each([
  ["świeca zapłonowa", "swieca zaplonowa"],
  ["Łożysko Koła", "lozysko kola"],
  ["Größe", "grosse"],
  ["kjøre", "kjore"],
  ["bœuf, mælk, đ", "boeuf, maelk, d"],
])("%s is compared as %s", (text, folded) => expect(fold(text)).toBe(folded));

test.each([
  ["swieca zaplonowa do GX200", "spark plug for GX200"],
  ["tłumik do GX200", "muffler for GX200"],
  ["Riemenscheiben für den GX200", "pulleys for the GX200"],
  ["gaźnika do GX200", "carburetor for GX200"],
  ["Wie viel Liter Öl kommen in den GX200?", "how many liters of oil goes in the GX200?"],
  ["ile litrów oleju wchodzi do GX200?", "how many liters of oil goes for GX200?"],
  ["muffler stud in newton meters", "muffler stud in newton meters"],
  ["lid where you pour the gas", "lid where you pour the gas"],
  ["Was brauche ich noch zu 32 048 48-S?", "what else do i need with 32 048 48-S?"],
  ["¿Qué más necesito con 32 048 48-S?", "¿what else do i need with 32 048 48-S?"],
  ["Luftfilter Honda GX dreihundertneunzig", "air filter Honda GX three hundred ninety"],
  ["filtre à air GX trois cent quatre vingt dix", "air filter GX three hundred ninety"],
  ["oljefilter till Command tjugofem", "oil filter for Command twenty five"],
])("%s is read as %s", (text, english) => expect(readLanguage(text).text).toBe(english));
