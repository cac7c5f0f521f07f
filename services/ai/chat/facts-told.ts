import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { keyOf } from "../desk/finding/finding.ts";
import { UNKNOWN_OFFER, type FoundPart, type Offer } from "../desk/facts.ts";
import { equipmentName, quotable } from "../desk/wording/quotable.ts";
import { toCents } from "../../../mixins/money.ts";
import { Models, type Model } from "../../../mixins/fitment-index/models.ts";
import { wordsSaid } from "./spoken-words.ts";

/** Where a part stands in the manual of an equipment. */
export interface PlaceTold {
  equipment: string;
  page: number;
  quantity?: number;
}

/** What a model was told of the parts of one number. */
export interface PartTold {
  places: PlaceTold[];
  /** Equipment that it was asked for: of this is spoken where no other is named. */
  asked: readonly string[];
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
  readonly #models = new Map<string, Model>();
  #known = new Models([]);
  readonly #asked: readonly string[];

  /** @param asked equipment that the question is about */
  constructor(asked: readonly string[] = []) {
    this.#asked = asked.map(equipmentName);
    for (const equipment of asked) this.name(equipment);
  }

  /** @param asked that of the question which found the part; what was told first of a number counts */
  tell(part: FoundPart, offer: Offer, asked?: readonly string[]): void {
    this.#parts.set(keyOf(part), { part, offer });
    this.#note(part, offer, asked?.map(equipmentName) ?? this.#asked);
    this.#numbers.add(part.pnNorm).add(normalizePartNumber(part.partNumber));
    for (const text of quotable(part.description)) this.#learn(text);
    for (const row of part.rows) {
      this.name(row.equipment, row.manufacturer);
      for (const text of quotable(row.schema)) this.#learn(text);
      if (row.reference !== undefined) this.#learn(row.reference);
    }
  }

  #note(part: FoundPart, { price, stock, availability, status }: Offer, asked: readonly string[]): void {
    const nothing: PartTold = {
      places: [],
      asked,
      stocks: new Set(),
      prices: new Set(),
      availabilities: new Set(),
      isDiscontinued: false,
      replacedBy: new Set(),
    };
    const told = this.#ofNumbers.get(part.pnNorm) ?? nothing;
    for (const number of [part.pnNorm, normalizePartNumber(part.partNumber)]) this.#ofNumbers.set(number, told);
    told.places.push(
      ...part.rows.map(({ equipment, page, quantity }) => ({
        equipment: equipmentName(equipment),
        page,
        ...(quantity === undefined ? {} : { quantity }),
      })),
    );
    if (price !== null) told.prices.add(toCents(price));
    if (stock !== null) told.stocks.add(stock);
    told.availabilities.add(availability);
    if (status === "discontinued") told.isDiscontinued = true;
    for (const by of [part.replacedBy, ...part.rows.map(({ replacedBy }) => replacedBy)])
      if (by !== undefined) told.replacedBy.add(normalizePartNumber(by));
  }

  /** @param pnNorm of a part that was told of */
  of(pnNorm: string): PartTold | undefined {
    return this.#ofNumbers.get(pnNorm);
  }

  /** An equipment's name: it may be said. */
  name(equipment: string, manufacturer?: string): void {
    const name = equipmentName(equipment);
    if (!this.#models.has(name))
      this.#models.set(name, { equipment: name, ...(manufacturer === undefined ? {} : { manufacturer }) });
    this.#words.add(normalizePartNumber(name));
    this.#learn(name);
  }

  #learn(text: string): void {
    const words = wordsSaid(text).map((word) => word.text);
    if (words.length > 1) this.#names.add(text.toLowerCase());
    for (const [at, word] of words.entries()) {
      this.#allWords.add(normalizePartNumber(word));
      if (at > 0) this.#pairs.add(`${normalizePartNumber(words[at - 1]!)} ${normalizePartNumber(word)}`);
      if (!/\d/.test(word)) continue;
      this.#words.add(normalizePartNumber(word));
      if (/\D/.test(word)) this.#asTheyStand.add(word.toLowerCase());
    }
  }

  /** Equipment that it was told of and that a text names. */
  modelsNamedIn(text: string): Model[] {
    if (this.#known.size < this.#models.size) this.#known = new Models(this.#models.values());
    return this.#known.namedIn(text);
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
}
