import { ulid } from "ulid";
import { KeyedQueue } from "../../../mixins/keyed-queue.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import { sourceKey, STAGED } from "../object-keys.ts";

/** What was staged so long ago, in milliseconds, is of a process that is gone. */
const ABANDONED_AFTER_MS = 6 * 60 * 60_000;

export interface StagedFile {
  sha256: string;
  bytes: number;
}

/** Files on their way to the place that their hash gives them, which is known when all of a file has come. */
export interface Staging {
  /**
   * Keeps a body under its hash when all of it has come and `condition`, where there is one, has resolved; what is refused or breaks off is not kept.
   * @throws what the body, the condition and the object store throw
   */
  keep(body: AsyncIterable<Uint8Array>, condition?: Promise<unknown>): Promise<StagedFile>;
  /** Removes what was left by processes that are gone. */
  sweep(): Promise<void>;
}

export function createStaging(objects: ObjectStore): Staging {
  const queue = new KeyedQueue();
  return {
    keep: async (body, condition) => {
      const staged = `${STAGED}${ulid()}`;
      try {
        const { sha256, bytes } = await objects.put(staged, body, { contentType: "application/pdf" });
        await condition;
        // The same file from many at once is moved once.
        await queue.run(sha256, async () => {
          if (await objects.head(sourceKey(sha256))) return;
          await objects.put(sourceKey(sha256), (await objects.get(staged)).body, { contentType: "application/pdf" });
        });
        return { sha256, bytes };
      } finally {
        await objects.delete(staged);
      }
    },
    sweep: async () => {
      for await (const { key, modifiedAt } of objects.list(STAGED)) {
        if (Date.now() - modifiedAt.getTime() > ABANDONED_AFTER_MS) await objects.delete(key);
      }
    },
  };
}
