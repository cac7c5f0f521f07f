import { getAt, memoizeRecent } from "@partline/toolkit";
import type { Order } from "../order.ts";
import { type Intent, INTENTS, MOST_REMEMBERED, SAYS, type Symptom } from "../words/vocabulary.ts";
import { MACHINE_MARKS, type Piece, readPiece, type UnknownName } from "./piece.ts";
import type { Constraints } from "./wishes.ts";

/** One thing that a question asks for. */
export interface Item extends Piece {
  wanted: Intent;
  models: string[];
  /** The whole question in its own language, if that is not English: manuals may be in it. */
  typed?: string;
  /** Parts that a symptom often comes from. */
  symptom?: Symptom;
  /** What does something to the thing that is named is asked for, and not the thing. */
  role?: Symptom;
  /** `The cheapest air filter`: it is compared by itself. */
  isPicked?: boolean;
  /** What comes first of several; what they must be. Those of the whole question. */
  order?: Order;
  constraints?: Constraints;
  /** The machine is that of the conversation, not of the question. */
  isOfSession?: boolean;
  /** It is a statement beside the question, which may name no part. */
  isTold?: boolean;
  /** Of the machine, where nothing else says which it is: terms. */
  maker?: string[];
}

/**
 * Creates an item that asks for something and names nothing.
 * @param maskedText the text with a mark for each machine
 */
export function createBareItem(text: string, maskedText = text): Item {
  const { count } = readPiece(maskedText, []);
  const unnamed = maskedText.replace(MACHINE_MARKS, " ");
  const bare = { ...readPiece("", []), text: unnamed, wanted: findIntent(text) ?? "part", models: [] };
  return { ...bare, ...(count && { count }) };
}

export const findIntent = memoizeRecent(MOST_REMEMBERED, (text): Intent | undefined =>
  SAYS["how many here"].test(text) ? "offer" : INTENTS.find(({ asked: pattern }) => pattern.test(text))?.wanted,
);

/** Intents by how much of a part they ask for, the least first: each includes the one before it. */
const INTENT_ORDER: readonly Intent[] = ["part", "offer", "page", "quantity"];

/** Picks the intent that includes the other one, else the next one. */
export function pickIntent(current: Intent, next: Intent): Intent {
  if (!INTENT_ORDER.includes(current) || !INTENT_ORDER.includes(next)) return next;
  return getAt(INTENT_ORDER, Math.max(INTENT_ORDER.indexOf(current), INTENT_ORDER.indexOf(next)));
}

/** Returns whether a text asks for something. */
export const isRequest = memoizeRecent(
  MOST_REMEMBERED,
  (text): boolean => SAYS.wishes.test(text) || findIntent(text) !== undefined,
);

/** Returns whether a text says what somebody has, or what happened, and asks nothing. */
export function isStatement(text: string): boolean {
  return SAYS.tells.test(text) && !isRequest(text);
}

/** Returns whether a name is rather an equipment's than the number of a part. */
export function isUnknownMachine({ isMachine, near }: UnknownName): boolean {
  return isMachine || near.length > 0;
}

export function deduplicate(names: readonly string[]): string[] {
  return [...new Set(names)];
}
