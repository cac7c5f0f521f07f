import { readFileSync } from "node:fs";
import { DEFAULT_SYNONYMS, termsOf } from "@partline/parts-search";
import { FILLER_WORDS } from "../../shared/filler-words.ts";

/** How people ask, as data (`vocabulary.txt`). Words are folded and singular, as terms are. */
interface Section {
  /** `wanted`, `measure torque`. */
  name: string;
  lines: string[];
}

const SECTIONS: Section[] = [];
for (const line of readFileSync(new URL("./vocabulary.txt", import.meta.url), "utf8").split("\n")) {
  const [, name] = /^\[([\w, |-]+)\]$/.exec(line) ?? [];
  if (name !== undefined) SECTIONS.push({ name, lines: [] });
  else if (line !== "" && !line.startsWith("#")) SECTIONS.at(-1)!.lines.push(line);
}

const linesOf = (name: string): string[] => SECTIONS.find((section) => section.name === name)!.lines;
const anyOf = (lines: readonly string[]): RegExp => new RegExp(lines.join("|"), "iu");
/** Sections of one kind, by what stands behind it. */
const ofKind = (kind: string): Section[] =>
  SECTIONS.flatMap(({ name, lines }) =>
    name.startsWith(`${kind} `) ? [{ name: name.slice(kind.length + 1), lines }] : [],
  );

export const listOf = (name: string): ReadonlySet<string> => new Set(linesOf(name).join(" ").split(" "));

export { MACHINE_WORDS as MACHINES } from "../../shared/filler-words.ts";
/** English words that name no part. */
export const NOISE: ReadonlySet<string> = new Set([...FILLER_WORDS, ...listOf("stands between")]);

export type Wanted = "part" | "quantity" | "page" | "replacement" | "offer" | "fitment";

/** What is wanted, by its words; the first that fits. */
export const WANTED = ofKind("wanted").map(({ name, lines }) => ({ wanted: name as Wanted, asked: anyOf(lines) }));

const PATTERNS = [
  "asks for links",
  "assents",
  "cart",
  "cheapest",
  "cheapest thing",
  "contact",
  "delivery",
  "does it fit",
  "goes on",
  "how many of it",
  "in its figure",
  "is no yes",
  "it",
  "known machines",
  "list",
  "machine it",
  "no",
  "no part",
  "order id",
  "of two",
  "orders",
  "part number",
  "shipping cost",
  "tells",
  "thanks",
  "total",
  "unwanted",
  "wishes",
  "yes",
] as const;
/** What a text says, by the name of its patterns. */
export const SAYS = Object.fromEntries(PATTERNS.map((name) => [name, anyOf(linesOf(name))])) as Record<
  (typeof PATTERNS)[number],
  RegExp
>;

export interface Symptom {
  asked: RegExp;
  /** That it often comes from, the likeliest first. */
  parts: readonly string[];
}

export const SYMPTOMS: readonly Symptom[] = ofKind("symptom").map(({ name, lines }) => ({
  asked: anyOf(lines),
  parts: name.split(", "),
}));

/** Words that the trade calls parts by; this shop need not sell them. */
export const PART_WORDS: ReadonlySet<string> = new Set(DEFAULT_SYNONYMS.en.flatMap(termsOf));

/** `What drive belt` asks for a belt, and is no `what drives the belt`. */
const BEFORE_A_THING = String.raw`(?:(?<= )|(?=(?: (?:up|down|together|back))? (?:the|my|an?|its?|his|our|your|this|that|these|those|both)\b))`;
/** What parts do to a thing, in the words that ask for them: `what holds`. */
const ROLES: readonly Symptom[] = ofKind("role").flatMap(({ name, lines }) =>
  name === "subject"
    ? []
    : {
        asked: new RegExp(
          `(?:${linesOf("role subject").join("|")})(?: (?:that|which))?(?: (?:is|are))? (?:${lines.join("|")})\\b${BEFORE_A_THING}`,
          "iu",
        ),
        parts: name.split(", "),
      },
);

/** Returns what a text asks for by what it does. A part's name, `which belts the …`, is no verb. */
export function roleIn(text: string): Symptom | undefined {
  return ROLES.find(({ asked, parts }) => {
    const said = asked.exec(text)?.[0].split(" ");
    const verb = said?.findLast((word) => word.endsWith("s")) ?? "";
    return said !== undefined && !(parts[0] === "nothing" && termsOf(verb).some((term) => PART_WORDS.has(term)));
  });
}

/** Attributes of a part, and what asks for them. */
export const FACTS_ASKED = ofKind("fact").map(({ name, lines }) => ({ fact: name, asked: anyOf(lines) }));

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

const MEASURES: readonly Measure[] = ofKind("measure").map(({ name: said, lines }) => {
  const [name, how = ""] = said.split("|").map((each) => each.trim());
  const behind = (mark: string): RegExp =>
    anyOf(lines.flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : [])));
  return {
    asked: behind("asked"),
    told: behind("told"),
    ...(name !== "" && { name }),
    isOfParts: how.includes("of parts"),
    isByName: how.includes("by name"),
    isOfOneThing: how.includes("of one thing"),
    isOfManual: how.includes("of manual"),
  };
});

/** Whether a text asks for a torque, a size or the like, which the text of a manual says, or the name of a part. */
export function measureAsked(text: string): Measure | undefined {
  return MEASURES.find(({ asked }) => asked.test(text));
}

const ASKED_WITH = listOf("asked with");

/** Whether a term asks, and names nothing. */
export function isAskingTerm(term: string): boolean {
  return ASKED_WITH.has(term);
}
