export interface InquiryFact {
  at: string;
  /** Null where no answer was given. */
  status: number | null;
  /** Parts that were asked about, and that were known. */
  asked: number;
  answered: number;
}

/** Inquiries that are remembered. */
const KEPT = 200;

export type InquiryLog = ReturnType<typeof createInquiryLog>;

/** What was asked lately, the latest first: what a bad day looks like from this side. */
export function createInquiryLog() {
  const facts: InquiryFact[] = [];
  return {
    add(fact: Omit<InquiryFact, "at">): void {
      facts.unshift({ at: new Date().toISOString(), ...fact });
      if (facts.length > KEPT) facts.pop();
    },
    facts: (): readonly InquiryFact[] => facts,
  };
}
