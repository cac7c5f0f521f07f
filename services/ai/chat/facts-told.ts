import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { keyOf } from "../desk/finding.ts";
import { UNKNOWN_OFFER, type FoundPart, type Offer } from "../desk/facts.ts";
import { equipmentName, quotable } from "../desk/quotable.ts";
import { toCents } from "../../../mixins/money.ts";

/** The words of a text without the marks around them. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).map(bareWord).filter((word) => word !== "");
}

export function bareWord(word: string): string {
  return word.replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%"]+$/gu, "").replace(/['’]s$/u, "");
}

/** What a model was told of the parts of one number. */
export interface PartTold {
  pages: Set<number>;
  quantities: Set<number>;
  stocks: Set<number>;
  /** Cents. */
  prices: Set<number>;
  availabilities: Set<Offer["availability"]>;
  isDiscontinued: boolean;
  /** Normalised numbers. */
  replacedBy: Set<string>;
}

/** What a model was told: all that its words may name. */
export class FactsTold {
  readonly #parts = new Map<string, { part: FoundPart; offer: Offer }>();
  readonly #numbers = new Set<string>();
  readonly #ofNumbers = new Map<string, PartTold>();
  readonly #words = new Set<string>();
  /** Words of names with the one that follows, and each by itself. */
  readonly #pairs = new Set<string>();
  readonly #allWords = new Set<string>();
  readonly #names = new Set<string>();
  /** `3/8-16`. */
  readonly #asTheyStand = new Set<string>();
  readonly #quantities = new Set<number>();
  readonly #pages = new Set<number>();
  readonly #stocks = new Set<number>();
  readonly #prices = new Set<number>();

  tell(part: FoundPart, offer: Offer): void {
    this.#parts.set(keyOf(part), { part, offer });
    this.#note(part, offer);
    this.#numbers.add(part.pnNorm).add(normalizePartNumber(part.partNumber));
    for (const text of quotable(part.description)) this.#learn(text);
    for (const row of part.rows) {
      this.name(row.equipment);
      for (const text of quotable(row.schema)) this.#learn(text);
      if (row.reference !== undefined) this.#learn(row.reference);
      this.#pages.add(row.page);
      if (row.quantity !== undefined) this.#quantities.add(row.quantity);
    }
    if (offer.stock !== null) this.#stocks.add(offer.stock);
    if (offer.price !== null) this.#prices.add(toCents(offer.price));
  }

  #note(part: FoundPart, { price, stock, availability, status }: Offer): void {
    const nothing: PartTold = { pages: new Set(), quantities: new Set(), stocks: new Set(), prices: new Set(), availabilities: new Set(), isDiscontinued: false, replacedBy: new Set() };
    const told = this.#ofNumbers.get(part.pnNorm) ?? nothing;
    for (const number of [part.pnNorm, normalizePartNumber(part.partNumber)]) this.#ofNumbers.set(number, told);
    for (const { page, quantity } of part.rows) {
      told.pages.add(page);
      if (quantity !== undefined) told.quantities.add(quantity);
    }
    if (price !== null) told.prices.add(toCents(price));
    if (stock !== null) told.stocks.add(stock);
    told.availabilities.add(availability);
    if (status === "discontinued") told.isDiscontinued = true;
    for (const by of [part.replacedBy, ...part.rows.map(({ replacedBy }) => replacedBy)]) if (by !== undefined) told.replacedBy.add(normalizePartNumber(by));
  }

  /** @param pnNorm of a part that was told of */
  of(pnNorm: string): PartTold | undefined {
    return this.#ofNumbers.get(pnNorm);
  }

  /** An equipment's name: it may be said. */
  name(equipment: string): void {
    const name = equipmentName(equipment);
    this.#words.add(normalizePartNumber(name));
    this.#learn(name);
  }

  #learn(text: string): void {
    const words = wordsOf(text);
    if (words.length > 1) this.#names.add(text.toLowerCase());
    for (const [at, word] of words.entries()) {
      this.#allWords.add(normalizePartNumber(word));
      if (at > 0) this.#pairs.add(`${normalizePartNumber(words[at - 1]!)} ${normalizePartNumber(word)}`);
      if (!/\d/.test(word)) continue;
      this.#words.add(normalizePartNumber(word));
      if (/\D/.test(word)) this.#asTheyStand.add(word.toLowerCase());
    }
  }

  /** The parts that were told of, in the order of telling. */
  parts(): FoundPart[] {
    return [...this.#parts.values()].map(({ part }) => part);
  }

  offerOf(part: FoundPart): Offer {
    return this.#parts.get(keyOf(part))?.offer ?? UNKNOWN_OFFER;
  }

  /** @param key normalised */
  isPartNumber(key: string): boolean {
    return this.#numbers.has(key);
  }

  /** A size, a model, a figure's number: a word with a digit as it stands in a name. @param key normalised */
  isWord(key: string): boolean {
    return this.#words.has(key);
  }

  /** Such a word with its marks: `3/8-16`. */
  isWordAsItStands(word: string): boolean {
    return this.#asTheyStand.has(word.toLowerCase());
  }

  /** Whether these stand one behind the other in a name. */
  isPair(word: string, next: string): boolean {
    return this.#pairs.has(`${normalizePartNumber(word)} ${normalizePartNumber(next)}`);
  }

  /** Without the names of several words: an hour meter is no hour. */
  withoutNames(text: string): string {
    return [...this.#names].reduce((rest, name) => rest.replaceAll(name, "_"), text.toLowerCase());
  }

  /** Whether it stands in a name, with a digit or without. */
  isOfName(word: string): boolean {
    return this.#allWords.has(normalizePartNumber(word));
  }

  isPrice(cents: number): boolean {
    return this.#prices.has(cents);
  }

  isCount(value: number): boolean {
    return this.#quantities.has(value) || this.#pages.has(value) || this.#stocks.has(value);
  }

  isPage(value: number): boolean {
    return this.#pages.has(value);
  }

  isStock(value: number): boolean {
    return this.#stocks.has(value);
  }

  isQuantity(value: number): boolean {
    return this.#quantities.has(value);
  }
}
