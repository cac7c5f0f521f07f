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

/** The texts that were searched for most. */
export function topSearches(hours: readonly SearchHour[], limit: number) {
  return ranked(hours, "searches").slice(0, limit);
}

/** The texts that found nothing most often. */
export function topZeroHits(hours: readonly SearchHour[], limit: number) {
  return ranked(hours, "zeroHits").filter(({ zeroHits }) => zeroHits > 0).slice(0, limit);
}

function ranked(hours: readonly SearchHour[], by: keyof SearchCount) {
  const texts = new Map<string, SearchCount>();
  for (const hour of hours) for (const { text, searches, zeroHits } of hour.texts) texts.set(text, added(texts.get(text) ?? NONE, { searches, zeroHits }));
  return [...texts]
    .map(([query, count]) => ({ query, ...count }))
    .sort((one, other) => other[by] - one[by] || other.searches - one.searches || (one.query < other.query ? -1 : 1));
}
