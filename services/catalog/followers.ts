import { EventEmitter, once } from "node:events";

/** Longest wait for the next message of a follower, which sends one for each bulk. */
const LONGEST_SILENCE_MS = 10_000;

/**
 * What the followers of the catalog have taken in, by the plain event `catalog.followed` that they broadcast. So the
 * answer to an import can wait for search without a call to it.
 */
export class Followers {
  readonly #words = new EventEmitter();
  readonly #areThere: () => boolean;
  #revisions: Readonly<Record<string, number>> | undefined;

  /** @param areThere whether the cluster has a follower: to a new process it may not have said anything yet */
  constructor(areThere: () => boolean) {
    this.#areThere = areThere;
    this.#words.setMaxListeners(0);
  }

  heard(revisions: Readonly<Record<string, number>>): void {
    this.#revisions = revisions;
    this.#words.emit("word");
  }

  /** Resolves to true once the change is taken in or if nobody follows, to false after a silence. */
  async have(vendor: string, revision: number): Promise<boolean> {
    const isBehind = (): boolean =>
      revision > 0 && (this.#revisions ? (this.#revisions[vendor] ?? 0) < revision : this.#areThere());
    try {
      while (isBehind()) await once(this.#words, "word", { signal: AbortSignal.timeout(LONGEST_SILENCE_MS) });
      return true;
    } catch {
      return false;
    }
  }
}
