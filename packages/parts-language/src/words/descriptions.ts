import { readFileSync } from "node:fs";
import { fold } from "../fold.ts";
import { findRole, SYMPTOMS } from "./vocabulary.ts";

/** What describes parts: of each group one must be there. */
interface Description {
  parts: readonly string[];
  groups: readonly RegExp[];
}

const DESCRIPTIONS: readonly Description[] = readFileSync(new URL("./descriptions.txt", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [names, words] = line.split(": ");
    if (names === undefined || words === undefined || line.startsWith("#")) return [];
    return { parts: names.split(", "), groups: words.split(" ").map(toPattern) };
  });

/** Characters of a text that are read. */
const LONGEST = 500;

/** A beginning of a word of four letters or more, or a shorter word or phrase in full. */
function toPattern(group: string): RegExp {
  const words = group.split("|").map((word) => word.replaceAll("_", " "));
  const toWord = (word: string) => (word.length > 3 && !word.includes(" ") ? `${word}[a-z]*` : word);
  return new RegExp(String.raw`(?<![a-z])(?:${words.map(toWord).join("|")})(?![a-z])`);
}

/**
 * Returns the names of the parts that a text describes without their name, or that what it complains of comes from, the
 * likeliest first; none if it does neither.
 */
export function findDescribedParts(text: string): readonly string[] {
  const folded = foldDescription(text);
  return findDescription(folded)?.parts ?? SYMPTOMS.find(({ asked: pattern }) => pattern.test(folded))?.parts ?? [];
}

/** `The thing under the deck that …` */
const UNNAMED =
  /\b(?:part|thing|thingy|piece|bit|stuff|something|gizmo|doohickey|thingamajig|contraption|donut|doughnut|doodad|whatsit)\b/i;
/** Groups of a description that leaves no doubt. */
const CERTAIN = 3;

/** Returns whether a text describes a part beyond doubt: words for parts in it say where that is. */
export function isCertainDescription(text: string): boolean {
  return (findDescription(foldDescription(text))?.groups.length ?? 0) >= CERTAIN;
}

/** Whether a text says what a part does or where it sits, in place of its name: a part that it names is another one. */
export function isUnnamed(text: string): boolean {
  return UNNAMED.test(text) || findRole(text) !== undefined;
}

/** Returns the name of a thing that a text does not name, but says what it does or where it sits. */
export function findUnnamedPart(text: string): string | undefined {
  const description = UNNAMED.test(text) ? findDescription(foldDescription(text)) : undefined;
  return description && description.groups.length >= CERTAIN ? description.parts[0] : undefined;
}

function foldDescription(text: string): string {
  return fold(text.slice(0, LONGEST)).replaceAll(/[’`]/g, "'").replaceAll(/\s+/g, " ");
}

/** Finds the description that a text has most groups of. */
function findDescription(folded: string): Description | undefined {
  let best: Description | undefined;
  for (const description of DESCRIPTIONS)
    if (
      description.groups.length > (best?.groups.length ?? 0) &&
      description.groups.every((group) => group.test(folded))
    )
      best = description;
  return best;
}
