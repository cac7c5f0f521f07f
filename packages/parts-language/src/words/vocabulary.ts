import { splitTerms } from "./text.ts";
import { DEFAULT_SYNONYMS } from "./synonyms.ts";
import { readSections, type Section } from "./read-lines.ts";
import { memoizeRecent } from "@partline/toolkit";
import { FILLER_WORDS } from "./filler-words.ts";

/** How people ask, as data. Words are folded and singular, as terms are. */
const SECTIONS = readSections("vocabulary");

export const getLines = (name: string): string[] => SECTIONS.find((section) => section.name === name)!.lines;
export const toPattern = (lines: readonly string[]): RegExp => new RegExp(lines.join("|"), "iu");
/** Lists the sections of one kind, named by what stands behind it. */
export const listSections = (kind: string): Section[] =>
  SECTIONS.flatMap(({ name, lines }) =>
    name.startsWith(`${kind} `) ? [{ name: name.slice(kind.length + 1), lines }] : [],
  );

export const getWordSet = (name: string): ReadonlySet<string> => new Set(getLines(name).join(" ").split(" "));

export { MACHINE_WORDS as MACHINES } from "./filler-words.ts";
/** English words that name no part. */
export const NOISE: ReadonlySet<string> = new Set([...FILLER_WORDS, ...getWordSet("stands between")]);

export type Intent = "part" | "quantity" | "page" | "replacement" | "offer" | "fitment";

/** What is wanted, by its words; the first that fits. */
export const INTENTS = listSections("wanted").map(({ name, lines }) => ({
  wanted: name as Intent,
  asked: toPattern(lines),
}));

const PATTERNS = [
  "already done",
  "are they here",
  "asks for links",
  "assents",
  "cart",
  "cheaper",
  "cheapest",
  "cheapest thing",
  "corrects",
  "count and more",
  "delivery",
  "discontinued",
  "does it fit",
  "enough",
  "for all of them",
  "goes on",
  "how many here",
  "how many of it",
  "in its figure",
  "in place of",
  "is it covered",
  "is no yes",
  "it",
  "known machines",
  "less",
  "list",
  "machine it",
  "more",
  "no",
  "no part",
  "order id",
  "of two",
  "orders",
  "part behind fits",
  "part number",
  "same for both",
  "shipping cost",
  "so many of it",
  "still sold",
  "still wanted",
  "talk other trade",
  "tells",
  "thanks",
  "the other",
  "total",
  "unwanted",
  "wishes",
  "without",
  "yes",
] as const;
/** What a text says, by the name of its patterns. */
export const SAYS = Object.fromEntries(PATTERNS.map((name) => [name, toPattern(getLines(name))])) as Record<
  (typeof PATTERNS)[number],
  RegExp
>;

export interface Symptom {
  asked: RegExp;
  /** That it often comes from, the likeliest first. */
  parts: readonly string[];
  /** It is a service that is due, and nothing that goes wrong. */
  isService?: true;
}

export const SYMPTOMS: readonly Symptom[] = listSections("symptom").map(({ name, lines }) => ({
  asked: toPattern(lines),
  parts: name.split(", "),
}));

/** Words that the trade calls parts by; this shop need not sell them. */
export const PART_WORDS: ReadonlySet<string> = new Set(DEFAULT_SYNONYMS.en.flatMap(splitTerms));

/** `What drive belt` asks for a belt, and is no `what drives the belt`. */
const BEFORE_A_THING = String.raw`(?:(?<= )|(?=(?: (?:up|down|together|back))? (?:the|my|an?|its?|his|our|your|this|that|these|those|both)\b))`;
/** What parts do to a thing, in the words that ask for them: `what holds`. */
const ROLES: readonly Symptom[] = listSections("role").flatMap(({ name, lines }) =>
  name === "subject"
    ? []
    : {
        asked: new RegExp(
          `(?:${getLines("role subject").join("|")})(?: (?:that|which))?(?: (?:is|are))? (?:${lines.join("|")})\\b${BEFORE_A_THING}`,
          "iu",
        ),
        parts: name.split(", "),
      },
);

const ROLE_SUBJECT = toPattern(getLines("role subject"));

/** A clause, and a piece that is all of it, are asked several times over. */
export const MOST_REMEMBERED = 32;

/** Finds what a text asks for by what it does. A part's name, `which belts the …`, is no verb. */
export const findRole = memoizeRecent(MOST_REMEMBERED, (text): Symptom | undefined => {
  if (!ROLE_SUBJECT.test(text)) return undefined;
  return ROLES.find(({ asked: pattern, parts }) => {
    const words = pattern.exec(text)?.[0].split(" ");
    const verb = words?.findLast((word) => word.endsWith("s")) ?? "";
    return words !== undefined && !(parts[0] === "nothing" && splitTerms(verb).some((term) => PART_WORDS.has(term)));
  });
});

/** Of two places that a part is for, the other. */
export const OPPOSITES: ReadonlyMap<string, string> = new Map(
  getLines("opposites").flatMap((line) => {
    const [place = "", opposite = ""] = line.split(" ");
    return [[place, opposite] as const, [opposite, place] as const];
  }),
);

/** Attributes of a part, and what asks for them. */
export const FACT_PATTERNS = listSections("fact").map(({ name, lines }) => ({ fact: name, asked: toPattern(lines) }));

/** Something that has a unit: what asks for it, and what a line that states it has. */
export interface Measure {
  asked: RegExp;
  told: RegExp;
  /** What it is called if no line states it. */
  name?: string;
  /** Parts are named by it, too. */
  isOfParts: boolean;
  /** Other things have its unit, too: a line that states it, or its column's header, has its name. */
  isByName: boolean;
  /** It is rather a part's than the machine's. */
  isOfOneThing: boolean;
  /** It is said of the manual as a whole: of no part, and in a line that may have long numbers. */
  isOfManual: boolean;
}

const MEASURES: readonly Measure[] = listSections("measure").map(({ name: title, lines }) => {
  const [name, how = ""] = title.split("|").map((part) => part.trim());
  const toMarkPattern = (mark: string): RegExp =>
    toPattern(lines.flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : [])));
  return {
    asked: toMarkPattern("asked"),
    told: toMarkPattern("told"),
    ...(name !== "" && { name }),
    isOfParts: how.includes("of parts"),
    isByName: how.includes("by name"),
    isOfOneThing: how.includes("of one thing"),
    isOfManual: how.includes("of manual"),
  };
});

/** Finds the measure that a text asks for: a torque, a size or the like, said by a manual or by a part's name. */
export const findMeasure = memoizeRecent(MOST_REMEMBERED, (text): Measure | undefined =>
  MEASURES.find(({ asked: pattern }) => pattern.test(text)),
);

const ASKED_WITH = getWordSet("asked with");

/** Returns whether a term only asks and names nothing. */
export function isAskingTerm(term: string): boolean {
  return ASKED_WITH.has(term);
}
