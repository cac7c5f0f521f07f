/** Keys in their order, each with the number of what it is a key of. */
export interface KeyedEntry {
  key: string;
  entry: number;
}

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
   * two neighbours swapped. Keys with a common beginning share its work, and are left out together.
   */
  near(typed: string, most: number, found: (entry: number, slips: number) => void): void {
    const table = new SlipTable(typed, most);
    let before = "";
    /** Keys that share so many characters with the one before are too far away as well. */
    let hopeless = Infinity;
    for (let at = 0; at < this.#keys.length; at += 1) {
      if (this.#shared[at]! >= hopeless) continue;
      const { key, entry } = this.#keys[at]!;
      const { slips, given } = table.compare(key, shared(key, before));
      before = key;
      hopeless = slips > most && given !== undefined ? given : Infinity;
      if (slips <= most) found(entry, slips);
    }
  }
}

/** Slips between beginnings of what was typed and of one key after another; what keys have in common is kept. */
class SlipTable {
  readonly #typed: string;
  readonly #most: number;
  readonly #width: number;
  /** Row `depth`, column `at`: slips between so many first characters of the key and of what was typed. */
  readonly #cells: Uint8Array;
  /** Of each row: the least slips of a whole row up to there, and the least in it. */
  readonly #least: Uint8Array;
  readonly #best: Uint8Array;
  /** Rows that are worked out. */
  #depth = 0;

  constructor(typed: string, most: number) {
    this.#typed = typed;
    this.#most = most;
    this.#width = typed.length + 1;
    const rows = typed.length + most + 1;
    // Too far away is all the same.
    this.#cells = new Uint8Array(rows * this.#width).fill(most + 1);
    this.#least = new Uint8Array(rows);
    this.#best = new Uint8Array(rows);
    for (let at = 0; at < this.#width && at <= most; at += 1) this.#cells[at] = at;
    this.#least[0] = this.#cells[typed.length]!;
  }

  /**
   * @param common characters that the key shares with the one before
   * @returns the least slips to one of its beginnings; `given` is where no longer one can be nearer
   */
  compare(key: string, common: number): { slips: number; given?: number } {
    const end = Math.min(key.length, this.#typed.length + this.#most);
    this.#depth = Math.min(common, this.#depth);
    while (this.#depth < end) {
      this.#depth += 1;
      this.#fill(key);
      const { [this.#depth]: best, [this.#depth - 1]: bestBefore } = this.#best;
      if (best! > this.#most && bestBefore! > this.#most)
        return { slips: this.#least[this.#depth]!, given: this.#depth };
    }
    return { slips: this.#least[end]! };
  }

  #fill(key: string): void {
    const typed = this.#typed;
    const depth = this.#depth;
    const row = depth * this.#width;
    const above = row - this.#width;
    const tooFar = this.#most + 1;
    const letter = key.charCodeAt(depth - 1);
    const [from, to] = [Math.max(1, depth - this.#most), Math.min(typed.length, depth + this.#most)];
    this.#cells[row + from - 1] = from === 1 ? Math.min(depth, tooFar) : tooFar;
    let best = this.#cells[row + from - 1]!;
    for (let at = from; at <= to; at += 1) {
      const isSame = letter === typed.charCodeAt(at - 1);
      let slips = this.#cells[above + at - 1]! + (isSame ? 0 : 1);
      slips = Math.min(
        slips,
        this.#cells[row + at - 1]! + 1,
        at < depth + this.#most ? this.#cells[above + at]! + 1 : tooFar,
      );
      if (
        !isSame &&
        depth > 1 &&
        at > 1 &&
        letter === typed.charCodeAt(at - 2) &&
        key.charCodeAt(depth - 2) === typed.charCodeAt(at - 1)
      )
        slips = Math.min(slips, this.#cells[above - this.#width + at - 2]! + 1);
      slips = Math.min(slips, tooFar);
      this.#cells[row + at] = slips;
      best = Math.min(best, slips);
    }
    this.#best[depth] = best;
    this.#least[depth] = Math.min(this.#least[depth - 1]!, to === typed.length ? this.#cells[row + to]! : tooFar);
  }
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < 255 && one[length] === other[length]) length += 1;
  return length;
}
