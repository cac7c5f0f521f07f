import { added, type SearchCount, type SearchHour } from "../projections/searches.ts";

const NONE: SearchCount = { searches: 0, zeroHits: 0 };

export function searchSlot(hours: readonly SearchHour[]): SearchCount {
  return hours.reduce((sum, { all }) => added(sum, all), NONE);
}

/** What the lists of texts do not have, and the figures beside them have. */
export function searchFigures(hours: readonly SearchHour[]) {
  return {
    ...searchSlot(hours),
    withoutText: hours.reduce((sum, { withoutText }) => added(sum, withoutText), NONE),
    others: hours.reduce((sum, { others }) => added(sum, others), NONE),
  };
}

export interface SearchedText extends SearchCount {
  query: string;
}

/** Each text once, in no order. */
export function searchedTexts(hours: readonly SearchHour[]): SearchedText[] {
  const texts = new Map<string, SearchedText>();
  for (const hour of hours) {
    for (const { text, searches, zeroHits } of hour.texts) {
      const known = texts.get(text);
      if (known) {
        known.searches += searches;
        known.zeroHits += zeroHits;
      } else texts.set(text, { query: text, searches, zeroHits });
    }
  }
  return [...texts.values()];
}

/** The texts that were searched for most. */
export function topSearches(texts: readonly SearchedText[], limit: number): SearchedText[] {
  return ranked(texts, "searches", limit);
}

/** The texts that found nothing most often. */
export function topZeroHits(texts: readonly SearchedText[], limit: number): SearchedText[] {
  return ranked(texts.filter(({ zeroHits }) => zeroHits > 0), "zeroHits", limit);
}

function ranked(texts: readonly SearchedText[], by: keyof SearchCount, limit: number): SearchedText[] {
  return texts.toSorted((one, other) => other[by] - one[by] || other.searches - one.searches || (one.query < other.query ? -1 : 1)).slice(0, limit);
}
