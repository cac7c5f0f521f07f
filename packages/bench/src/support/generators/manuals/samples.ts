import type { ManualOptions } from "./generate.ts";

/** The sources of the manuals in packages/sandbox/samples/manuals, by their file names. */
export const SAMPLES = {
  "gt-2254.pdf": {
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
    seed: "sample 3",
    options: {
      vendor: "VNT",
      models: ["HM-722D"],
      figures: 3,
      titles: ["Mower Deck", "Blade Spindle", "Gearbox"],
      layouts: ["ruled-table", "exploded-view"],
    },
  },
} as const satisfies Record<string, { seed: string; options: ManualOptions }>;
