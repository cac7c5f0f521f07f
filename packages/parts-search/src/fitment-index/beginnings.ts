/** A key of letters and digits (`toModelKey`), with the number of what it is a key of. */
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
    this.#keys = [...keys].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#shared = Uint8Array.from(this.#keys, ({ key }, index) => countShared(key, this.#keys[index - 1]?.key ?? ""));
  }

  /** Returns these with more, of the entries that are left. */
  replaceEntries(added: readonly KeyedEntry[], isLeft: (entry: number) => boolean): Beginnings {
    return new Beginnings([...this.#keys, ...added].filter(({ entry }) => isLeft(entry)));
  }

  /** @param onMatch gets each key that begins so; `isWhole` if it is no longer */
  with(beginning: string, onMatch: (entry: number, isWhole: boolean) => void): void {
    let [from, to] = [0, this.#keys.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#keys[middle]!.key < beginning) from = middle + 1;
      else to = middle;
    }
    for (let index = from; index < this.#keys.length && this.#keys[index]!.key.startsWith(beginning); index += 1)
      onMatch(this.#keys[index]!.entry, this.#keys[index]!.key === beginning);
  }

  /**
   * Calls back for each key of which a beginning is at most `most` slips away: a character missing, added or wrong, or
   * two neighbours swapped; `wholeSlips` counts those to all of the key, or is more than `most`. Keys share the rows of
   * their common beginning.
   */
  near(typedWhole: string, most: number, onMatch: (entry: number, slips: number, wholeSlips: number) => void): void {
    const typed = typedWhole.slice(0, MOST_TYPED);
    /** By length of a key's beginning, shared by keys: the slips to each beginning of `typed`, and the least. */
    const rows = [Uint8Array.from({ length: typed.length + 1 }, (_, index) => index)];
    const nearest = [0];
    /** The least slips to all of `typed`, of the beginnings up to each length. */
    const least = [typed.length];
    let length = 0;
    for (let index = 0; index < this.#keys.length; index += 1) {
      length = Math.min(length, this.#shared[index]!);
      // The one before was left at a beginning that this one has as well, and was too far away by then.
      if (nearest[length]! > most && least[length]! > most) continue;
      const { key, entry } = this.#keys[index]!;
      while (length < key.length && nearest[length]! <= most) {
        length += 1;
        const row = (rows[length] ??= new Uint8Array(typed.length + 1).fill(most + 1));
        nearest[length] = fillRow(row, rows, length, most, typed, key);
        least[length] = Math.min(least[length - 1]!, row[typed.length]!);
      }
      if (least[length]! > most) continue;
      onMatch(entry, least[length]!, length === key.length ? rows[length]![typed.length]! : most + 1);
    }
  }
}

/** Fills a row by optimal string alignment, as in `computeEditDistance`, up to `most` slips. Returns its least. */
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
  const letterBefore = key[length - 2];
  let least = (row[0] = length);
  const end = Math.min(typed.length, length + most);
  for (let index = Math.max(1, length - most); index <= end; index += 1) {
    let slips = Math.min(
      row[index - 1]! + 1,
      above[index]! + 1,
      above[index - 1]! + (letter === typed[index - 1] ? 0 : 1),
    );
    if (index > 1 && letter === typed[index - 2] && letterBefore === typed[index - 1])
      slips = Math.min(slips, rows[length - 2]![index - 2]! + 1);
    row[index] = slips;
    if (slips < least) least = slips;
  }
  return least;
}

function countShared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < 255 && a[length] === b[length]) length += 1;
  return length;
}
