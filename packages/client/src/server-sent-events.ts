import { PartlineError } from "./error.ts";

interface ServerSentEvent {
  event?: string;
  data?: string;
  id?: string;
  retry?: string;
}

/**
 * Yields the events of an answer as they come. @throws NETWORK_ERROR if it breaks off, the signal's reason if it was
 * aborted
 */
export async function* readServerSentEvents(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new PartlineError("NETWORK_ERROR", "The stream broke off", { cause });
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) yield parse(block);
    }
  } finally {
    // A caller that has left is not interested in how it ends.
    reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): ServerSentEvent {
  const event: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field) event[field] = event[field] === undefined ? value! : `${event[field]}\n${value}`;
  }
  return event;
}
