import type { Readable } from "node:stream";

/**
 * A body as it arrives. What is left unread of it when nobody wants more is read to nowhere, so that the request can be
 * answered: destroyed, it takes its connection with it.
 */
export async function* bodyOf(body: Readable | undefined): AsyncGenerator<Buffer, void> {
  if (!body) return;
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  } finally {
    body.on("error", () => undefined).resume();
  }
}
