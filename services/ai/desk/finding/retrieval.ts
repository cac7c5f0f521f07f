import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import { editDistance } from "../../../../mixins/search-index/edit-distance.ts";
import type { CatalogHit, FitmentRow, FoundPart, Passage } from "../facts.ts";
import { findParts, mostOf, nearestParts, type Retrieved } from "./finding.ts";
import { MOST_NUMBERS, type NumberMention } from "../understanding/number-mentions.ts";
import { partTerms } from "../understanding/part-terms.ts";
import type { DeskSources, KnownModel } from "../sources/sources.ts";
import { MOST_ROWS, toldFirst } from "./most-rows.ts";
import { quotesOf, type Quote } from "./quotes.ts";
import { relevanceOf } from "./relevance.ts";
import { lookUpEach } from "./several.ts";
import { EXACT_HITS, MOST_MODELS, rowsOfNumbers, successorsOf, type RowsOf } from "./successors.ts";
import { unknownNumbersOf, type NearNumber, type UnknownNumber } from "./unknown-numbers.ts";
import type { Ask, Question, Wanted } from "../understanding/understanding.ts";

/** What was found for one of a text's questions. */
export interface Finding {
  ask: Ask;
  /** The best first. */
  parts: FoundPart[];
  /** How many parts there are, of which these are the first. */
  total: number;
  /** There may be more: the catalog's search tells its first hits alone. */
  isAtLeast: boolean;
  /** What the parts were replaced by, in the order of the parts. */
  successors: FoundPart[];
  /** What the text of manuals says of it. */
  quotes: Quote[];
  /** What was asked for of which no text tells: `torque`. */
  untold?: string;
  /** What replaces those of the parts that cannot be bought could not be looked up. */
  isReplacementUnknown?: boolean;
  /** What there is that is called a little like it, where nothing is relevant. */
  nearest: NearNumber[];
  /** Equipment of manuals that is called much like what was asked for, where no manual is of that. */
  nearModels: string[];
  /** Equipment that has such a part, where that which was asked for has none. */
  elsewhere: KnownModel[];
  /** Numbers that were asked for and that nobody knows. */
  unknownNumbers: UnknownNumber[];
  /** Equipment that was asked about beside a number, and that no manual is of. */
  unknownMachines: string[];
  /** Of several parts or machines that are asked for at once, it is one. */
  isOneOfSeveral?: boolean;
  /**
   * Where it is asked whether one equipment's part is right for another: the other equipment, with the numbers that are
   * listed for it.
   */
  besides?: readonly { equipment: string; pnNorms: ReadonlySet<string> }[];
}

/** Passages that are looked at. */
const PASSAGES = 20;
const HITS = 20;
const MOST_MODELS_NAMED = 3;

/**
 * Looks up a text's questions, each part and each equipment of them by itself; one that is about what the one before it
 * found has that.
 */
export async function retrieve(question: Question, sources: DeskSources): Promise<Finding[]> {
  let asked: ReturnType<Vector> | undefined;
  const vector: Vector = () => (asked ??= sources.vector?.(question.text) ?? noVector());
  const found = await Promise.all(
    question.asks.map(async (ask) =>
      ask.isAboutTheSame ? [] : lookUpEach(ask, (each) => lookUp(each, vector, sources), sources),
    ),
  );
  const groups: Finding[][] = [];
  for (const [at, ask] of question.asks.entries()) {
    const before = groups.findLast((findings) => !findings.every(isOfNothing)) ?? groups.at(-1);
    if (!ask.isAboutTheSame) groups.push(found[at]!);
    else if (before && before.every((finding) => isSaidWith(finding.ask.wanted, ask.wanted)))
      groups[groups.indexOf(before)] = before.map((finding) => ({ ...finding, ask: askedTogether(finding.ask, ask) }));
    else if (before)
      groups.push(
        before.map((finding) => ({
          ...finding,
          ask: {
            ...finding.ask,
            wanted: ask.wanted,
            text: ask.text,
            isAboutTheSame: true,
            ...(ask.pick && { pick: ask.pick }),
          },
        })),
      );
  }
  const telling = groups.filter((findings) => !findings.every(isOfNothing));
  return (telling.length > 0 ? telling : groups).flat();
}

/** What names equipment alone, and is no part's number. */
function isOfNothing({ ask, parts, unknownNumbers }: Finding): boolean {
  return ask.isMereName === true && parts.length === 0 && unknownNumbers.length === 0;
}

/** How much of a part is told where that is asked for, the least first: each has what is before it. */
const TOLD: readonly Wanted[] = ["offer", "part", "page", "quantity"];

/** Whether one sentence answers both. */
function isSaidWith(before: Wanted, then: Wanted): boolean {
  return TOLD.includes(before) && TOLD.includes(then);
}

function askedTogether(before: Ask, then: Ask): Ask {
  const wanted = TOLD[Math.max(TOLD.indexOf(before.wanted), TOLD.indexOf(then.wanted))]!;
  return {
    ...before,
    wanted,
    text: `${before.text}, ${then.text}`,
    ...(then.pick && { pick: then.pick }),
    ...(then.count !== undefined && { count: then.count }),
  };
}

/** The text's vector, asked for where words are looked up: a known number needs none. */
type Vector = () => Promise<Float32Array | undefined>;
const noVector: Vector = () => Promise.resolve(undefined);

/** Where the equipment has nothing that is called so, a word that may be another's maker is taken for that. */
async function lookUp(ask: Ask, vector: Vector, sources: DeskSources): Promise<Finding> {
  const found = await lookUpAll(ask, vector, sources);
  if (ask.models.length === 0 || ask.makers.length === 0 || found.parts.length > 0 || found.quotes.length > 0)
    return found;
  const ofMakers = ask.makers.flatMap(partTerms);
  const hits = await Promise.all(ofMakers.map((term) => sources.catalog(term, HITS)));
  // What parts are called is no maker.
  if (
    hits
      .flat()
      .some(({ title }) => ofMakers.some((term) => relevanceOf({ terms: [term] }, { description: title }).isThing))
  )
    return found;
  const terms = ask.terms.filter((term) => !ofMakers.includes(term));
  if (terms.length === 0) return found;
  const others =
    ask.strangeMachines.length > 0 ? ask.strangeMachines : ask.makers.map((name) => ({ name, isCertain: true }));
  const without = await lookUpAll({ ...ask, terms, strangeMachines: others }, vector, sources);
  return without.parts.length > 0 ? without : found;
}

async function lookUpAll(ask: Ask, vector: Vector, sources: DeskSources): Promise<Finding> {
  const rowsOf = rowsOfNumbers(ask, sources);
  const numbers = await lookUpNumbers(ask, rowsOf, sources);
  const isNumbered = numbers.rows.length > 0 || numbers.hits.length > 0;
  // Words that were taken for a number, and are none, are words: a size, say.
  const known = isNumbered ? ask : { ...ask, terms: [...new Set([...ask.terms, ...sizesOf(ask)])] };
  const retrieved = isNumbered
    ? { ...NOTHING, ofNumbers: numbers.rows, exactHits: numbers.hits }
    : await lookUpWords(known, vector, sources);
  const relevant = findParts(known, retrieved);
  const { quotes, isMeasured, isAnswer, untold } = quotesOf(known, retrieved.byWords, [
    ...retrieved.ofModels,
    ...retrieved.ofPages,
  ]);
  // An oil pressure switch is a part, whatever the text says of pressure; an oil filter is no oil.
  const isNamed = relevant.some(({ description }) => {
    const { coverage, isThing } = relevanceOf({ terms: known.terms }, { description });
    return coverage === 1 && (isThing || quotes.length === 0);
  });
  const all = isAnswer && !isNamed ? [] : relevant;
  const found = await Promise.all(all.slice(0, mostOf(known)).map((part) => withRows(part, rowsOf)));
  const parts = found.map((part) => ({ ...part, rows: toldFirst(part.rows, ask).slice(0, MOST_ROWS) }));
  const unknownMachines = parts.length === 0 ? [] : await machinesOfNone(ask, parts, rowsOf, sources);
  const strangers = parts.length > 0 ? unknownMachines : ask.models.length === 0 ? ask.strangers : [];
  const isElsewhere =
    !isNumbered && parts.length === 0 && quotes.length === 0 && ask.models.length > 0 && ask.terms.length > 0;
  return {
    ask: known,
    parts,
    quotes: (isMeasured && !isNamed) || parts.length === 0 ? quotes : [],
    ...(untold !== undefined && !isNumbered && !isNamed && { untold }),
    total: all.length,
    isAtLeast: known.models.length === 0 && retrieved.hits.length === HITS,
    unknownMachines,
    nearModels: strangers.length > 0 ? nearModels(strangers, await sources.allModels()) : [],
    successors: await successorsOf(parts, ask, rowsOf, sources),
    nearest: parts.length === 0 && quotes.length === 0 ? nearestParts(known, retrieved) : [],
    elsewhere: isElsewhere
      ? equipmentWith(
          findParts({ ...known, models: [] }, await lookUpWords({ ...known, models: [] }, noVector, sources)),
        )
      : [],
    unknownNumbers: await unknownNumbersOf(
      ask,
      numbers.unknown.filter((number) => !(isMachine(ask, number) && (ask.isMereName || unknownMachines.length > 0))),
      numbers.like,
      sources,
    ),
  };
}

/** What the catalog alone found may be in manuals too. */
async function withRows(part: FoundPart, rowsOf: RowsOf): Promise<FoundPart> {
  if (part.rows.length > 0) return part;
  const rows = (await rowsOf(part.pnNorm)).filter(
    ({ pnNorm, vendor }) =>
      pnNorm === part.pnNorm && (vendor === undefined || part.vendor === undefined || vendor === part.vendor),
  );
  return {
    ...part,
    rows,
    replacedBy: part.replacedBy ?? rows.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy,
  };
}

const NOTHING: Retrieved = {
  ofNumbers: [],
  exactHits: [],
  ofModels: [],
  ofPages: [],
  byWords: [],
  byVector: [],
  hits: [],
};

interface NumbersFound {
  rows: FitmentRow[];
  /** Exactly one of the numbers. */
  hits: CatalogHit[];
  /** What else the catalog's search found for them. */
  like: CatalogHit[];
  /** By their `number`. */
  unknown: number[];
}

/** Mentions that are part of a longer one that is known are no numbers by themselves. */
async function lookUpNumbers({ mentions }: Ask, rowsOf: RowsOf, sources: DeskSources): Promise<NumbersFound> {
  const wholes = mentions.filter((mention) => !mentions.some((other) => holds(other, mention)));
  const asked = [
    ...new Map(
      [...wholes, ...mentions.filter(({ pnNorm }) => /^[A-Z&]*\d[A-Z0-9]{4,}$/.test(pnNorm))].map((mention) => [
        mention.text,
        mention,
      ]),
    ).values(),
  ].slice(0, MOST_NUMBERS);
  const [listed, hitsOf] = await Promise.all([
    Promise.all(mentions.map(({ pnNorm }) => rowsOf(pnNorm))),
    Promise.all(asked.map(({ text }) => sources.catalog(text, EXACT_HITS))),
  ]);
  // What is part of a longer number that is known is none by itself.
  const listedOf = mentions.map((mention, at) =>
    mentions.some((other, place) => listed[place]!.length > 0 && holds(other, mention)) ? [] : listed[at]!,
  );
  const exact = asked.flatMap((mention, at) =>
    hitsOf[at]!.filter((hit) => isNamed(hit, mention.pnNorm)).map((hit) => ({ mention, hit })),
  );
  const isKnown = (at: number): boolean =>
    listedOf[at]!.length > 0 || exact.some(({ mention }) => mention === mentions[at]);
  // `KAW 15964-8141` is the catalog's 159648141.
  const others = new Set(exact.map(({ hit }) => normalizePartNumber(hit.partNumber)));
  for (const { pnNorm } of mentions) others.delete(pnNorm);
  const more = await Promise.all([...others].map((pnNorm) => rowsOf(pnNorm)));
  const rows = [...listedOf.flat(), ...more.flat()];
  const known = new Set(mentions.filter((_, at) => isKnown(at)).map(({ number }) => number));
  const unknown = [...new Set(wholes.filter(({ text }) => looksLikeNumber(text)).map(({ number }) => number))].filter(
    (number) => !known.has(number),
  );
  return { rows, hits: [...new Map(exact.map(({ hit }) => [hit.id, hit])).values()], like: hitsOf.flat(), unknown };
}

function holds(longer: NumberMention, { from, to }: NumberMention): boolean {
  return longer.from <= from && longer.to >= to && longer.to - longer.from > to - from;
}

/** Whether a catalog part is the one that a number names, its vendor's code or name in front or not. */
function isNamed({ partNumber, manufacturer }: CatalogHit, asked: string): boolean {
  const own = normalizePartNumber(partNumber);
  return [
    own,
    `CT${manufacturer.code}${own}`,
    manufacturer.code + own,
    normalizePartNumber(manufacturer.name) + own,
  ].includes(asked);
}

/** Machines of the question that no number and no part's name is known by. */
async function machinesOfNone(
  { strangeMachines }: Ask,
  parts: readonly FoundPart[],
  rowsOf: RowsOf,
  sources: DeskSources,
): Promise<string[]> {
  const unknown = await Promise.all(
    strangeMachines.map(async ({ name }) => {
      const key = normalizePartNumber(name);
      if (
        parts.some(({ description, catalog }) =>
          normalizePartNumber(`${description} ${catalog?.title ?? ""}`).includes(key),
        )
      )
        return [];
      const [rows, hits] = await Promise.all([rowsOf(key), sources.catalog(name, EXACT_HITS)]);
      return rows.some(({ pnNorm }) => pnNorm === key) || hits.some((hit) => isNamed(hit, key)) ? [] : [name];
    }),
  );
  return unknown.flat();
}

/** Whether what was typed as this number is one of the machines, and nothing else for whoever typed it. */
function isMachine({ mentions, strangeMachines }: Ask, number: number): boolean {
  return mentions.some(
    (mention) =>
      mention.number === number &&
      strangeMachines.some(({ name, isCertain }) => isCertain && normalizePartNumber(name) === mention.pnNorm),
  );
}

function looksLikeNumber(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 4 && text.replace(/[^\p{L}\p{N}]/gu, "").length >= 5;
}

/** Where something else is named too, a machine is no size of it. */
function sizesOf({ mentions, strangeMachines, terms }: Ask): string[] {
  const machines = terms.length === 0 ? [] : strangeMachines.map(({ name }) => normalizePartNumber(name));
  return mentions
    .filter(({ from, to, pnNorm }) => to - from === 1 && !machines.includes(pnNorm))
    .map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
}

async function lookUpWords(ask: Ask, vector: Vector, sources: DeskSources): Promise<Retrieved> {
  const words = ask.terms.join(" ");
  const models = ask.models.slice(0, MOST_MODELS).map(({ equipment }) => equipment);
  const within = models.length === 0 ? {} : { models };
  const [ofModels, hits, byWords, byVector] = await Promise.all([
    Promise.all(models.map((model) => sources.byModel(model))),
    words === "" ? [] : sources.catalog(words, HITS),
    words === "" ? [] : sources.passages({ words, ...within, limit: PASSAGES }),
    vector().then((known) =>
      known === undefined ? [] : sources.passages({ words: "", vector: known, ...within, limit: PASSAGES }),
    ),
  ]);
  // The equipment's own rows are all there already.
  const ofPages = models.length > 0 ? [] : await rowsOnPages([...byWords, ...byVector], sources);
  return { ...NOTHING, ofModels: ofModels.flat(), ofPages, byWords, byVector, hits };
}

/** The parts that the pages list on which the words stand. */
async function rowsOnPages(passages: readonly Passage[], sources: DeskSources): Promise<FitmentRow[]> {
  const places = new Set(passages.map(({ sha256, page }) => `${sha256} ${page}`));
  const equipment = [...new Set(passages.flatMap((passage) => passage.equipment.slice(0, 1)))].slice(0, MOST_MODELS);
  const rows = await Promise.all(equipment.map((model) => sources.byModel(model)));
  return rows.flat().filter(({ sha256, page }) => places.has(`${sha256} ${page}`));
}

/** One slip of the keys away, or two in a long name. */
function nearModels(strangers: readonly string[], models: readonly KnownModel[]): string[] {
  const asked = strangers.map(normalizePartNumber);
  const near = models.map(({ equipment }) => ({
    equipment,
    edits: Math.min(...asked.map((key) => editDistance(key, normalizePartNumber(equipment)))),
  }));
  return [
    ...new Set(
      near
        .filter(({ equipment, edits }) => edits <= (equipment.length < 8 ? 1 : 2))
        .sort((a, b) => a.edits - b.edits)
        .map(({ equipment }) => equipment),
    ),
  ].slice(0, MOST_MODELS_NAMED);
}

function equipmentWith(parts: readonly FoundPart[]): KnownModel[] {
  const rows = parts.flatMap((part) => part.rows);
  return [
    ...new Map(rows.map(({ equipment, manufacturer }) => [equipment, { equipment, manufacturer }])).values(),
  ].slice(0, MOST_MODELS_NAMED);
}
