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
    const width = typed.length + 1;
    // Row `depth`: slips between the first `depth` characters of a key and each beginning of what was typed.
    const rows: Uint8Array[] = [Uint8Array.from({ length: width }, (_, at) => at)];
    const least = [typed.length];
    let before = "";
    /** Keys that share so many characters with the one before are too far away as well. */
    let hopeless = Infinity;
    for (const [index, { key, entry }] of this.#keys.entries()) {
      if (this.#shared[index]! >= hopeless) continue;
      hopeless = Infinity;
      let depth = Math.min(shared(key, before), rows.length - 1);
      before = key;
      rows.length = depth + 1;
      least.length = depth + 1;
      while (depth < key.length && depth < typed.length + most) {
        depth += 1;
        const row = nextRow(key, depth, typed, rows);
        rows.push(row);
        least.push(Math.min(least[depth - 1]!, row[typed.length]!));
        if (Math.min(...row) > most && Math.min(...rows[depth - 1]!) > most) {
          hopeless = depth;
          break;
        }
      }
      const slips = least.at(-1)!;
      if (slips <= most) {
        found(entry, slips);
        hopeless = Infinity;
      }
    }
  }
}

function nextRow(key: string, depth: number, typed: string, rows: readonly Uint8Array[]): Uint8Array {
  const above = rows[depth - 1]!;
  const row = new Uint8Array(above.length);
  row[0] = depth;
  const letter = key[depth - 1];
  for (let at = 1; at < row.length; at += 1) {
    let slips = Math.min(above[at]! + 1, row[at - 1]! + 1, above[at - 1]! + (letter === typed[at - 1] ? 0 : 1));
    if (depth > 1 && at > 1 && letter === typed[at - 2] && key[depth - 2] === typed[at - 1])
      slips = Math.min(slips, rows[depth - 2]![at - 2]! + 1);
    row[at] = slips;
  }
  return row;
}

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < 255 && one[length] === other[length]) length += 1;
  return length;
}
