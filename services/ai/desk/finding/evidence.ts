import type { FoundPart, Offer } from "../facts.ts";
import { UNKNOWN_OFFER } from "../facts.ts";
import { keyOf } from "./finding.ts";
import type { Finding } from "./retrieval.ts";
import type { Searched } from "../sources/time-limit.ts";
import type { Question } from "../understanding/understanding.ts";

/** Everything that an answer may be made of. */
export interface Evidence {
  question: Question;
  findings: readonly Finding[];
  /** Parts of the answer, the best of each question first; successors behind what they replace. */
  parts: readonly FoundPart[];
  offerOf(part: FoundPart): Offer;
  /** What could not be searched, so that the answer is made without it. */
  failed: ReadonlySet<Searched>;
}

/**
 * Parts that an answer has: as many as numbers are looked up for one question, with what some of them were replaced by.
 */
const MOST_ANSWERED = 24;

/** The parts of all findings in turns, so that a second question's best part is not behind all of the first's. */
export function partsOf(findings: readonly Finding[]): FoundPart[] {
  const queues = findings.filter(({ ask }, at) => !(ask.isAboutTheSame && at > 0)).map(withSuccessors);
  const parts = new Map<string, FoundPart>();
  for (let rank = 0; rank < Math.max(0, ...queues.map(({ length }) => length)); rank += 1) {
    for (const queue of queues) {
      const part = queue[rank];
      if (part && !parts.has(keyOf(part))) parts.set(keyOf(part), part);
    }
  }
  return [...parts.values()].slice(0, MOST_ANSWERED);
}

function withSuccessors({ parts, successors }: Finding): FoundPart[] {
  return [...parts.slice(0, 1), ...successors, ...parts.slice(1)];
}

export function evidenceOf(
  question: Question,
  findings: readonly Finding[],
  offers: ReadonlyMap<string, Offer>,
  failed: ReadonlySet<Searched>,
): Evidence {
  return {
    question,
    findings,
    parts: partsOf(findings),
    offerOf: (part) => offers.get(keyOf(part)) ?? UNKNOWN_OFFER,
    failed,
  };
}

/** Equipment that a part of the answer was asked for. */
export function askedFor(part: FoundPart, { findings }: Pick<Evidence, "findings">): string[] {
  const own = findings.filter(({ parts, successors }) =>
    [...parts, ...successors].some((each) => keyOf(each) === keyOf(part)),
  );
  return [...new Set(own.flatMap(({ ask }) => ask.models.map(({ equipment }) => equipment)))];
}
