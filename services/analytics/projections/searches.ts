import { fold } from "../../../mixins/fold.ts";
import { withoutPersonalData } from "../../../mixins/personal-data.ts";
import type { StoredEvent } from "../../contracts.ts";
import { hourOf } from "../hours.ts";
import { LONGEST_TEXT, MOST_TEXTS_AN_HOUR } from "../limits.ts";
import { Table, type LoadRows, type Projection, type RowWrite } from "./projection.ts";

export interface SearchCount {
  searches: number;
  zeroHits: number;
}

export interface SearchHour {
  all: SearchCount;
  /** Searches by filters alone. */
  withoutText: SearchCount;
  /** Searches beyond the texts that are kept. */
  others: SearchCount;
  texts: TextCount[];
}

export type TextCount = SearchCount & { text: string };

export const NONE: SearchCount = { searches: 0, zeroHits: 0 };

export const SEARCH_HOURS = new Table<SearchHour>("searches");

export const searchesProjection: Projection = { name: "searches", project };

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const searches = events.filter(
    (event) => event.event_type === "SEARCH_PERFORMED" && event.aggregate_type === "search",
  );
  const byHour = Map.groupBy(searches, ({ timestamp }) => hourOf(timestamp));
  const hours = await SEARCH_HOURS.load(byHour.keys(), load);
  for (const [hour, some] of byHour) hours.set(hour, hourAfter(hours.get(hour), some.map(countOf)));
  return hours.writes();
}

/** Lower case, no accents, single spaces, no control characters, and only the beginning. */
export function normalText(query: string): string {
  return fold(query)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_TEXT)
    .trim()
    .toWellFormed();
}

function countOf({ data: { query, results_count } }: StoredEvent & { event_type: "SEARCH_PERFORMED" }): TextCount {
  // Events that were recorded before the rule may have what is struck out of searches today.
  return {
    text: normalText(withoutPersonalData(query, () => results_count > 0)),
    searches: 1,
    zeroHits: results_count === 0 ? 1 : 0,
  };
}

/** The hour after more searches; the first texts are kept. */
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
