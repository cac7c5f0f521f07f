/** Keeps the last `kept` facts, the oldest first. */
export class LastFacts<Fact> {
  readonly #facts: Fact[] = [];
  readonly #kept: number;

  constructor(most: number) {
    this.#kept = most;
  }

  add(fact: Fact): void {
    this.#facts.push(fact);
    if (this.#facts.length > this.#kept) this.#facts.shift();
  }

  all(): Fact[] {
    return [...this.#facts];
  }
}
