import { getWordSet, MACHINES, NOISE, PART_WORDS } from "@partline/parts-language/words";
import { fold } from "@partline/parts-language";
import { type Directory, type LiveManual, type Model, toModelKey, type ModelMention } from "@partline/parts-search";
import { isNamedByTitle } from "../fitment/equipment-of-manual.ts";

/** Words by which people call manuals, those of titles, makers, files and models, and how much each says. */
type Names = ReadonlyMap<string, ReadonlyMap<LiveManual, number>>;

/** Words of titles that many manuals have. */
const OF_TITLES = getWordSet("of titles");
const SHORTEST_WORD = 3;
/** A part number, not a model, in the title of a manual that names no machine. */
const PART_NUMBER = /(?:\d\D{0,2}){6}/;
/** Manuals that a word may name, and share of all. */
const MOST_NAMED = 5;
const MOST_SHARE = 0.2;
/** How much a word says: one with digits, one of letters, one that parts or all machines are called by. */
const WEIGHTS = { digits: 3, letters: 1, everyday: 0.5 };
const LEAST = 1;

const indexes = new WeakMap<ReadonlyMap<string, LiveManual>, Names>();

/**
 * Finds where a text names manuals by words of their titles, makers or files, or by a model without digits; mentions
 * that are known stay, unless such a word says more. A machine that its manual does not name is found so.
 */
export function withNamedManuals(
  text: string,
  allMentions: readonly ModelMention[],
  { manuals }: Pick<Directory, "manuals">,
): ModelMention[] {
  const isTitle = ({ equipment }: Model): boolean =>
    [...manuals.values()].some((manual) => isNamedByTitle(manual) && manual.equipment[0] === equipment);
  const mentions = allMentions.filter(
    ({ from, to, models }) => !(PART_NUMBER.test(text.slice(from, to)) && models.every(isTitle)),
  );
  const names = indexes.get(manuals) ?? indexNames([...manuals.values()]);
  indexes.set(manuals, names);
  // A maker in front of a model with a slip is of that.
  const isFirm = ({ how }: ModelMention, word: string): boolean =>
    how !== "maker" && (how !== "near" || !/\d/.test(word));
  const hits = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu)].flatMap(({ 0: typed, index: from }) => {
    const word = typed.replace(/['’]s$|['’./-]+$/gu, "");
    const to = from + word.length;
    const manualsNamed = names.get(toWordKey(word));
    const isTaken = mentions.some((mention) => isFirm(mention, word) && from < mention.to && to > mention.from);
    return manualsNamed && !isTaken ? [{ from, to, word, manuals: manualsNamed }] : [];
  });
  const best = selectBest(hits);
  if (best.size === 0) return [...mentions];
  const models = [...best].flatMap(({ equipment, manufacturer }) =>
    equipment.map((name): Model => ({ equipment: name, manufacturer })),
  );
  const hasModel = hits.some(({ word }) => /\d/.test(word));
  const nameMentions = hits
    // With a model, the part is what is asked for: `carburetor for FS730V`.
    .filter((hit) => !(hasModel && PART_WORDS.has(toWordKey(hit.word))))
    .filter((hit) => [...hit.manuals.keys()].some((manual) => best.has(manual)))
    .map(({ from, to, word }): ModelMention => {
      const sameModels = models.filter(({ equipment }) => toModelKey(equipment) === toModelKey(word));
      const isName = /\p{L}.*\d|\d.*\p{L}/u.test(word) || sameModels.length > 0;
      // `EV Global` stays whole where its files say `Global`.
      const makerMentions = mentions.filter(
        (mention) => mention.how === "maker" && from < mention.to && to > mention.from,
      );
      return {
        from: Math.min(from, ...makerMentions.map((mention) => mention.from)),
        to: Math.max(to, ...makerMentions.map((mention) => mention.to)),
        models: sameModels.length > 0 ? sameModels : models,
        how: isName ? "named" : "maker",
      };
    });
  const otherMentions = mentions.filter(
    ({ from, to }) => !nameMentions.some((mention) => from < mention.to && to > mention.from),
  );
  const separateMentions = nameMentions.filter(
    ({ from }, index) => index === 0 || from >= (nameMentions[index - 1]?.to ?? 0),
  );
  return [...otherMentions, ...separateMentions].sort((a, b) => a.from - b.from);
}

/** Selects the manuals that the words name most of all. */
function selectBest(hits: readonly { manuals: ReadonlyMap<LiveManual, number> }[]): ReadonlySet<LiveManual> {
  const scores = new Map<LiveManual, number>();
  for (const { manuals } of hits)
    for (const [manual, weight] of manuals) scores.set(manual, (scores.get(manual) ?? 0) + weight);
  const most = Math.max(LEAST, ...scores.values());
  return new Set([...scores].flatMap(([manual, score]) => (score === most ? manual : [])));
}

function indexNames(manuals: readonly LiveManual[]): Names {
  const names = new Map<string, Map<LiveManual, number>>();
  for (const manual of manuals)
    for (const [word, weight] of weighNameWords(manual))
      names.set(word, (names.get(word) ?? new Map<LiveManual, number>()).set(manual, weight));
  const most = Math.max(MOST_NAMED, MOST_SHARE * manuals.length);
  return new Map([...names].filter(([, { size }]) => size <= most));
}

function weighNameWords(manual: LiveManual): Map<string, number> {
  const { title, filename, manufacturer = "", equipment } = manual;
  const isUnnamed = isNamedByTitle(manual);
  const text = [title, filename.replace(/\.pdf$/i, ""), manufacturer].join(" ");
  const words = text.split(/[\s_,;:()[\]"“”|&+]+/u).flatMap((word) => [word, ...word.split(/[-/]/)]);
  const weigh = (word: string): number => {
    if (word.length < SHORTEST_WORD || /^\d+$/.test(word) || OF_TITLES.has(word) || NOISE.has(word)) return 0;
    if (isUnnamed && PART_NUMBER.test(word)) return 0;
    // Of a manual that names no machine, what it is about is all that there is.
    if (PART_WORDS.has(word) || MACHINES.has(word)) return isUnnamed ? WEIGHTS.everyday : 0;
    return /\d/.test(word) ? WEIGHTS.digits : WEIGHTS.letters;
  };
  // A model without digits is found by no other way; a title in its place is no name.
  const models = isUnnamed ? [] : equipment.map(toWordKey).filter((model) => model.length > 1 && !/\d/.test(model));
  const weights = words.map(toWordKey).map((word) => [word, weigh(word)] as const);
  const modelWeights = models.map((model) => [model, WEIGHTS.digits] as const);
  return new Map([...weights.filter(([, weight]) => weight > 0), ...modelWeights]);
}

function toWordKey(word: string): string {
  return fold(word).replace(/[^\p{L}\p{N}]/gu, "");
}
