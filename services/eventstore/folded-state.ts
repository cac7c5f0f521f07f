export type State = Record<string, unknown>;

/**
 * The state of an aggregate while its events are folded: each field is written in its place, so that a fold costs what its events
 * cost, and the size is known at any time. A name that means something to objects (`__proto__`) is a name like any other.
 */
export class FoldedState {
  readonly #fields = new Map<string, { value: unknown; bytes: number }>();
  #bytes = 0;

  /** Of the state as JSON. */
  get bytes(): number {
    return 2 + this.#bytes + Math.max(0, this.#fields.size - 1);
  }

  get(name: string): unknown {
    return this.#fields.get(name)?.value;
  }

  set(name: string, value: unknown): void {
    const bytes = bytesOf(name) + 1 + bytesOf(value);
    this.#bytes += bytes - (this.#fields.get(name)?.bytes ?? 0);
    this.#fields.set(name, { value, bytes });
  }

  /** Lays fields over what is there. */
  lay(fields: State): void {
    for (const name of Object.keys(fields)) this.set(name, fields[name]);
  }

  /** Lays fields beneath what is there. */
  underlay(fields: State): void {
    for (const name of Object.keys(fields)) if (!this.#fields.has(name)) this.set(name, fields[name]);
  }

  replaceBy(fields: State): void {
    this.#fields.clear();
    this.#bytes = 0;
    this.lay(fields);
  }

  toObject(): State {
    return Object.fromEntries([...this.#fields].map(([name, { value }]) => [name, value]));
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
