import { fold } from "../../../../mixins/fold.ts";
import { singular } from "../../../../mixins/search-index/text.ts";
import { partTerms } from "./part-terms.ts";

/** Words for a machine as a whole: beside its name they name no part. Folded and singular, as terms are. */
export const MACHINES: ReadonlySet<string> = new Set(
  "mower lawnmower lawn rider tractor engine motor machine unit equipment sprayer baler cutter loader".split(" "),
);

/** Something that is named as models are and is none of a manual's. It may be a part's number. */
export interface Stranger {
  name: string;
  /** Words of the clause that it is made of, the last one excluded. */
  from: number;
  to: number;
}

/** A stranger that is spoken of as equipment. */
export interface StrangeMachine {
  name: string;
  /** It is no number for whoever wrote it; otherwise it may be one that nobody knows, which is then said, too. */
  isCertain: boolean;
}

const ARTICLE = /^(?:the|an?|my|our|your|his|her|their)$/i;
/** `For the Flywheel` is rather of a part. */
const SOMEBODYS = /^(?:an?|my|our|his|her|their)$/i;
const FIT = /^(?:fit|fits|fitted|fitting)$/i;
const ON = /^(?:fit|fits|fitted|fitting|on|onto|in|into|for)$/i;
const WITH = /^(?:with|to)$/i;
/** Behind these `for the AB1234` tells what is asked for, and nothing that it is for. */
const NOT_FOR =
  /^(?:price|prices|pricing|cost|costs|stock|quantity|number|numbers|availability|replacement|substitute|successor|equivalent|alternative|available|look|looking|search|searching|ask|asking|order)$/i;
const SWAPS = /\b(?:replac\w*|supersed\w*|same|cross\w*|interchang\w*|instead|swap\w*|equivalent)\b/i;
const ASKS_OF = /^(?:do|does|did|will|would|can|could|should)$/i;
const NEEDS = /^(?:need|needs|take|takes|use|uses|require|requires)$/i;
const HAS = /^(?:have|has|get|gets|hold|holds|come|comes)$/i;
const JOINS = /^(?:and|or)$/i;

/** `LX-500`, `TS354XD`, `YTH24V48`; a thread is none. */
const MODEL = /^(?:(?!M\d)[A-Z]{1,4}-?\d{2,5}[A-Z]{0,2}|[A-Z]{2,4}\d{2}[A-Z]{1,2}\d{2,3}[A-Z]{0,2})$/i;

/**
 * Letters and digits together, as models are named, and behind `fit my`, `for the` and the like also `Rider 500`.
 * @param taken words that known equipment is named with
 */
export function strangersIn(words: readonly string[], taken: ReadonlySet<number>): Stranger[] {
  return words.flatMap((word, at): Stranger[] => {
    if (taken.has(at)) return [];
    const before = words[at - 1];
    if (MODEL.test(word)) return [{ name: word, from: at, to: at + 1 }];
    if (before === undefined || taken.has(at - 1)) return [];
    const isSplit = /^[A-Z]{2,4}$/.test(before) && /^\d{3,5}[A-Z]?$/.test(word);
    const isMade =
      /^\d{3,5}[A-Z]{0,2}$/.test(word) &&
      isMaker(before) &&
      ARTICLE.test(words[at - 2] ?? "") &&
      ON.test(words[at - 3] ?? "");
    return isSplit || isMade ? [{ name: `${before} ${word}`, from: at - 1, to: at + 1 }] : [];
  });
}

/**
 * Those of the strangers that stand in a clause where equipment does: `fits the LX-500`, `my LX-500 takes`, `a Toro
 * LX-500`. @param terms what of the clause names parts
 */
export function machinesAmong(
  strangers: readonly Stranger[],
  {
    words,
    taken,
    terms,
    clause,
  }: { words: readonly string[]; taken: ReadonlySet<number>; terms: readonly string[]; clause: string },
): StrangeMachine[] {
  return strangers.flatMap(({ name, from, to }): StrangeMachine[] => {
    let at = from - 1;
    let isMade = /\s/.test(name) && isMaker(name.split(" ")[0]!);
    while (at >= 0 && !taken.has(at) && isMaker(words[at]!)) {
      isMade = true;
      at -= 1;
    }
    if (isMachine(words[to]) && (words[to + 1] === undefined || partTerms(words[to + 1]!).length === 0)) isMade = true;
    const isNamed = ARTICLE.test(words[at] ?? "");
    const first = isNamed ? at - 1 : at;
    const before = words[first] ?? "";
    const farther = words[first - 1] ?? "";
    const isCertain = isNamed || isMade;
    const isOn = ON.test(before) && !NOT_FOR.test(farther) && (isCertain || FIT.test(before));
    const isOf = /^of$/i.test(before) && isCertain && terms.includes(singular(fold(farther)));
    if (isOn || isOf) return [{ name, isCertain }];
    const then = words[to] ?? "";
    if (ASKS_OF.test(before) && (NEEDS.test(then) || (isCertain && HAS.test(then)))) return [{ name, isCertain }];
    if (isCertain && NEEDS.test(then)) return [{ name, isCertain }];
    if (
      WITH.test(before) &&
      isCertain &&
      /\b(?:fit\w*|work\w*|go|goes|suit\w*|compatible|right|ok|okay)\b/i.test(clause) &&
      !SWAPS.test(clause)
    )
      return [{ name, isCertain: isMade || /^(?:my|our)$/i.test(words[at]!) }];
    const isJoined =
      (JOINS.test(before) && taken.has(first - 1)) ||
      (JOINS.test(then) && (taken.has(to + 1) || (ARTICLE.test(words[to + 1] ?? "") && taken.has(to + 2))));
    return isJoined && !SWAPS.test(clause)
      ? [{ name, isCertain: false }]
      : isMade && isMachine(words[to])
        ? [{ name, isCertain: true }]
        : [];
  });
}

/**
 * Places of words that may be the name of a machine's maker, and of no part: `for a Husqvarna and a ...`, `my Husqvarna
 * YTH24V48`.
 */
export function makersOf(
  words: readonly string[],
  { strangers, breaks }: { strangers: readonly Stranger[]; breaks: ReadonlySet<number> },
): number[] {
  return words.flatMap((word, at) => {
    if (!isMaker(word) || MACHINES.has(fold(word)) || !ARTICLE.test(words[at - 1] ?? "")) return [];
    const isOfStranger = strangers.some(({ from }) => from === at + 1);
    const isLast = words[at + 1] === undefined || breaks.has(at + 1) || JOINS.test(words[at + 1]!);
    return isOfStranger || (isLast && SOMEBODYS.test(words[at - 1]!) && ON.test(words[at - 2] ?? "")) ? [at] : [];
  });
}

function isMachine(word: string | undefined): boolean {
  return word !== undefined && (MACHINES.has(singular(fold(word))) || /^manuals?$/i.test(word));
}

/** A word for a machine, or one that is written as a maker's name is. */
function isMaker(word: string): boolean {
  return MACHINES.has(fold(word)) || (/^\p{Lu}\p{Ll}{2,}$/u.test(word) && partTerms(word).length > 0);
}
