import { fold } from "@partline/parts-language";
import { getAt } from "@partline/toolkit";
import { withoutPersonalData } from "@partline/parts-language";
import type { StoredEvent } from "../contracts.ts";
import { LONGEST_TEXT, MOST_TEXTS_A_PERIOD, MOST_TEXTS_AN_HOUR } from "./resources.ts";
import { createSlots, type CountedPeriod, type Interval } from "./period.ts";
import { toHour } from "./hours.ts";
import { defineTable, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

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

const NONE: SearchCount = { searches: 0, zeroHits: 0 };

export const SEARCH_HOURS = defineTable<SearchHour>("searches");

export const searchesProjection: Projection = { name: "searches", project };

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const searches = events.filter(
    (event) => event.event_type === "SEARCH_PERFORMED" && event.aggregate_type === "search",
  );
  const searchesByHour = Map.groupBy(searches, ({ timestamp }) => toHour(timestamp));
  const hours = await SEARCH_HOURS.load(searchesByHour.keys(), load);
  for (const [hour, hourSearches] of searchesByHour)
    hours.set(hour, applyCounts(hours.get(hour), hourSearches.map(toTextCount)));
  return hours.listWrites();
}

/** Normalizes a query to lower case, no accents, single spaces, no control characters, and only the beginning. */
export function normalizeText(query: string): string {
  return fold(query)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_TEXT)
    .trim()
    .toWellFormed();
}

function toTextCount({ data: { query, results_count } }: StoredEvent & { event_type: "SEARCH_PERFORMED" }): TextCount {
  // Events that were recorded before the rule may have what is struck out of searches today.
  return {
    text: normalizeText(withoutPersonalData(query, () => results_count > 0)),
    searches: 1,
    zeroHits: results_count === 0 ? 1 : 0,
  };
}

/** Adds searches to an hour; the first texts are kept. */
export function applyCounts(hour: SearchHour | undefined, counts: readonly TextCount[]): SearchHour {
  const texts = new Map(hour?.texts.map((text) => [text.text, text]));
  let { all: total, withoutText, others } = hour ?? { all: NONE, withoutText: NONE, others: NONE };
  for (const count of counts) {
    total = addCounts(total, count);
    const current = texts.get(count.text);
    if (count.text === "") withoutText = addCounts(withoutText, count);
    else if (current || texts.size < MOST_TEXTS_AN_HOUR)
      texts.set(count.text, { text: count.text, ...addCounts(current ?? NONE, count) });
    else others = addCounts(others, count);
  }
  return { all: total, withoutText, others, texts: [...texts.values()] };
}

function addCounts(a: SearchCount, b: SearchCount): SearchCount {
  return { searches: a.searches + b.searches, zeroHits: a.zeroHits + b.zeroHits };
}

type SearchedText = SearchCount & { query: string };

export function sumSearchHours(interval?: Interval) {
  const slots = createSlots(interval, NONE, addCounts);
  let [allWithoutText, allOthers] = [NONE, NONE];
  const countsByText = new Map<string, SearchedText>();

  /** Moves half of the texts, the rarest and oldest, to `rest`. */
  const forgetRare = (): void => {
    for (let rare = 1; countsByText.size > MOST_TEXTS_A_PERIOD / 2; rare *= 2) {
      for (const [text, count] of countsByText) {
        if (countsByText.size <= MOST_TEXTS_A_PERIOD / 2) break;
        if (count.searches > rare) continue;
        allOthers = addCounts(allOthers, count);
        countsByText.delete(text);
      }
    }
  };

  return {
    add(hour: string, { all: total, withoutText, others: rest, texts }: SearchHour): void {
      slots.add(hour, total);
      allWithoutText = addCounts(allWithoutText, withoutText);
      allOthers = addCounts(allOthers, rest);
      for (const { text, searches, zeroHits } of texts) {
        const current = countsByText.get(text);
        if (current) {
          current.searches += searches;
          current.zeroHits += zeroHits;
        } else countsByText.set(text, { query: text, searches, zeroHits });
      }
      if (countsByText.size > MOST_TEXTS_A_PERIOD) forgetRare();
    },
    getFigures: () => ({ ...slots.getTotal(), withoutText: allWithoutText, others: allOthers }),
    listSeries: (period: CountedPeriod) => slots.listSeries(period, (count) => count),
    listTop: (order: keyof SearchCount, limit: number) => rankTexts(countsByText.values(), order, limit),
  };
}

/** Ranks texts, sorting only the first ones: there may be 100,000. */
function rankTexts(texts: Iterable<SearchedText>, order: keyof SearchCount, limit: number): SearchedText[] {
  const compare = (a: SearchedText, b: SearchedText): number =>
    b[order] - a[order] || b.searches - a.searches || (a.query < b.query ? -1 : 1);
  const best: SearchedText[] = [];
  for (const text of texts) {
    if (text[order] === 0 || (best.length === limit && compare(text, getAt(best, -1)) > 0)) continue;
    const position = best.findIndex((candidate) => compare(text, candidate) < 0);
    best.splice(position === -1 ? best.length : position, 0, text);
    if (best.length > limit) best.pop();
  }
  return best;
}
