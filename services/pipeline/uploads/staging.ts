import { KeyedQueue, ulid } from "@partline/toolkit";
import type { ObjectStore } from "@partline/durable";
import { getSourceKey, STAGED } from "../object-keys.ts";

/** Milliseconds; an older staged file is of a process that is gone. */
const ABANDONED_AFTER_MS = 6 * 60 * 60_000;

export type Staging = ReturnType<typeof createStaging>;

/** Files on their way to the place that their hash gives them. */
export function createStaging(objects: ObjectStore) {
  const queue = new KeyedQueue();
  return {
    /**
     * Keeps a body, once all of it has come, while it is used; `place` copies it to where its hash says.
     * @throws what the body, `use` and the object store throw
     */
    async useStaged<T>(
      body: AsyncIterable<Uint8Array>,
      use: (file: { sha256: string; place(): Promise<void> }) => Promise<T>,
    ): Promise<T> {
      const staged = `${STAGED}${ulid()}`;
      try {
        const { sha256 } = await objects.put(staged, body, { contentType: "application/pdf" });
        // The same file from many at once is copied once.
        const place = () =>
          queue.run(sha256, async () => {
            if (await objects.head(getSourceKey(sha256))) return;
            await objects.put(getSourceKey(sha256), (await objects.get(staged)).body, {
              contentType: "application/pdf",
            });
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
