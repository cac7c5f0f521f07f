import { fold } from "../../../mixins/fold.ts";
import { withoutPersonalData } from "../../../mixins/personal-data.ts";
import { hourOf } from "../hours.ts";
import { LONGEST_TEXT, MOST_TEXTS_AN_HOUR } from "../limits.ts";
import { isWhole } from "./order-facts.ts";
import { Table, type Projecting, type Projection, type RowWrite, type StoredEvent } from "./projection.ts";

export interface SearchCount {
  searches: number;
  /** Those of them that found nothing. */
  zeroHits: number;
}

export interface SearchHour {
  /** Of all searches of the hour. */
  all: SearchCount;
  /** Searches without a text (by filters alone). */
  withoutText: SearchCount;
  /** Searches whose text came when the hour had as many others as are kept. */
  others: SearchCount;
  /** In the order in which they were first searched for. */
  texts: TextCount[];
}

export type TextCount = SearchCount & { text: string };

const NONE: SearchCount = { searches: 0, zeroHits: 0 };

export const SEARCH_HOURS = new Table<SearchHour>("searches");

export const searchesProjection: Projection = { name: "searches", project };

function* project(events: readonly StoredEvent[]): Projecting<RowWrite[]> {
  const byHour = new Map<string, TextCount[]>();
  for (const event of events) {
    const count = countOf(event);
    if (!count) continue;
    const hour = hourOf(event.timestamp);
    const counts = byHour.get(hour);
    if (counts) counts.push(count);
    else byHour.set(hour, [count]);
  }
  const hours = yield* SEARCH_HOURS.load(byHour.keys());
  for (const [hour, counts] of byHour) hours.set(hour, hourAfter(hours.get(hour), counts));
  return hours.writes();
}

/**
 * The same text however it is typed: lower case, without accents, one space between words and for what cannot be seen;
 * its beginning, if it is long.
 */
export function normalText(query: string): string {
  return fold(query)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_TEXT)
    .trim()
    .toWellFormed();
}

function countOf({ aggregate_type, event_type, data: { query, results_count } }: StoredEvent): TextCount | undefined {
  if (
    aggregate_type !== "search" ||
    event_type !== "SEARCH_PERFORMED" ||
    typeof query !== "string" ||
    !isWhole(results_count)
  )
    return undefined;
  // Events of old may have what is struck out of a search today, and an event stays as it is.
  return {
    text: normalText(withoutPersonalData(query, { isPartNumber: results_count > 0 })),
    searches: 1,
    zeroHits: results_count === 0 ? 1 : 0,
  };
}

/** The hour after more searches; which texts it keeps is decided one search after another. */
export function hourAfter(hour: SearchHour | undefined, counts: readonly TextCount[]): SearchHour {
  const texts = new Map(hour?.texts.map((text) => [text.text, text]));
  let { all, withoutText, others } = hour ?? { all: NONE, withoutText: NONE, others: NONE };
  for (const count of counts) {
    all = added(all, count);
    const known = texts.get(count.text);
    if (count.text === "") withoutText = added(withoutText, count);
    else if (known || texts.size < MOST_TEXTS_AN_HOUR)
      texts.set(count.text, { text: count.text, ...added(known ?? NONE, count) });
    else others = added(others, count);
  }
  return { all, withoutText, others, texts: [...texts.values()] };
}

export function added(one: SearchCount, other: SearchCount): SearchCount {
  return { searches: one.searches + other.searches, zeroHits: one.zeroHits + other.zeroHits };
}
