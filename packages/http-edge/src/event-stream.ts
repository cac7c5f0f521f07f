import type { ServerResponse } from "node:http";
import { getExchange, type EdgeRequest } from "./edge-request.ts";
import { writePiece, writeStreamHead } from "./sse.ts";
import { CodedError } from "@partline/toolkit";

/** Between looks without a waking event, milliseconds. */
const POLL_MS = 1_000;
/** Milliseconds: proxies close silent connections. */
const HEARTBEAT_MS = 15_000;
/** Longest that a client takes over a piece, milliseconds. */
const SILENCE_MS = 60_000;
/**
 * Bytes per write. A client that reads 32 KiB in SILENCE_MS is not cut, however large an event is; otherwise it would
 * reconnect and fail for ever.
 */
const PIECE_BYTES = 32 * 1024;
/** Between looks at the client's credential, milliseconds. */
const CREDENTIAL_MS = 1_000;
/** Longest stream, milliseconds; the client then resumes it. */
const LONGEST_MS = 15 * 60_000;
const RETRY_MS = 1_000;
const MOST_STREAMS = 200;

/** The result of an event stream's action. */
export interface EventPage {
  /** Ascending by position, the id that a client resumes with. */
  events: readonly { position: number }[];
  after: number;
  /** The stream ends; a client that comes back gets 204, so it stays away. */
  ends?: boolean;
}

interface EventSource {
  first: EventPage;
  read(after: number): Promise<EventPage>;
  /** Fails once the credential no longer opens the stream. */
  mayRead(): Promise<unknown>;
  /** Plain Moleculer event that announces new events. */
  wokenBy: string | undefined;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

interface Logger {
  debug(message: string, ...more: unknown[]): void;
}

export function createEventStreams(logger: Logger) {
  const streams = new Set<ReturnType<typeof createEventStream>>();
  let isEnding = false;
  return {
    /** Answers with a stream that begins with a page. @throws SERVICE_UNAVAILABLE if too many are open */
    open(req: EdgeRequest, res: ServerResponse, source: EventSource): void {
      // No event reports a client that left while the first page was read.
      if (res.destroyed) return;
      if (streams.size >= MOST_STREAMS) throw new CodedError("SERVICE_UNAVAILABLE", "Too many event streams are open");
      getExchange(req).answeredAt = performance.now();
      const isOver = source.first.ends === true && source.first.events.length === 0;
      writeStreamHead(req, res, isOver ? 204 : 200);
      if (req.method === "HEAD" || isOver) {
        res.end();
        return;
      }
      const stream = createEventStream(res, source, logger);
      streams.add(stream);
      res.on("close", () => {
        stream.end();
        streams.delete(stream);
      });
      if (isEnding) stream.end();
      stream.run().catch((error: unknown) => {
        logger.debug("An event stream broke off", error);
        res.destroy();
      });
    },
    wake(event: string): void {
      for (const stream of streams) if (stream.wokenBy === event) stream.wake();
    },
    /** Ends all; one opened later ends after its first page. */
    end(): void {
      isEnding = true;
      for (const stream of streams) stream.end();
    },
  };
}

/** Writes page by page as the client takes it, so that a slow one costs one page. */
function createEventStream(
  res: ServerResponse,
  { first, read: readEvent, mayRead, wokenBy }: EventSource,
  logger: Logger,
) {
  let isEnded = false;
  let isWoken = false;
  let wakeUp = (): void => undefined;
  let writtenAt = performance.now();

  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      writtenAt = performance.now();
      await writePiece(res, bytes.subarray(from, from + PIECE_BYTES), SILENCE_MS);
    }
  };
  /** A lost node or store costs a pause: the next read continues at the same place. */
  const next = async (after: number): Promise<EventPage> => {
    isWoken = false;
    try {
      return await readEvent(after);
    } catch (error) {
      logger.debug("An event stream could not read on", error);
      return { events: [], after };
    }
  };
  let allowedAt = performance.now();
  const isAllowed = async (): Promise<boolean> => {
    if (performance.now() - allowedAt < CREDENTIAL_MS) return true;
    allowedAt = performance.now();
    return mayRead().then(
      () => true,
      () => false,
    );
  };
  const rest = async (page: EventPage): Promise<void> => {
    if (performance.now() - writtenAt >= HEARTBEAT_MS) await write(`: still here\n${formatPosition(page)}`);
    if (isWoken || isEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, POLL_MS);
    wakeUp = resolve;
    await promise;
    clearTimeout(timer);
  };

  return {
    wokenBy,
    wake: () => {
      isWoken = true;
      wakeUp();
    },
    end: () => {
      isEnded = true;
      wakeUp();
    },
    run: async (): Promise<void> => {
      const endsAt = performance.now() + LONGEST_MS;
      let page = first;
      await write(page.events.length > 0 ? `retry: ${RETRY_MS}\n\n` : `retry: ${RETRY_MS}\n${formatPosition(page)}`);
      for (;;) {
        for (const event of page.events) await write(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`);
        if (isEnded || page.ends || performance.now() >= endsAt) break;
        if (page.events.length === 0) await rest(page);
        if (isEnded || !(await isAllowed())) break;
        page = await next(page.after);
      }
      res.end();
    },
  };
}

/** No event, but the id that a client resumes with. */
function formatPosition({ after }: EventPage): string {
  return `id: ${after}\n\n`;
}
