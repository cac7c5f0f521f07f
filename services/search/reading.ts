import {
  type Comparable,
  convert,
  findMeasures,
  findTireSize,
  fold,
  getKind,
  isWithin,
  type Order,
  type TireSize,
} from "@partline/parts-language";
import { DEFAULT_SYNONYMS, parseSynonyms } from "@partline/parts-language/terms";
import {
  type Constraints,
  dropUnmeant,
  findDescribedParts,
  findNamingWords,
  findPartNames,
  getLines,
  getWordSet,
  isCertainDescription,
  isDescribing,
  isMachineName,
  isPlain,
  isUnnamed,
  MAKERS,
  OPPOSITES,
  readWishes,
  SAYS,
  writeSpoken,
} from "@partline/parts-language/words";
import type { MachineName, SearchHit } from "@partline/parts-search";
import { escapeRegExp } from "@partline/toolkit";

/** What a query that finds nothing as it is asks for. */
export interface Reading {
  /** The words without machines, superlatives and what is not wanted. */
  words: string;
  /** As the catalog writes them. */
  machines: string[];
  order?: Order;
  /** Words of titles, numbers, and machines of parts that are not wanted. */
  unwanted: readonly string[];
  bounds: Pick<Constraints, "least" | "most">;
  isInStock: boolean;
  /** One part is asked for that all of the machines take. */
  isForAll: boolean;
  /** Names of the parts that it describes without naming one, the likeliest first. */
  described: readonly string[];
  /** Words that name makers. */
  makers: string[];
  sizes: NonNullable<Constraints["sizes"]>;
  /** It says what the part does or is like: a part in it is another one. */
  isStory: boolean;
  isLong: boolean;
}

/** No title has them: what is measured in them is compared. */
const FOREIGN_UNITS: ReadonlySet<string> = new Set(["bar", "kPa", "L", "ml"]);

/** Words that a query or a mail asks for a part in. */
const LONG_WORDS = 16;

/** Reads a query beside the machines that it names. */
export function readQuery(q: string, mentions: readonly MachineName[]): Reading {
  const { text: meantText, mentions: meantMentions, unfit } = dropUnmeant(q, mentions);
  const namings = meantMentions.filter(({ how }) => how !== "near");
  let text = meantText;
  for (const { from, to } of namings.toReversed()) text = `${text.slice(0, from)} ${text.slice(to)}`;
  const { text: wishedText, order, constraints, task } = readWishes(fold(text));
  const { least, most } = constraints;
  const foreign = (constraints.sizes ?? []).filter(({ unit }) => FOREIGN_UNITS.has(unit));
  const words = foreign.reduce((rest, size) => rest.replace(size.text, " "), wishedText).replace(SAYS.cheapest, " ");
  const isOfService = task?.name === "service" && findPartWords(words).every((word) => SERVICE_WORDS.has(word));
  const parts = isOfService ? SERVICE_PARTS : findDescribedParts(text);
  // A part that is named first needs no description: `fuel filter, the same for both engines`.
  const [name] = findPartNames(words);
  const isFirst = name !== undefined && findNamingWords(words.slice(0, name.from)).length === 0;
  const isNamed = isFirst && words.slice(name.from, name.to).includes(" ");
  const described = parts.some((part) => words.includes(part)) ? [] : parts;
  return {
    words: [words, ...(constraints.numberParts ?? [])].join(" ").replaceAll(/\s+/g, " ").trim(),
    machines: [...new Set(namings.map(({ name }) => name))],
    ...(order && { order }),
    unwanted: [
      ...constraints.without.flatMap((word) => [word, ...(MEANINGS.get(word) ?? [])]),
      ...listOpposites(words, constraints.cylinder),
      ...unfit.map(({ name }) => name),
    ],
    bounds: { ...(least && { least }), ...(most && { most }) },
    isInStock: constraints.stock === "in",
    isForAll: SAYS["for all of them"].test(fold(q)),
    described,
    sizes: constraints.sizes ?? [],
    makers: namings.length > 0 ? [] : words.split(/[^\p{L}\p{N}&]+/u).filter((word) => MAKERS.has(word)),
    isStory:
      isOfService ||
      // `336-something`, of a number, describes nothing.
      (isUnnamed(words) && !/\d{3}/.test(words)) ||
      (described.length > 0 && !isNamed && isCertainDescription(text)) ||
      findPartWords(words).every(isDescribing),
    isLong: q.includes("\n") || q.split(/\s+/).length > LONG_WORDS,
  };
}

/** What a service changes, and words that ask for one. */
const [SERVICE_PARTS, SERVICE_WORDS] = [getLines("service parts"), getWordSet("service words")];

/** By a word, single words that mean it: of `rim`, `wheel`. */
const MEANINGS = new Map(
  DEFAULT_SYNONYMS.en.map(parseSynonyms).flatMap(({ words, meanings }) => {
    const singleMeanings = meanings.filter((meaning) => !meaning.includes(" "));
    return words.map((word) => [word, singleMeanings] as const);
  }),
);

/** What a title may not say beside what is asked for: of `left` it is `right`, and another cylinder. */
function listOpposites(words: string, cylinder: number | undefined): string[] {
  const typed = new Set(words.split(/[^\p{L}]+/u));
  const sides = [...typed].flatMap((word) => OPPOSITES.get(word) ?? []).filter((opposite) => !typed.has(opposite));
  const otherCylinders = cylinder === undefined ? [] : [1, 2, 3, 4].filter((number) => number !== cylinder);
  return [...sides, ...otherCylinders.map((number) => `cylinder ${number}`)];
}

/** The words of a query that name a part, without those of machines as a whole: a starter motor is a part. */
export function findPartWords(words: string): string[] {
  const namings = findNamingWords(words);
  const text = namings.join(" ");
  const nameWords = findPartNames(text).flatMap(({ from, to }) => text.slice(from, to).split(" ").slice(1));
  return namings.filter((word) => nameWords.includes(word) || !(isMachineName(word) || isPlain(word)));
}

/** Returns what an order compares a hit by. */
export function toComparable({ document }: Pick<SearchHit, "document">): Comparable {
  const { title, fits = [], price, weightGrams: weight } = document;
  return { name: fits.reduce((text, name) => text.replace(name, ""), title), price, weight };
}

/** Leaves out hits whose title has a word that is not wanted, or no measure within the bounds. */
export function dropUnwanted(
  hits: readonly SearchHit[],
  { unwanted, bounds: { least, most } }: Pick<Reading, "unwanted" | "bounds">,
): SearchHit[] {
  const patterns = unwanted.map((word) => new RegExp(String.raw`\b${escapeRegExp(word.replace(/s$/, ""))}`, "i"));
  return hits.filter(({ document }) => {
    const { title, pnNorm, fits = [] } = document;
    if ([pnNorm, ...fits].some((name) => unwanted.includes(name))) return false;
    if (patterns.some((pattern) => pattern.test(title))) return false;
    return isWithin(findMeasures(toComparable({ document }).name), { least, most });
  });
}

/** Writes lengths in inches, as titles do: `6 ft` as `72in`, `3.5 inch` as `3-1/2in`, `163 cm` as `64in`; a bolt has mm. */
export function writeInches(q: string): string {
  const text = writeSpoken(q);
  const lengths = findMeasures(text).filter(({ unit }) => getKind(unit) === "length" && unit !== "mm");
  if (text === q && lengths.every(({ unit, text: typed }) => unit === "in" && /^[\d/ -]+\D*$/.test(typed))) return q;
  return lengths.reduceRight((rest, { value, unit, text: typed, from }) => {
    const inches = convert({ value, unit }, "in") ?? value;
    const sixteenths = unit === "in" || unit === "ft" ? Math.round(inches * 16) : Math.round(inches) * 16;
    const [integer, more] = [Math.floor(sixteenths / 16), sixteenths % 16];
    const part = [1, 2, 4, 8, 16].findLast((size) => more % size === 0) ?? 1;
    const fraction = more === 0 ? "" : `${integer ? "-" : ""}${more / part}/${16 / part}`;
    return `${rest.slice(0, from)}${integer || ""}${fraction}in${rest.slice(from + typed.length)}`;
  }, text);
}

/** Metric ways to write the size of a tire: `20.5x8-10` is `205/65-10`. */
export function listOtherSizes(q: string): string[] {
  const tire = findTireSize(q);
  const metric = tire && toMetricSize(tire.size);
  return tire && metric !== undefined ? [`${q.slice(0, tire.start)}${metric}${q.slice(tire.end)}`, metric] : [];
}

/** The metric size of a tire that is as wide and high, as golf carts' `20.5x8-10` is `205/65-10`. */
function toMetricSize({ diameter, width, rim }: TireSize): string | undefined {
  if (diameter === undefined) return undefined;
  const millimetres = Math.round((width * 25.4) / 5) * 5;
  const aspect = Math.round((((diameter - rim) / 2) * 25.4 * 100) / millimetres / 5) * 5;
  return aspect > 0 && aspect <= 100 ? `${millimetres}/${aspect}-${rim}` : undefined;
}
