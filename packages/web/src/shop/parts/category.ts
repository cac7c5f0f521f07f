import type { Texts } from "../texts/en.ts";

/** Parts without a category are of one that is called `parts`. */
export const nameCategory = (category: string, { otherParts }: Texts, label = category): string =>
  /^parts$/i.test(category) ? otherParts : label;
