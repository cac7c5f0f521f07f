import { randomFrom, type Random } from "../generators/random.ts";
import { normalize } from "../generators/manuals/number-families.ts";
import { splitWords, type CatalogFacts, type PartFacts } from "./catalog-facts.ts";
import { Judge } from "./judge.ts";
import type { Grades } from "./measures.ts";
import { OTHER_TRADES, SYNONYMS } from "./trade-words.ts";
import { misspell } from "./misspell.ts";

export const CLASSES = [
  "exact number",
  "number spelt otherwise",
  "number prefix",
  "number suffix",
  "misspelt words",
  "synonym",
  "noun with maker",
  "nothing to find",
  "last word of a noun",
  "misspelt maker",
] as const;
export type QueryClass = (typeof CLASSES)[number];

export interface JudgedQuery {
  class: QueryClass;
  q: string;
  grades: Grades;
}

const PER_CLASS = 50;

/** The judged queries of a catalog, as many in each class, the same in every run. */
export function makeQueries(facts: CatalogFacts): JudgedQuery[] {
  const random = randomFrom("judged queries");
  const judge = new Judge(facts);
  const active = facts.parts.filter(({ isActive }) => isActive);
  const source: Record<QueryClass, () => Omit<JudgedQuery, "class"> | undefined> = {
    "exact number": () => {
      // One of five is no longer made.
      const part = random.pick(random.chance(0.2) ? facts.parts.filter(({ isActive }) => !isActive) : active);
      return { q: part.partNumber, grades: judge.ofNumber(part.number) };
    },
    "number spelt otherwise": () => {
      const part = random.pick(active);
      const { q, vendor } = random.pick(SPELLINGS)(part);
      return q === part.partNumber ? undefined : { q, grades: judge.ofNumber(part.number, vendor) };
    },
    "number prefix": () => {
      const q = cut(random, random.pick(active));
      const beginning = normalize(q ?? "");
      if (q === undefined || facts.parts.some(({ number }) => number === beginning)) return undefined;
      return { q, grades: judge.ofBeginning(beginning) };
    },
    "number suffix": () => {
      const { number } = random.pick(active);
      const end = number.slice(-random.integer(4, 6));
      if (end.length >= number.length || !/\d/.test(end) || facts.parts.some((part) => part.number.startsWith(end)))
        return undefined;
      return { q: random.chance(0.5) ? end : end.toLowerCase(), grades: judge.ofEnd(end) };
    },
    "misspelt words": () => {
      const part = random.pick(active);
      const makerName = random.chance(0.3) ? maker(random, part) : undefined;
      const words = [...(makerName === undefined ? [] : [makerName]), ...part.noun].join(" ").split(" ");
      const at = random.pick(words.map((_, index) => index));
      const wrong = misspell(random, words[at]!.toLowerCase(), facts.words);
      if (wrong === undefined) return undefined;
      return {
        q: words.with(at, wrong).join(" "),
        grades: judge.ofWords({ nouns: [part.noun], vendor: makerName && part.vendor }),
      };
    },
    synonym: () => {
      const [q, ...nouns] = random.pick(SYNONYMS);
      return { q, grades: judge.ofWords({ nouns: nouns.map(splitWords) }) };
    },
    "noun with maker": () => {
      const part = random.pick(active);
      const model = random.chance(0.4)
        ? [...part.models].find((word) => word.length >= 4 && /[a-z]\d|\d[a-z]/.test(word))
        : undefined;
      const noun = random.chance(0.2) ? plural(part.noun.join(" ")) : part.noun.join(" ");
      const name = maker(random, part);
      const form = random.pick([
        `${name} ${noun}`,
        `${noun} ${name}`,
        `${noun} for ${name}`,
        `${name} ${noun}`.toLowerCase(),
      ]);
      const q = model === undefined ? form : `${form} ${random.chance(0.5) ? model.toUpperCase() : model}`;
      return { q, grades: judge.ofWords({ nouns: [part.noun], vendor: part.vendor, model }) };
    },
    "nothing to find": () => {
      if (random.chance(0.5)) return { q: random.pick(OTHER_TRADES), grades: {} };
      if (random.chance(0.2)) {
        const { noun } = random.pick(active);
        const otherPart = random.pick(active);
        const hasWords = active.some(
          ({ vendor, words }) => vendor === otherPart.vendor && noun.every((word) => words.has(word)),
        );
        return hasWords ? undefined : { q: `${maker(random, otherPart)} ${noun.join(" ")}`, grades: {} };
      }
      const q = oneDigitOff(random, random.pick(active).partNumber);
      const number = normalize(q);
      const isThere = facts.parts.some((part) => part.number.startsWith(number) || part.number.endsWith(number));
      return isThere ? undefined : { q, grades: {} };
    },
    "last word of a noun": () => {
      const word = random.pick(active).noun.at(-1)!;
      return { q: random.chance(0.5) ? word : plural(word), grades: judge.ofWords({ nouns: [[word]] }) };
    },
    "misspelt maker": () => {
      const part = random.pick(active);
      const words = maker(random, part).split(" ");
      const at = random.pick(words.map((_, index) => index));
      const wrong = misspell(random, words[at]!.toLowerCase(), facts.words);
      return wrong === undefined
        ? undefined
        : {
            q: [...words.with(at, wrong), ...part.noun].join(" "),
            grades: judge.ofWords({ nouns: [part.noun], vendor: part.vendor }),
          };
    },
  };
  return CLASSES.flatMap((name) => fill(name, source[name]));
}

/** Different queries of a class, until it is full. */
function fill(name: QueryClass, make: () => Omit<JudgedQuery, "class"> | undefined): JudgedQuery[] {
  const queries = new Map<string, JudgedQuery>();
  for (let attempt = 0; queries.size < PER_CLASS; attempt += 1) {
    if (attempt > PER_CLASS * 200)
      throw new Error(`The catalog gives only ${queries.size} queries of the class ${name}`);
    const madeQuery = make();
    if (!madeQuery || (name !== "nothing to find" && Object.keys(madeQuery.grades).length === 0)) continue;
    queries.set(madeQuery.q, { class: name, ...madeQuery });
  }
  return [...queries.values()];
}

type Spelling = (part: PartFacts) => { q: string; vendor?: string };

const SPELLINGS: readonly Spelling[] = [
  ({ partNumber }) => ({ q: partNumber.toLowerCase() }),
  ({ number }) => ({ q: number }),
  ({ number }) => ({ q: number.toLowerCase() }),
  ({ partNumber }) => ({ q: partNumber.replace(/[^A-Z0-9]+/g, ".") }),
  ({ partNumber }) => ({ q: partNumber.replace(/[^A-Z0-9]+/g, " ") }),
  ({ partNumber }) => ({ q: partNumber.replace(/[^A-Z0-9]+/g, "-") }),
  // Dashes where a person reads a long number in threes.
  ({ number }) => ({ q: number.replace(/(.{3})(?=.{2})/g, "$1-") }),
  ({ partNumber, vendor }) => ({ q: `${vendor} ${partNumber}`, vendor }),
  ({ number, vendor }) => ({ q: `${vendor}${number}`.toLowerCase(), vendor }),
  ({ partNumber, vendor }) => ({ q: `CT-${vendor}-${partNumber}`, vendor }),
  ({ number, vendor }) => ({ q: `ct-${vendor}-${number}`.toLowerCase(), vendor }),
];

/** A beginning of a number as it is written, at least four letters and digits, never all of them. */
function cut(random: Random, { partNumber, number }: PartFacts): string | undefined {
  if (number.length < 6) return undefined;
  const length = random.integer(4, number.length - 1);
  let end = 0;
  for (let count = 0; count < length; end += 1) if (/[A-Z0-9]/.test(partNumber[end]!)) count += 1;
  const beginning = partNumber.slice(0, end);
  return /\d/.test(beginning) ? (random.chance(0.5) ? beginning : normalize(beginning).toLowerCase()) : undefined;
}

function oneDigitOff(random: Random, number: string): string {
  const places = [...number].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
  const place = random.pick(places);
  return `${number.slice(0, place)}${(Number(number[place]) + random.integer(1, 9)) % 10}${number.slice(place + 1)}`;
}

/** A name that a part's maker goes by. Two letters are no name that is misspelt. */
function maker(random: Random, { vendor, names: [name, ...aliases] }: PartFacts): string {
  return random.pick([name, name, ...aliases.filter((alias) => alias.length > 2), vendor]);
}

function plural(noun: string): string {
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
