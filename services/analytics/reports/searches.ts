import { added, NONE, type SearchCount, type SearchHour, type TextCount } from "../projections/searches.ts";
import { MOST_TEXTS_A_PERIOD } from "../limits.ts";
import type { CountedPeriod, Interval } from "./period.ts";
import { Slots, type Sum } from "./sums.ts";

type SearchedText = SearchCount & { query: string };

export class SearchSums implements Sum<SearchHour> {
  readonly #slots: Slots<SearchCount>;
  #withoutText = NONE;
  #others = NONE;
  readonly #texts = new Map<string, SearchedText>();

  constructor(interval: Interval) {
    this.#slots = new Slots(interval, NONE, added);
  }

  add(hour: string, { all, withoutText, others, texts }: SearchHour): void {
    this.#slots.add(hour, all);
    this.#withoutText = added(this.#withoutText, withoutText);
    this.#others = added(this.#others, others);
    for (const text of texts) this.#addText(text);
    if (this.#texts.size > MOST_TEXTS_A_PERIOD) this.#forgetRare();
  }

  figures() {
    return { ...this.#slots.total, withoutText: this.#withoutText, others: this.#others };
  }

  series(period: CountedPeriod): ({ start: Date } & SearchCount)[] {
    return this.#slots.series(period, (count) => count);
  }

  topSearches(limit: number): SearchedText[] {
    return ranked(this.#texts.values(), "searches", limit);
  }

  topZeroHits(limit: number): SearchedText[] {
    return ranked(this.#texts.values(), "zeroHits", limit);
  }

  #addText({ text, searches, zeroHits }: TextCount): void {
    const known = this.#texts.get(text);
    if (known) {
      known.searches += searches;
      known.zeroHits += zeroHits;
    } else this.#texts.set(text, { query: text, searches, zeroHits });
  }

  /** Moves half of the texts, the rarest and oldest, to `others`. */
  #forgetRare(): void {
    for (let rare = 1; this.#texts.size > MOST_TEXTS_A_PERIOD / 2; rare *= 2) {
      for (const [text, count] of this.#texts) {
        if (this.#texts.size <= MOST_TEXTS_A_PERIOD / 2) break;
        if (count.searches > rare) continue;
        this.#others = added(this.#others, count);
        this.#texts.delete(text);
      }
    }
  }
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
