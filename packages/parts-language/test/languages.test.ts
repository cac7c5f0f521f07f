import { expect, test } from "@jest/globals";
import { fold } from "../src/fold.ts";
import { dropCorrected, writeTyped } from "../src/words/clauses.ts";
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
  ["filtrem oleju do GX200", "oil filter for GX200"],
  ["remmens längd för GX200", "belt length for GX200"],
  ["das Ding, das die Messer vom Mähwerk einkuppelt", "the electric clutch"],
  ["la ficelle qu'on tire pour démarrer", "the recoil starter"],
  ["las rueditas que no dejan que la plataforma raspe el pasto, Ventrac", "the deck wheel, Ventrac"],
  ["Linka od gazu GX200", "throttle cable GX200"],
  ["grejen som ger gnistan GX200", "spark plug GX200"],
  ["o pneu que não fura", "tire flat free"],
  ["la puleggia che tende la cinghia", "the idler pulley"],
  ["Bomba de gasolina y carburador de la GX200", "fuel pump and carburetor of the GX200"],
])("%s is read as %s", (text, english) => expect(readLanguage(text).text).toBe(english));

test.each([
  ["deck belt 48 inch, I mean 60, RCR1860", "deck belt 60 in , RCR1860"],
  ["ch20 carb, wait, it says CH25 on the cover", "carb CH25"],
  ["oil filter, sorry, air, GX200", "air filter , GX200"],
  ["I'm sorry to ask, an oil filter for the GX200", "I'm sorry to ask, an oil filter for the GX200"],
  ["GT-2254 serial no. 35Z380, drive belt please", "GT-2254 serial no. 35Z380, drive belt please"],
])("what is taken back of %s is left out", (text, rest) =>
  expect(dropCorrected(text).replaceAll(/\s+/g, " ").trim()).toBe(rest),
);

test.each([
  ["howmanyspindleboltsgt2254", "how many spindle bolts gt2254"],
  ["need sprk plg 4 kohler", "need spark plug for kohler"],
  ["seat switch workmaster75", "seat switch workmaster75"],
  ["driveshaft 594961A", "driveshaft 594961A"],
])("%s is typed for %s", (text, words) => expect(writeTyped(text)).toBe(words));

test("long texts without a word take no time", () => {
  const startedAt = performance.now();
  for (const text of [".".repeat(64_000), "- ".repeat(32_000), `${"oil".repeat(13)} `.repeat(1_600)])
    dropCorrected(writeTyped(text));
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
