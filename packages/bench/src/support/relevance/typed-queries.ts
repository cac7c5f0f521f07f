import { randomFrom, type Random } from "../generators/random.ts";
import { splitWords, type CatalogFacts, type PartFacts } from "./catalog-facts.ts";
import { misspell } from "./misspell.ts";

export const TYPED = ["noun", "noun behind its maker", "maker", "model", "noun with a slip"] as const;

/** A query that is still being typed, and the words that are meant. */
export interface TypedQuery {
  kind: (typeof TYPED)[number];
  typed: string;
  meant: string[];
}

const PER_KIND = 50;
/** Letters of the last word that are typed, and more of them where one is wrong. */
const LETTERS = 3;
const LETTERS_WITH_SLIP = 5;

/** As many of each kind, the same in every run. */
export function typedQueries({ parts, words }: CatalogFacts): TypedQuery[] {
  const random = randomFrom("typed queries");
  const active = parts.filter(({ isActive }) => isActive);
  const make: Record<TypedQuery["kind"], (part: PartFacts) => Omit<TypedQuery, "kind"> | undefined> = {
    noun: ({ noun }) => ({ typed: begin(noun, LETTERS), meant: noun }),
    "noun behind its maker": ({ noun, names: [name] }) => ({
      typed: `${name} ${begin(noun, LETTERS)}`,
      meant: [...splitWords(name), ...noun],
    }),
    maker: ({ names: [name] }) => ({
      typed: name.slice(0, random.integer(2, 4)),
      meant: splitWords(name),
    }),
    model: ({ models }) => {
      const model = [...models].find((word) => word.length > LETTERS && /^[a-z]+\d/.test(word));
      return model === undefined ? undefined : { typed: model.slice(0, LETTERS), meant: [model] };
    },
    "noun with a slip": ({ noun }) => slipped(random, noun, words),
  };
  return TYPED.flatMap((kind) => {
    const queries: TypedQuery[] = [];
    while (queries.length < PER_KIND) {
      const typedQuery = make[kind](random.pick(active));
      if (typedQuery) queries.push({ kind, ...typedQuery });
    }
    return queries;
  });
}

function begin(words: readonly string[], letters: number): string {
  return words.with(-1, words.at(-1)!.slice(0, letters)).join(" ");
}

function slipped(
  random: Random,
  noun: readonly string[],
  knownWords: ReadonlySet<string>,
): Omit<TypedQuery, "kind"> | undefined {
  const beginning = noun.at(-1)!.slice(0, LETTERS_WITH_SLIP);
  const wrong = misspell(random, beginning, new Set());
  // What is the beginning of another word is no slip.
  if (wrong === undefined || [...knownWords].some((word) => word.startsWith(wrong))) return undefined;
  return { typed: noun.with(-1, wrong).join(" "), meant: [...noun] };
}
