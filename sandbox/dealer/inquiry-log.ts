import { LastFacts } from "../server/last-facts.ts";

export interface InquiryFact {
  at: string;
  /** Null where no answer was given. */
  status: number | null;
  /** Parts that were asked about, and that were known. */
  asked: number;
  answered: number;
}

const KEPT = 200;

export type InquiryLog = ReturnType<typeof createInquiryLog>;

/** What was asked lately, the latest first: what a bad day looks like from this side. */
export function createInquiryLog() {
  const facts = new LastFacts<InquiryFact>(KEPT);
  return {
    add(fact: Omit<InquiryFact, "at">): void {
      facts.add({ at: new Date().toISOString(), ...fact });
    },
    facts: (): readonly InquiryFact[] => facts.all().reverse(),
  };
}
