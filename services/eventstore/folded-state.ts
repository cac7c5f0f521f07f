export type State = Record<string, unknown>;

/**
 * The state of an aggregate while its events are folded. Fields are measured only when the size is asked for, so that
 * a fold costs what its events cost. `__proto__` is a name like any other.
 */
export class FoldedState {
  readonly #fields = new Map<string, unknown>();
  /** Of each measured field as JSON. */
  readonly #bytes = new Map<string, number>();
  readonly #unmeasured = new Set<string>();
  #total = 0;

  static of(entries: Iterable<readonly [string, unknown]>): FoldedState {
    const state = new FoldedState();
    for (const [name, value] of entries) state.set(name, value);
    return state;
  }

  entries(): Iterable<[string, unknown]> {
    return this.#fields;
  }

  get bytes(): number {
    for (const name of this.#unmeasured) {
      const bytes = bytesOf(name) + 1 + bytesOf(this.#fields.get(name));
      this.#total += bytes - (this.#bytes.get(name) ?? 0);
      this.#bytes.set(name, bytes);
    }
    this.#unmeasured.clear();
    return 2 + this.#total + Math.max(0, this.#fields.size - 1);
  }

  get(name: string): unknown {
    return this.#fields.get(name);
  }

  set(name: string, value: unknown): void {
    this.#fields.set(name, value);
    this.#unmeasured.add(name);
  }

  lay(fields: State): void {
    for (const name of Object.keys(fields)) this.set(name, fields[name]);
  }

  /** Sets fields that are missing. */
  underlay(fields: State): void {
    for (const name of Object.keys(fields)) if (!this.#fields.has(name)) this.set(name, fields[name]);
  }

  replaceBy(fields: State): void {
    this.#fields.clear();
    this.#bytes.clear();
    this.#unmeasured.clear();
    this.#total = 0;
    this.lay(fields);
  }

  toObject(): State {
    return Object.fromEntries(this.#fields);
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
