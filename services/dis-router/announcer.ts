import { LRUCache } from "lru-cache";
import type { Channels, DocumentStore } from "@partline/durable";
import { withScope } from "@partline/toolkit";
import { outbox } from "../contracts.ts";
import type { InquiredPart } from "./inquiries.ts";

/**
 * Bounds the catalog writes that a flood of questions causes, for each process: one event of `MOST_PARTS` in
 * `PAUSE_MS`, and one word about a part in `TOLD_AGAIN_MS` while the dealer says the same.
 */
const MOST_PARTS = 400;
const PAUSE_MS = 1_000;
/** A page's questions are answered in several batches, which share an event. */
const GATHER_MS = 50;
/** A price file may say something else meanwhile, so a known word is repeated after this time. */
const TOLD_AGAIN_MS = 60_000;
/** Most parts that wait for their event; others are announced when they are asked about again. */
const MOST_WAITING = 5_000;
const MOST_REMEMBERED = 20_000;

export type Announcer = ReturnType<typeof createAnnouncer>;

/** Announces by `dealer.answered` what the dealer said, gathered. */
export function createAnnouncer({
  documents,
  channels,
  logger,
}: {
  documents: Pick<DocumentStore, "atomically">;
  channels: Pick<Channels, "wake">;
  logger: { warn(message: string, error: unknown): void };
}) {
  const announcedWords = new LRUCache<string, { json: string; at: number }>({ max: MOST_REMEMBERED });
  const waiting = new Map<string, ReturnType<typeof toWord>>();
  let pause: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = [...waiting].slice(0, MOST_PARTS);
    for (const [key] of batch) waiting.delete(key);
    try {
      await documents.atomically([outbox("dealer.answered", { parts: batch.map(([, word]) => word) })]);
      channels.wake();
    } catch (error) {
      for (const [key] of batch) announcedWords.delete(key);
      logger.warn(
        "The dealer's answers could not be announced to the catalog; the next question announces them again",
        error,
      );
    }
  };
  const writeNow = (): void => {
    writing = write();
    pause = setTimeout(() => {
      pause = undefined;
      if (waiting.size > 0) writeNow();
    }, PAUSE_MS).unref();
  };

  return {
    /** Takes the dealer's current word on parts, and returns at once. Unknown ones are left out. */
    note: (parts: readonly InquiredPart[]): void => {
      const now = Date.now();
      for (const part of parts) {
        if (part.error !== null || part.saidAt === null) continue;
        const word = toWord(part, part.saidAt);
        const key = `${word.vendor} ${word.partNumber}`;
        const json = JSON.stringify({ ...word, saidAt: undefined });
        const last = announcedWords.get(key);
        if (last?.json === json && now - last.at < TOLD_AGAIN_MS) continue;
        if (waiting.size >= MOST_WAITING && !waiting.has(key)) continue;
        announcedWords.set(key, { json, at: now });
        waiting.set(key, word);
      }
      // It may belong to many requests, and be none of their doing.
      if (waiting.size > 0) pause ??= withScope(undefined, () => setTimeout(writeNow, GATHER_MS).unref());
    },
    /** Writes what waits. */
    stop: async (): Promise<void> => {
      clearTimeout(pause);
      await writing;
      while (waiting.size > 0) await write();
    },
  };
}

function toWord({ vendor, partNumber, found: isFound, price, quantity, available }: InquiredPart, saidAt: Date) {
  const fields = { found: isFound === true, price, quantity, available, saidAt: saidAt.toISOString() };
  return { vendor: vendor.toUpperCase(), partNumber, ...fields };
}
