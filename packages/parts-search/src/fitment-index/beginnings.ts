/** A key of letters and digits (`modelKey`), with the number of what it is a key of. */
export interface KeyedEntry {
  key: string;
  entry: number;
}

/** Maximum characters of what was typed that are compared. */
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

  /** Returns these with more, of the entries that are left. */
  changed(added: readonly KeyedEntry[], isLeft: (entry: number) => boolean): Beginnings {
    return new Beginnings([...this.#keys, ...added].filter(({ entry }) => isLeft(entry)));
  }

  /** @param found gets each key that begins so; `isWhole` if it is no longer */
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
   * two neighbours swapped; `ofWhole` counts those to all of the key, or is more than `most`. Keys share the rows of
   * their common beginning.
   */
  near(whole: string, most: number, found: (entry: number, slips: number, ofWhole: number) => void): void {
    const typed = whole.slice(0, MOST_TYPED);
    /** By length of a key's beginning, shared by keys: the slips to each beginning of `typed`, and the least. */
    const rows = [Uint8Array.from({ length: typed.length + 1 }, (_, at) => at)];
    const nearest = [0];
    /** The least slips to all of `typed`, of the beginnings up to each length. */
    const least = [typed.length];
    let length = 0;
    for (let at = 0; at < this.#keys.length; at += 1) {
      length = Math.min(length, this.#shared[at]!);
      // The one before was left at a beginning that this one has as well, and was too far away by then.
      if (nearest[length]! > most && least[length]! > most) continue;
      const { key, entry } = this.#keys[at]!;
      while (length < key.length && nearest[length]! <= most) {
        length += 1;
        const row = (rows[length] ??= new Uint8Array(typed.length + 1).fill(most + 1));
        nearest[length] = fillRow(row, rows, length, most, typed, key);
        least[length] = Math.min(least[length - 1]!, row[typed.length]!);
      }
      if (least[length]! > most) continue;
      found(entry, least[length]!, length === key.length ? rows[length]![typed.length]! : most + 1);
    }
  }
}

/** Fills a row by optimal string alignment, as in `editDistance`, up to `most` slips. Returns its least. */
function fillRow(
  row: Uint8Array,
  rows: readonly Uint8Array[],
  length: number,
  most: number,
  typed: string,
  key: string,
): number {
  const above = rows[length - 1]!;
  const letter = key[length - 1];
  const before = key[length - 2];
  let least = (row[0] = length);
  const end = Math.min(typed.length, length + most);
  for (let at = Math.max(1, length - most); at <= end; at += 1) {
    let slips = Math.min(row[at - 1]! + 1, above[at]! + 1, above[at - 1]! + (letter === typed[at - 1] ? 0 : 1));
    if (at > 1 && letter === typed[at - 2] && before === typed[at - 1])
      slips = Math.min(slips, rows[length - 2]![at - 2]! + 1);
    row[at] = slips;
    if (slips < least) least = slips;
  }
  return least;
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < 255 && one[length] === other[length]) length += 1;
  return length;
}
