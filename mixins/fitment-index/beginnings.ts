/** A key of letters and digits (`modelKey`), with the number of what it is a key of. */
export interface KeyedEntry {
  key: string;
  entry: number;
}

/** Characters of what was typed, as bits of a number. */
const MOST_TYPED = 30;

/** Finds keys by their beginnings, also with slips. */
export class Beginnings {
  readonly #keys: readonly KeyedEntry[];
  /** How many characters a key has in common with the one before. */
  readonly #shared: Uint8Array;

  constructor(keys: Iterable<KeyedEntry>) {
    this.#keys = [...keys].sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    this.#shared = Uint8Array.from(this.#keys, ({ key }, at) => shared(key, this.#keys[at - 1]?.key ?? ""));
  }

  /** Calls back for each key that begins so; `isWhole` if it is no longer. */
  with(beginning: string, found: (entry: number, isWhole: boolean) => void): void {
    let [from, to] = [0, this.#keys.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#keys[middle]!.key < beginning) from = middle + 1;
      else to = middle;
    }
    for (let at = from; at < this.#keys.length && this.#keys[at]!.key.startsWith(beginning); at += 1)
      found(this.#keys[at]!.entry, this.#keys[at]!.key === beginning);
  }

  /**
   * Calls back for each key of which a beginning is at most `most` slips away: a character missing, added or wrong, or
   * two neighbours swapped. Keys with a common beginning share its work, and are left out together. Of what was typed,
   * 30 characters count.
   */
  near(typed: string, most: number, found: (entry: number, slips: number) => void): void {
    const walk = new SlipWalk(typed.slice(0, MOST_TYPED), most);
    let before = "";
    /** Keys that share so many characters with the one before are too far away as well. */
    let hopeless = Infinity;
    for (let at = 0; at < this.#keys.length; at += 1) {
      if (this.#shared[at]! >= hopeless) continue;
      const { key, entry } = this.#keys[at]!;
      const slips = walk.along(key, shared(key, before));
      before = key;
      hopeless = slips > most ? walk.hopeless : Infinity;
      if (slips <= most) found(entry, slips);
    }
  }
}

/**
 * Compares keys with what was typed by the bits of numbers (Wu and Manber): with `slips` slips, bit `n` says that the
 * key so far is the first `n` characters of what was typed. The states of the key before are kept, for what the next
 * one shares with it.
 */
class SlipWalk {
  /** Depth from which no key with the same beginning is near; Infinity if the last one came to its end. */
  hopeless = Infinity;
  readonly #most: number;
  readonly #whole: number;
  readonly #deepest: number;
  /** Bit `n` of a character's number: it is the one before place `n` of what was typed. */
  readonly #places = new Int32Array(128);
  /** Of each depth, a number for no slips, for one, and so on. */
  readonly #states: Int32Array;
  /** Of each depth, the least slips with which all that was typed was met up to there. */
  readonly #met: Uint8Array;
  #depth = 0;

  constructor(typed: string, most: number) {
    this.#most = most;
    this.#whole = 1 << typed.length;
    this.#deepest = typed.length + most;
    this.#states = new Int32Array((this.#deepest + 1) * (most + 1));
    this.#met = new Uint8Array(this.#deepest + 1);
    for (const [at, letter] of [...typed].entries()) this.#places[letter.charCodeAt(0) & 127]! |= 2 << at;
    for (let slips = 0; slips <= most; slips += 1) this.#states[slips] = (2 << Math.min(slips, typed.length)) - 1;
    this.#met[0] = typed.length <= most ? typed.length : most + 1;
  }

  /** @param common characters that the key shares with the one before. @returns the least slips, or more than `most` */
  along(key: string, common: number): number {
    const end = Math.min(key.length, this.#deepest);
    this.#depth = Math.min(common, this.#depth);
    this.hopeless = Infinity;
    while (this.#depth < end) {
      this.#depth += 1;
      if (!this.#step(key)) {
        this.hopeless = this.#depth;
        return this.#met[this.#depth]!;
      }
    }
    return this.#met[end]!;
  }

  /** Returns whether any state is left. */
  #step(key: string): boolean {
    const depth = this.#depth;
    const width = this.#most + 1;
    const here = depth * width;
    const above = here - width;
    const states = this.#states;
    const mask = this.#whole | (this.#whole - 1);
    const letter = this.#places[key.charCodeAt(depth - 1) & 127]!;
    const swapped = depth > 1 ? (letter << 1) & this.#places[key.charCodeAt(depth - 2) & 127]! : 0;
    let met = this.#met[depth - 1]!;
    let fewer = 0;
    for (let slips = 0; slips <= this.#most; slips += 1) {
      let state = (states[above + slips]! << 1) & letter;
      if (slips > 0) {
        const left = states[above + slips - 1]!;
        state |= left | (left << 1) | (fewer << 1);
        if (swapped !== 0) state |= (states[above - width + slips - 1]! << 2) & swapped;
      }
      fewer = state & mask;
      states[here + slips] = fewer;
      if (slips < met && (fewer & this.#whole) !== 0) met = slips;
    }
    this.#met[depth] = met;
    return fewer !== 0;
  }
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < 255 && one[length] === other[length]) length += 1;
  return length;
}
