import type { ManualOptions } from "./generate.ts";

/** The manuals that the sandbox has: what they are written from, by the names of their files. */
export interface SampleManual {
  seed: string;
  options: ManualOptions;
  about: string;
  /** The first start has it read; what is not is there to be uploaded by whoever tries that. */
  isRead: boolean;
}

export const SAMPLE_MANUALS = {
  "gt-2254.pdf": {
    about: "Briggs & Stratton garden tractors GT-2254 and GT-2260",
    isRead: true,
    seed: "sample 263",
    options: {
      vendor: "BNS",
      models: ["GT-2254", "GT-2260"],
      figures: 8,
      titles: ["Mower Deck", "Blade Spindle", "Belt Drive", "Carburetor", "Air Cleaner"],
      layouts: ["ruled-table", "exploded-view", "borderless-table", "two-column"],
    },
  },
  "ch-740s.pdf": {
    about: "Kohler engine CH-740S",
    isRead: true,
    seed: "sample 2",
    options: {
      vendor: "KOH",
      models: ["CH-740S"],
      figures: 6,
      titles: ["Carburetor", "Air Cleaner", "Lubrication", "Starter"],
      layouts: ["exploded-view", "ruled-table", "two-column", "rotated"],
    },
  },
  "third.pdf": {
    about: "Ventrac mower deck HM-722D",
    isRead: false,
    seed: "sample 3",
    options: {
      vendor: "VNT",
      models: ["HM-722D"],
      figures: 3,
      titles: ["Mower Deck", "Blade Spindle", "Gearbox"],
      layouts: ["ruled-table", "exploded-view"],
    },
  },
} as const satisfies Record<string, SampleManual>;

export type SampleName = keyof typeof SAMPLE_MANUALS;

export const SAMPLE_NAMES = Object.keys(SAMPLE_MANUALS) as SampleName[];
