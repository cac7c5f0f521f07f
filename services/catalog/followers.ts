import { EventEmitter, once } from "node:events";

/** Longest that is waited for the next word of a follower, which tells of each bulk that it takes in; milliseconds. */
const LONGEST_SILENCE = 10_000;

/**
 * What those who follow the catalog's changes have taken in, as they tell every node by the plain event
 * `catalog.followed`. So an import is answered when it can be found, and the catalog calls none of them.
 */
export class Followers {
  readonly #words = new EventEmitter();
  readonly #silenceMs: number;
  #revisions: Readonly<Record<string, number>> | undefined;

  constructor(silenceMs = LONGEST_SILENCE) {
    this.#silenceMs = silenceMs;
    this.#words.setMaxListeners(0);
  }

  /** Hears how far a follower is: by vendor, the revision of the newest change that it has. */
  heard(revisions: Readonly<Record<string, number>>): void {
    this.#revisions = revisions;
    this.#words.emit("word");
  }

  /** Resolves to true once a vendor's change is taken in or where nobody follows, to false after a silence. */
  async have(vendor: string, revision: number): Promise<boolean> {
    try {
      while (this.#revisions && (this.#revisions[vendor] ?? 0) < revision)
        await once(this.#words, "word", { signal: AbortSignal.timeout(this.#silenceMs) });
      return true;
    } catch {
      return false;
    }
  }
}
