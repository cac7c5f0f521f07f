import { EventEmitter, once } from "node:events";

/** Longest wait for the next message of a follower, which sends one for each bulk. */
const LONGEST_SILENCE_MS = 10_000;

type Revisions = Readonly<Record<string, number>>;

/**
 * What the followers of the catalog have taken in, by the plain event `catalog.followed` that they broadcast. So the
 * answer to an import can wait for search without a call to it.
 * @param areThere whether the cluster has a follower: to a new process it may not have said anything yet
 */
export function createFollowers(areThere: () => boolean) {
  const words = new EventEmitter().setMaxListeners(0);
  let known: Revisions | undefined;
  return {
    heard(revisions: Revisions): void {
      known = revisions;
      words.emit("word");
    },
    /** Resolves to true once the change is taken in or if nobody follows, to false after a silence. */
    async have(vendor: string, revision: number): Promise<boolean> {
      const isBehind = (): boolean => revision > 0 && (known ? (known[vendor] ?? 0) < revision : areThere());
      try {
        while (isBehind()) await once(words, "word", { signal: AbortSignal.timeout(LONGEST_SILENCE_MS) });
        return true;
      } catch {
        return false;
      }
    },
  };
}
