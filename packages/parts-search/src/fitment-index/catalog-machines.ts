import { setImmediate } from "node:timers/promises";
import { getAt } from "@partline/toolkit";
import { fold } from "@partline/parts-language";
import type { CatalogMachine } from "../search-index/fits.ts";
import { computeForgivenEdits } from "../search-index/edit-distance.ts";
import { listSlips } from "../search-index/near-numbers.ts";
import { addTo } from "./lists.ts";

/** Mention of a catalog machine in a text. */
export interface MachineName {
  from: number;
  to: number;
  /** Name as the catalog writes it. */
  name: string;
  /** `named`: by what no other one has. `part`: by less than that, maybe one of several. `near`: a slip away. */
  how: "named" | "part" | "near";
}

/** Letters or a number of a text. */
interface Group {
  text: string;
  from: number;
  to: number;
  /** True if nothing, or a dash, separates it from the group before. */
  isGlued: boolean;
}

/** A number of a machine's name with the letters beside it: `CH` and `25`, `4500` and `Y`, `18` and `HP`. */
interface Designation {
  machine: Entry;
  prefix: string;
  digits: string;
  suffix: string;
}

interface Entry extends CatalogMachine {
  /** Words of the name that are its own: `vanguard`. */
  words: readonly string[];
  /** Words of the maker's name. */
  makerWords: readonly string[];
  /** All groups of the name, joined. */
  key: string;
  /** The same, each by itself. */
  groups: readonly string[];
}

/** How a text writes a designation. */
interface Spelling {
  /** With the letters in front of its number, behind it. */
  isBefore: boolean;
  isAfter: boolean;
  /** With more letters in front, which the name has, too. */
  isWhole: boolean;
  /** Its first letter by itself: a spoken `a f m forty two eleven`. */
  isSpelled: boolean;
}

interface Guess extends MachineName {
  score: number;
}

/** Words of names that many machines have. */
const USUAL = new Set(
  "hp v twin series model plus pro engine engines motor motors power products equipment the".split(" "),
);
/** Letters of a word that belongs to the number behind it, as `SCS` of `SCS 440`. */
const LONGEST_PREFIX = 3;
/** Groups in front of a number, and behind it, that may be of its machine. */
const [IN_FRONT, BEHIND] = [5, 3];
/** Words of a name without a number. */
const MOST_WORDS = 3;
/** Letters of what is run together with a machine's word. */
const SHORTEST_GLUED = 4;
const LONGEST_TEXT = 2_000;
const MOST_NUMBERS = 30;
/** Characters of a designation that is compared with others for slips, and machines that are given as near. */
const SHORTEST_NEAR = 4;
const LONGEST_NEAR = 20;
const MOST_NEAR = 3;
/** Machines that are learnt without a pause. */
const AT_ONCE = 200;

/** Counter of versions, so that no two lists have the same. */
let versions = 0;

/** Finds the machines that a catalog says its parts fit as people type them: `Vanguard 18 HP` is never `23 HP`. */
export class CatalogMachines {
  readonly #byDigits = new Map<string, Designation[]>();
  /** Machines without a number, by name. */
  readonly #byName = new Map<string, Entry[]>();
  /** Machines by the text that is compared with a slip. */
  readonly #byDesignation = new Map<string, string[]>();
  #version = 0;
  readonly #machines = new Map<string, CatalogMachine>();
  /** Words that are some machine's own. */
  readonly #words = new Set<string>();
  /** Words of each maker's name. */
  readonly #makerWords = new Map<string, readonly string[]>();

  constructor(machines: Iterable<CatalogMachine> = []) {
    for (const machine of machines) this.#learn(machine);
  }

  /** Returns these machines: itself with those that are new, unless some are gone. Pauses for others meanwhile. */
  async update(machines: readonly CatalogMachine[]): Promise<CatalogMachines> {
    const added = machines.filter(({ name }) => !this.#machines.has(name));
    if (machines.length - added.length < this.#machines.size) return new CatalogMachines().update(machines);
    for (const [index, machine] of added.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      this.#learn(machine);
    }
    return this;
  }

  /** Changes whenever the machines do. */
  get version(): number {
    return this.#version;
  }

  listAll(): Iterable<CatalogMachine> {
    return this.#machines.values();
  }

  /** @param name as the catalog writes it */
  get(name: string): CatalogMachine | undefined {
    return this.#machines.get(name);
  }

  findMentions(text: string): MachineName[] {
    const groups = splitGroups(text.slice(0, LONGEST_TEXT)).flatMap((_, index, typedGroups) =>
      this.#splitGlued(typedGroups, index),
    );
    const mentions: MachineName[] = [];
    let numbers = 0;
    for (const [index, { text: word, from }] of groups.entries()) {
      if (from < (mentions.at(-1)?.to ?? 0)) continue;
      if (/\d/.test(word)) mentions.push(...((numbers += 1) > MOST_NUMBERS ? [] : this.#findAt(groups, index)));
      else mentions.push(...this.#findByName(groups.slice(index, index + MOST_WORDS)));
    }
    return mentions.reduce<MachineName[]>(joinRepeated, []);
  }

  /** Returns the names of the machines that a text means: as the catalog writes it, else those that it names. */
  match(text: string): string[] {
    if (this.#machines.has(text)) return [text];
    return this.findMentions(text).flatMap(({ name, how }) => (how === "near" ? [] : [name]));
  }

  /**
   * Splits letters that are run together with a machine's: `sparkplug` and `quantum`, and behind a number `v` and
   * `filter`.
   */
  #splitGlued(groups: readonly Group[], index: number): Group[] {
    const group = getAt(groups, index);
    const { text, from, isGlued } = group;
    if (text.length < SHORTEST_GLUED || this.#words.has(text)) return [group];
    const [previousGroup, nextGroup] = [isGlued ? groups[index - 1] : undefined, groups[index + 1]];
    const isPrefix = (tail: string): boolean =>
      nextGroup?.isGlued === true && (this.#byDigits.get(nextGroup.text) ?? []).some(({ prefix }) => prefix === tail);
    const isSuffix = (head: string): boolean =>
      (this.#byDigits.get(previousGroup?.text ?? "") ?? []).some(({ suffix }) => suffix === head);
    const isOfMachine = (tail: string): boolean =>
      (tail.length > LONGEST_PREFIX && this.#words.has(tail)) || isPrefix(tail);
    const cuts = Array.from({ length: text.length }, (_, length) => length);
    const cut = cuts.find(
      (length) =>
        (length >= SHORTEST_GLUED && isOfMachine(text.slice(length))) ||
        (text.length - length >= SHORTEST_GLUED && isSuffix(text.slice(0, length))),
    );
    if (cut === undefined) return [group];
    const end = from + cut;
    return [
      { ...group, text: text.slice(0, cut), to: end },
      { ...group, text: text.slice(cut), from: end, isGlued: false },
    ];
  }

  #findByName(groups: readonly Group[]): MachineName[] {
    for (let { length } = groups; length > 0; length -= 1) {
      const words = groups.slice(0, length);
      const machines = this.#byName.get(words.map(({ text }) => text).join(""));
      if (machines)
        return machines.map(({ name }) => ({
          from: words[0]?.from ?? 0,
          to: words.at(-1)?.to ?? 0,
          name,
          how: "named",
        }));
    }
    return [];
  }

  #findAt(groups: readonly Group[], index: number): MachineName[] {
    const { text: digits = "" } = groups[index] ?? {};
    const guesses = (this.#byDigits.get(digits) ?? []).flatMap((designation) =>
      this.#compare(designation, groups, index),
    );
    const best = Math.max(...guesses.map(({ score }) => score));
    const chosen = guesses.filter(({ score }) => score === best);
    const mentions = chosen.length > 0 ? chosen : this.#findNear(groups, index);
    return [...new Map(mentions.map(({ from, to, name, how }) => [name, { from, to, name, how }])).values()];
  }

  #compare(designation: Designation, groups: readonly Group[], index: number): Guess[] {
    const { machine, prefix, suffix } = designation;
    const digits = groups[index];
    const spelling = digits && compareSpelling(designation, groups, index);
    if (!spelling) return [];
    const { isBefore, isAfter, isWhole } = spelling;
    // Another machine's own word stands right in front: `Intek 18 HP`.
    const word = groups[index - 1]?.text ?? prefix;
    if (word !== prefix && this.#isOfAnother(word, machine)) return [];
    const neighbours = groups.slice(Math.max(0, index - IN_FRONT), index + 1 + BEHIND);
    const words = neighbours.filter(({ text }) => machine.words.includes(text));
    const makerWords = neighbours.filter(({ text }) => machine.makerWords.includes(text));
    const isTold =
      (isBefore && prefix.length + digits.text.length > 2) || (isAfter && suffix !== "hp" && digits.text.length > 2);
    const isNamed = isTold && (isAfter || suffix === "" || suffix === "hp") ? true : words.length > 0 || isWhole;
    // `Kohler number 25 752 30`
    const isOfNumber = /^\d/.test(groups[index + 1]?.text ?? "") && groups[index - 1]?.text === "number";
    const isPart = isTold || (makerWords.length > 0 && !isOfNumber) || (isBefore && digits.text.length > 1);
    if (!isNamed && !isPart) return [];
    const [first, last] = spreadOverName(machine, groups, index, spelling);
    return [
      {
        from: groups[first]?.from ?? digits.from,
        to: groups[last]?.to ?? digits.to,
        name: machine.name,
        how: isNamed ? "named" : "part",
        score: (isNamed ? 100 : 0) + 10 * words.length + 5 * Number(isBefore) + 5 * Number(isAfter) + makerWords.length,
      },
    ];
  }

  #isOfAnother(word: string, { words, makerWords }: Entry): boolean {
    return this.#words.has(word) && !words.includes(word) && !makerWords.includes(word);
  }

  #findNear(groups: readonly Group[], index: number): MachineName[] {
    const [previous, digits, next] = [groups[index - 1], groups[index], groups[index + 1]];
    if (!digits) return [];
    const isJoined = (group: Group | undefined, isGlued: boolean | undefined): group is Group =>
      group !== undefined && isGlued === true && /^\p{L}/u.test(group.text);
    const [front, back] = [
      isJoined(previous, digits.isGlued) ? previous : undefined,
      isJoined(next, next?.isGlued) ? next : undefined,
    ];
    const key = (front?.text ?? "") + digits.text + (back?.text ?? "");
    if (key.length < SHORTEST_NEAR || key.length > LONGEST_NEAR || (!front && !back)) return [];
    const [from, to] = [front?.from ?? digits.from, back?.to ?? digits.to];
    // `FX85OV`: a letter that looks like a digit is one.
    const digitsKey = key.replace(/(?<=\d)o|o(?=\d)/g, "0").replace(/(?<=\d)[il]|[il](?=\d)/g, "1");
    const lookalikes = digitsKey === key ? [] : (this.#byDesignation.get(digitsKey.toUpperCase()) ?? []);
    if (lookalikes.length > 0) return lookalikes.map((name) => ({ from, to, name, how: "named" }));
    const near = listSlips(key.toUpperCase()).flatMap((slip) => this.#byDesignation.get(slip) ?? []);
    return near.slice(0, MOST_NEAR).map((name) => ({ from, to, name, how: "near" }));
  }

  #learn({ name, maker }: CatalogMachine): void {
    this.#machines.set(name, { name, maker });
    this.#version = versions += 1;
    const groups = splitGroups(name);
    const words = listWords(groups);
    const makerWords = this.#makerWords.get(maker) ?? listWords(splitGroups(maker));
    this.#makerWords.set(maker, makerWords);
    const texts = groups.map(({ text }) => text);
    const machine = { name, maker, words, makerWords, key: texts.join(""), groups: texts };
    for (const word of words) this.#words.add(word);
    const isNumbered = groups.some(({ text }) => /\d/.test(text));
    if (!isNumbered) addTo(this.#byName, machine.key, machine);
    for (const [index, { text: digits, isGlued }] of groups.entries()) {
      if (!/\d/.test(digits)) continue;
      const [previous, next] = [groups[index - 1], groups[index + 1]];
      const isPrefix = previous && (isGlued || (previous.text.length <= LONGEST_PREFIX && !USUAL.has(previous.text)));
      const prefix = isPrefix && /^\p{L}/u.test(previous.text) ? previous.text : "";
      const suffix =
        next && (next.isGlued || next.text === "hp" || next.text === "series") && /^\p{L}/u.test(next.text)
          ? next.text
          : "";
      const designation = { machine, prefix, digits, suffix };
      addTo(this.#byDigits, digits, designation);
      if (prefix + suffix !== "") addTo(this.#byDesignation, (prefix + digits + suffix).toUpperCase(), name);
    }
  }
}

/** Returns whether a name has a text at the beginning of one of its groups: the `M6` of a bolt is no Quantum 6. */
function hasGroups({ groups }: Entry, text: string): boolean {
  return groups.some((_, start) => groups.slice(start).join("").startsWith(text));
}

/** Compares a designation with the groups around a number; undefined if it is another one. */
function compareSpelling(
  { machine, prefix, suffix }: Designation,
  groups: readonly Group[],
  index: number,
): Spelling | undefined {
  const [previous, digits, next] = [groups[index - 1], getAt(groups, index), groups[index + 1]];
  const letters = previous && (digits.isGlued || prefix !== "") && /^\p{L}/u.test(previous.text) ? previous.text : "";
  const isSpelled = groups[index - 2]?.text === "a" && prefix === `a${letters}`;
  const typedPrefix = isSpelled ? prefix : letters;
  const isWhole = digits.isGlued && typedPrefix.length > prefix.length && hasGroups(machine, typedPrefix + digits.text);
  // `GXV160` is no GX160.
  if (digits.isGlued && typedPrefix !== prefix && !isWhole) return undefined;
  const isBefore = prefix !== "" && (typedPrefix === prefix || isWhole);
  const isAfter = suffix !== "" && next?.text === suffix;
  const isJoinedBehind = next?.isGlued === true && /^\p{L}/u.test(next.text) && next.text.length < SHORTEST_GLUED;
  if (isJoinedBehind && !isAfter && next.text !== "hp" && !machine.key.includes(digits.text + next.text))
    return undefined;
  if (next?.text === "hp" && suffix !== "hp" && !isBefore) return undefined;
  return { isBefore, isAfter, isWhole, isSpelled };
}

/** Finds from where to where a name stands together with its maker: a part may be named between them. */
function spreadOverName(
  machine: Entry,
  groups: readonly Group[],
  index: number,
  { isSpelled, isWhole, isAfter }: Spelling,
): [first: number, last: number] {
  const names = [...machine.groups, ...machine.makerWords];
  const isOfName = (group: Group | undefined): boolean => group !== undefined && names.includes(group.text);
  // In front of its number a name may be misspelt: `Brigs and Straton Intek 17.5 HP`.
  const isInFront = (group: Group | undefined): boolean =>
    isOfName(group) || names.some((name) => group && computeForgivenEdits(group.text, name) !== undefined);
  let [first, last] = [isSpelled ? index - 2 : isWhole ? index - 1 : index, isAfter ? index + 1 : index];
  while (isInFront(groups[first - 1]) || (groups[first - 1]?.text === "and" && isInFront(groups[first - 2])))
    first -= 1;
  while (isOfName(groups[last + 1])) last += 1;
  return [first, last];
}

/** Lists the words that a machine, or a maker, has for itself. */
function listWords(groups: readonly Group[]): string[] {
  const isOwn = (text: string): boolean => /^\p{L}/u.test(text) && text.length > LONGEST_PREFIX && !USUAL.has(text);
  return groups.flatMap(({ text }) => (isOwn(text) ? [text] : []));
}

/** `7000 Series KT735` is one mention. */
function joinRepeated(mentions: readonly MachineName[], mention: MachineName): MachineName[] {
  const last = mentions.at(-1);
  if (last?.name !== mention.name) return [...mentions, mention];
  return [...mentions.slice(0, -1), { ...last, to: mention.to }];
}

function splitGroups(text: string): Group[] {
  const folded = fold(text);
  // Folding keeps the places of a text, or they would point elsewhere.
  const source = folded.length === text.length ? folded : text.toLowerCase();
  const groups: Group[] = [];
  for (const { 0: group, index } of source.matchAll(/\d+(?:\.\d+)?|\p{L}+/gu)) {
    const between = source.slice(groups.at(-1)?.to ?? 0, index);
    groups.push({
      text: group,
      from: index,
      to: index + group.length,
      isGlued: groups.length > 0 && /^-?$/.test(between),
    });
  }
  return groups;
}
