/** A name that a manual may mean, and how sure that is: 0 to 1. */
export interface Candidate {
  name: string;
  confidence: number;
}

/** What says which machine a manual is for, and who made it. */
export interface ManualText {
  filename: string;
  /** The file's own. */
  title?: string;
  author?: string;
  /** Titles of its outline. */
  chapters?: readonly string[];
  pages: readonly PageText[];
  /** Numbers of parts in lists, without dashes: no models, unless a label says so. */
  listed?: ReadonlySet<string>;
}

export interface PageText {
  page: number;
  text: string;
  /** Lines in large letters. */
  headlines?: readonly string[];
  /** Models of columns and labels. */
  models?: readonly string[];
  /** Present if the text is from OCR. */
  isRecognised?: boolean;
}

interface Entry {
  /** Occurrences by spelling. */
  spellings: Map<string, number>;
  /** Weights by source. */
  weights: Map<string, number>;
}

/** Collects sightings of names: each source counts once for a name, by its greatest weight. */
export class Evidence {
  readonly #names = new Map<string, Entry>();
  readonly #toKey: (name: string) => string;

  constructor(toKey: (name: string) => string) {
    this.#toKey = toKey;
  }

  add(name: string, source: string, weight: number): void {
    const key = this.#toKey(name);
    if (key === "" || weight <= 0) return;
    const entry: Entry = this.#names.get(key) ?? { spellings: new Map(), weights: new Map() };
    this.#names.set(key, entry);
    entry.spellings.set(name, (entry.spellings.get(name) ?? 0) + weight);
    entry.weights.set(source, Math.max(entry.weights.get(source) ?? 0, weight));
  }

  /** Counts what speaks for one name for another, and forgets the first. */
  merge(from: string, into: string): void {
    const { weights: sources } = this.#names.get(from) ?? {};
    const target = this.#names.get(into);
    if (!sources || !target || from === into) return;
    for (const [source, weight] of sources)
      target.weights.set(source, Math.max(target.weights.get(source) ?? 0, weight));
    this.#names.delete(from);
  }

  /** Lists the names by confidence: what speaks for one adds up, and never reaches 1. */
  rank(): (Candidate & { key: string })[] {
    return [...this.#names]
      .map(([key, { spellings, weights }]) => ({
        key,
        name: [...spellings].reduce((best, spelling) => (spelling[1] > best[1] ? spelling : best), ["", 0])[0],
        confidence: 1 - [...weights.values()].reduce((doubt, weight) => doubt * (1 - weight), 1),
      }))
      .sort((a, b) => b.confidence - a.confidence);
  }
}
