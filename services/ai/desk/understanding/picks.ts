import { partTerms } from "./part-terms.ts";
import type { Ask, Wanted } from "./understanding.ts";

/** Which of several parts is asked for, by what the store says of them. */
export interface PickAsked {
  by: "cheapest" | "in stock";
  /**
   * All that is compared with each other has the same; without one what a question finds is compared by itself: `the
   * cheapest air filter`.
   */
  among?: number;
}

const CHEAPEST =
  /\bcheap(?:er|est)\b|\b(?:least|less) expensive\b|\blowest[- ]pric\w*|\bcosts? (?:the )?(?:least|less)\b/i;
const IN_STOCK = /\b(?:which|what)\b(?: [\w'-]+){0,6} (?:in stock|available|on hand)\b/i;

/**
 * What a clause asks for, and whether it says so of the thing that it names next, as one does of `a cheaper
 * carburetor`.
 */
export function pickAsked(clause: string): { pick?: PickAsked } {
  const cheapest = CHEAPEST.exec(clause);
  if (!cheapest) return IN_STOCK.test(clause) ? { pick: { by: "in stock", among: 0 } } : {};
  const behind = /^ ([\p{L}-]+)(?=\s|$)/u.exec(clause.slice(cheapest.index + cheapest[0].length))?.[1];
  const isOfNext =
    behind !== undefined &&
    partTerms(behind).length > 0 &&
    !/\b(?:is|are|be)\s+$/i.test(clause.slice(0, cheapest.index));
  return { pick: isOfNext ? { by: "cheapest" } : { by: "cheapest", among: 0 } };
}

/** What asks something by itself. */
const ASKS =
  /\b(?:what|which|how|where|who|when|is|are|do|does|did|can|could|will|would|need|want|looking|tell|give|show)\b/i;
const COMPARED: readonly Wanted[] = ["part", "offer"];

/**
 * The asks, where what is compared may be named before and behind the one that says so: `Which is the cheapest: the
 * deck belt, or the carburetor?`.
 */
export function withCompared(asks: readonly Ask[]): Ask[] {
  const all = [...asks];
  for (const [at, { pick, isAboutTheSame }] of asks.entries()) {
    if (pick?.among === undefined) continue;
    const isNamed = (ask: Ask | undefined): boolean =>
      ask !== undefined && ask.pick === undefined && ask.wanted === "part" && !ASKS.test(ask.text);
    const isSpokenOf = (ask: Ask | undefined): boolean =>
      ask !== undefined && (ask.pick === undefined || ask.pick.among === 0) && COMPARED.includes(ask.wanted);
    let from = at;
    while (isAboutTheSame ? isSpokenOf(asks[from - 1]) : isNamed(asks[from - 1])) from -= 1;
    if (isAboutTheSame && from === at && at > 0) from -= 1;
    let to = at + 1;
    while (isNamed(asks[to])) to += 1;
    for (let place = from; place < to; place += 1) all[place] = picking(all[place]!, { ...pick, among: at });
  }
  return all;
}

function picking(ask: Ask, pick: PickAsked): Ask {
  return { ...ask, pick, pieces: ask.pieces.map((piece) => ({ ...piece, pick })) };
}
