/** The manuals in samples/manuals. */
export const SAMPLE_MANUALS = {
  "gt-2254.pdf": { about: "Briggs & Stratton garden tractors GT-2254 and GT-2260", isRead: true },
  "ch-740s.pdf": { about: "Kohler engine CH-740S", isRead: true },
  "third.pdf": { about: "Ventrac mower deck HM-722D", isRead: false },
} as const satisfies Record<
  string,
  {
    about: string;
    /** The first start has it read; the others are there for a newcomer to upload. */
    isRead: boolean;
  }
>;

export type SampleName = keyof typeof SAMPLE_MANUALS;

export const SAMPLE_NAMES = Object.keys(SAMPLE_MANUALS) as SampleName[];
