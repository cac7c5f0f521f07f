import { fold } from "@partline/parts-language";
import { withoutPersonalData } from "../../mixins/shop/personal-data.ts";
import type { StoredEvent } from "../contracts.ts";
import { LONGEST_TEXT, MOST_TEXTS_A_PERIOD, MOST_TEXTS_AN_HOUR } from "./resources.ts";
import { slotsOf, type CountedPeriod, type Interval } from "./period.ts";
import { hourOf } from "./hours.ts";
import { tableOf, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

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

export const SEARCH_HOURS = tableOf<SearchHour>("searches");

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

function added(one: SearchCount, other: SearchCount): SearchCount {
  return { searches: one.searches + other.searches, zeroHits: one.zeroHits + other.zeroHits };
}

type SearchedText = SearchCount & { query: string };

export function searchSums(interval?: Interval) {
  const slots = slotsOf(interval, NONE, added);
  let [allWithoutText, allOthers] = [NONE, NONE];
  const byText = new Map<string, SearchedText>();

  /** Moves half of the texts, the rarest and oldest, to `others`. */
  const forgetRare = (): void => {
    for (let rare = 1; byText.size > MOST_TEXTS_A_PERIOD / 2; rare *= 2) {
      for (const [text, count] of byText) {
        if (byText.size <= MOST_TEXTS_A_PERIOD / 2) break;
        if (count.searches > rare) continue;
        allOthers = added(allOthers, count);
        byText.delete(text);
      }
    }
  };

  return {
    add(hour: string, { all, withoutText, others, texts }: SearchHour): void {
      slots.add(hour, all);
      allWithoutText = added(allWithoutText, withoutText);
      allOthers = added(allOthers, others);
      for (const { text, searches, zeroHits } of texts) {
        const known = byText.get(text);
        if (known) {
          known.searches += searches;
          known.zeroHits += zeroHits;
        } else byText.set(text, { query: text, searches, zeroHits });
      }
      if (byText.size > MOST_TEXTS_A_PERIOD) forgetRare();
    },
    figures: () => ({ ...slots.total(), withoutText: allWithoutText, others: allOthers }),
    series: (period: CountedPeriod) => slots.series(period, (count) => count),
    top: (by: keyof SearchCount, limit: number) => ranked(byText.values(), by, limit),
  };
}

/** Sorts only the first ones: there may be 100,000. */
function ranked(texts: Iterable<SearchedText>, by: keyof SearchCount, limit: number): SearchedText[] {
  const compare = (one: SearchedText, other: SearchedText): number =>
    other[by] - one[by] || other.searches - one.searches || (one.query < other.query ? -1 : 1);
  const best: SearchedText[] = [];
  for (const text of texts) {
    if (text[by] === 0 || (best.length === limit && compare(text, best.at(-1)!) > 0)) continue;
    const at = best.findIndex((other) => compare(text, other) < 0);
    best.splice(at === -1 ? best.length : at, 0, text);
    if (best.length > limit) best.pop();
  }
  return best;
}
