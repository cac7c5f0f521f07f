import { createSharedNumbers, createSharedUnits, withRoom } from "../../embedded-index/shared-arrays.ts";

export type TextPoolView = ReturnType<TextPool["view"]>;

/** Characters of a head, and how many heads there are: they fit into a double beside a small number. */
const HEAD = 7;
export const HEADS = 128 ** HEAD;
const FOREIGN = 127;

/** The beginning of a text as a number below `HEADS`, in the order of the texts; ends at a character from U+007F on. */
export function computeHead(text: string): number {
  return computeHeadOfUnits(text.length, (index) => text.charCodeAt(index));
}

/** How many heads begin as the text does, from its own on. */
export function countHeads(beginning: string): number {
  return 128 ** (HEAD - Math.min(HEAD, beginning.length));
}

function computeHeadOfUnits(length: number, unitAt: (at: number) => number): number {
  let head = 0;
  let index = 0;
  for (let isAscii = true; index < HEAD && index < length && isAscii; index += 1) {
    const unit = Math.min(FOREIGN, unitAt(index));
    head = head * 128 + unit;
    isAscii = unit < FOREIGN;
  }
  return head * 128 ** (HEAD - index);
}

/** FNV-1a, over UTF-16. */
const HASH_BASIS = 0x811c9dc5;
const addToHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const mixHash = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;

export function computeHash(text: string): number {
  let hash = HASH_BASIS;
  for (let index = 0; index < text.length; index += 1) hash = addToHash(hash, text.charCodeAt(index));
  return mixHash(hash);
}

/** Texts in shared memory, by number. None is changed or removed. */
export class TextPool {
  #units = createSharedUnits();
  /** Beginning of each text by number; the next one's is its end. */
  #starts = createSharedNumbers(1);
  #length = 0;

  static of({ units, starts, length }: TextPoolView): TextPool {
    const pool = new TextPool();
    pool.#units = units;
    pool.#starts = starts;
    pool.#length = length;
    return pool;
  }

  view() {
    return { units: this.#units, starts: this.#starts, length: this.#length };
  }

  get length(): number {
    return this.#length;
  }

  add(text: string): number {
    const number = this.#length;
    const start = this.#starts[number]!;
    const end = start + text.length;
    this.#units = withRoom(this.#units, end);
    this.#starts = withRoom(this.#starts, number + 2);
    for (let index = 0; index < text.length; index += 1) this.#units[start + index] = text.charCodeAt(index);
    this.#starts[number + 1] = end;
    this.#length = number + 1;
    return number;
  }

  at(number: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#starts[number], this.#starts[number + 1]));
  }

  /** `computeHash` the text. */
  hashAt(number: number): number {
    const end = this.#starts[number + 1]!;
    let hash = HASH_BASIS;
    for (let index = this.#starts[number]!; index < end; index += 1) hash = addToHash(hash, this.#units[index]!);
    return mixHash(hash);
  }

  /** `computeHead` the text. */
  getHead(number: number): number {
    const start = this.#starts[number]!;
    return computeHeadOfUnits(this.#starts[number + 1]! - start, (place) => this.#units[start + place]!);
  }

  isAt(number: number, text: string): boolean {
    const start = this.#starts[number]!;
    if (this.#starts[number + 1]! - start !== text.length) return false;
    for (let index = 0; index < text.length; index += 1)
      if (this.#units[start + index] !== text.charCodeAt(index)) return false;
    return true;
  }

  /** Orders texts as `<` orders strings. */
  compare(a: number, b: number): number {
    const units = this.#units;
    const [startA, startB] = [this.#starts[a]!, this.#starts[b]!];
    const [lengthA, lengthB] = [this.#starts[a + 1]! - startA, this.#starts[b + 1]! - startB];
    const length = Math.min(lengthA, lengthB);
    for (let index = 0; index < length; index += 1) {
      const difference = units[startA + index]! - units[startB + index]!;
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  /** Negative if the text comes before all that begin so, 0 if it begins so, else positive. */
  compareBeginning(number: number, beginning: string): number {
    const start = this.#starts[number]!;
    const length = this.#starts[number + 1]! - start;
    for (let index = 0; index < beginning.length; index += 1) {
      if (index >= length) return -1;
      const difference = this.#units[start + index]! - beginning.charCodeAt(index);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
