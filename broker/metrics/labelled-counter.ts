import { Family } from "./exposition.ts";
import type { Labels } from "./series.ts";

/** Counts what happens now and then, by labels of which there are few. */
export class LabelledCounter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, { labels: Labels; count: number }>();

  /** @param name ends in `_total` */
  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** @param labels always in the same order */
  add(labels: Labels): void {
    const key = JSON.stringify(labels);
    const series = this.#series.get(key) ?? { labels, count: 0 };
    series.count += 1;
    this.#series.set(key, series);
  }

  counts(): Iterable<Readonly<{ labels: Labels; count: number }>> {
    return this.#series.values();
  }

  family(): Family {
    const family = new Family(this.#name, "counter", this.#help);
    for (const { labels, count } of this.#series.values()) family.add(count, labels);
    return family;
  }
}
