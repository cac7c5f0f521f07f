import { ulid } from "ulid";
import { KeyedQueue } from "../../../mixins/keyed-queue.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import { sourceKey, STAGED } from "../object-keys.ts";

/** What was staged so long ago, in milliseconds, is of a process that is gone. */
const ABANDONED_AFTER_MS = 6 * 60 * 60_000;

interface StagedFile {
  sha256: string;
  /** Copies it to where its hash says, unless it is there. @throws what the object store throws */
  place(): Promise<void>;
}

export type Staging = ReturnType<typeof createStaging>;

/** Files on their way to the place that their hash gives them, which is known when all of a file has come. */
export function createStaging(objects: ObjectStore) {
  const queue = new KeyedQueue();
  return {
    /**
     * Keeps a body for as long as it is used, which begins when all of it has come: what `use` has not placed by then
     * is not kept.
     * @throws what the body, `use` and the object store throw
     */
    async during<T>(body: AsyncIterable<Uint8Array>, use: (file: StagedFile) => Promise<T>): Promise<T> {
      const staged = `${STAGED}${ulid()}`;
      try {
        const { sha256 } = await objects.put(staged, body, { contentType: "application/pdf" });
        // The same file from many at once is copied once.
        const place = () =>
          queue.run(sha256, async () => {
            if (await objects.head(sourceKey(sha256))) return;
            await objects.put(sourceKey(sha256), (await objects.get(staged)).body, { contentType: "application/pdf" });
          });
        return await use({ sha256, place });
      } finally {
        // The sweep removes what stays; what was begun with it is done.
        await objects.delete(staged).catch(() => undefined);
      }
    },
    /** Removes what was left by processes that are gone. */
    async sweep(): Promise<void> {
      for await (const { key, modifiedAt } of objects.list(STAGED)) {
        if (Date.now() - modifiedAt.getTime() > ABANDONED_AFTER_MS) await objects.delete(key);
      }
    },
  };
}
