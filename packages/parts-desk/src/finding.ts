import type { Item } from "@partline/parts-language/words";
import type { FoundPart } from "./port.ts";
import type { Quote } from "./quotes.ts";

/** A number that was asked for and that nobody knows. */
export interface UnknownNumber {
  /** Which of those that were asked for it is, from 1. */
  place: number;
  near: FoundPart[];
}

/** What was found for one item, on one equipment if it names several. */
export interface Finding {
  item: Item;
  /** The best first. */
  parts: FoundPart[];
  /** How many parts there are, of which these are the first; at least so many of the catalog's. */
  total: number;
  isAtLeast: boolean;
  /** How many there are, none of which has the price or the stock that was asked for. */
  unmet?: number;
  /** They are drawn beside the parts of the finding before. */
  isBeside?: true;
  /** Figures, or kinds of parts, to choose from, where a machine alone was named. */
  choices?: string[];
  /** What the parts were replaced by, in the order of the parts. */
  successors: FoundPart[];
  isReplacementUnknown: boolean;
  quotes: Quote[];
  /** What was asked for and no text says: `torque`. */
  untold?: string;
  /** Some line says it of something that is called like it. */
  mayBeTold?: true;
  /** What is called a little like it, if nothing is relevant. */
  nearest: FoundPart[];
  /** Equipment that has such a part, if the one that was asked for has none. */
  elsewhere: string[];
  unknownNumbers: UnknownNumber[];
  /** Terms in front of its noun that nothing known is called by. */
  ignored: string[];
  /** Each of its words is one that parts are called by: what is not found is denied. */
  isUnderstood: boolean;
  /** It is one of several parts or machines that were asked for. */
  isOneOfSeveral: boolean;
}

export function isFound({ parts, quotes }: Finding): boolean {
  return parts.length + quotes.length > 0;
}
