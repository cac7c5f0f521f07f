import type { ServerResponse } from "node:http";
import { PartlineError } from "../mixins/errors.ts";
import { exchangeOf, type EdgeRequest } from "./request/edge-request.ts";

/** Between two looks for new events without a waking event, milliseconds. */
const POLL_MS = 1_000;
/** Longest silence, milliseconds: proxies would close the connection. */
const HEARTBEAT_MS = 15_000;
/** Longest that a client takes over a piece, milliseconds. */
const SILENCE_MS = 60_000;
/**
 * A client that takes half a kilobyte a second is not cut, however large an event is: it would come back for the same
 * one for ever.
 */
const PIECE_BYTES = 32 * 1024;
/** A stream ends after this time, and the client resumes with its credential checked again; milliseconds. */
const LONGEST_MS = 15 * 60_000;
/** A client's pause before it comes back, milliseconds. */
const RETRY_MS = 1_000;
/** Of one entry point at once. */
const MOST_STREAMS = 200;

/** The result of an event stream's action. */
export interface EventPage {
  /** Ascending by position, the id that a client resumes with. */
  events: readonly { position: number }[];
  after: number;
}

export interface EventSource {
  first: EventPage;
  read(after: number): Promise<EventPage>;
  /** Plain Moleculer event that announces new events. */
  wokenBy: string | undefined;
}

export interface EventStreams {
  /** Answers with a stream that begins with a page. @throws SERVICE_UNAVAILABLE if too many are open */
  open(req: EdgeRequest, res: ServerResponse, source: EventSource): void;
  wake(event: string): void;
  /** Ends all; one opened later ends after its first page. */
  end(): void;
}

interface Logger {
  debug(message: string, ...more: unknown[]): void;
}

export function createEventStreams(logger: Logger): EventStreams {
  const streams = new Set<EventStream>();
  let isEnding = false;
  return {
    open: (req, res, source) => {
      // No event reports a client that left while the first page was read.
      if (res.destroyed) return;
      if (streams.size >= MOST_STREAMS)
        throw new PartlineError("SERVICE_UNAVAILABLE", "Too many event streams are open");
      writeHead(req, res);
      if (req.method === "HEAD") {
        res.end();
        return;
      }
      const stream = new EventStream(res, source, logger);
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
    wake: (event) => {
      for (const stream of streams) if (stream.wokenBy === event) stream.wake();
    },
    end: () => {
      isEnding = true;
      for (const stream of streams) stream.end();
    },
  };
}

function writeHead(req: EdgeRequest, res: ServerResponse): void {
  const exchange = exchangeOf(req);
  exchange.answeredAt = performance.now();
  res.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": exchange.requestId,
    ...exchange.headers,
  });
}

/** Writes page by page as the client takes it, so that a slow one costs one page. */
class EventStream {
  readonly wokenBy: string | undefined;
  readonly #res: ServerResponse;
  readonly #source: EventSource;
  readonly #logger: Logger;
  #isEnded = false;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;
  #writtenAt = performance.now();

  constructor(res: ServerResponse, source: EventSource, logger: Logger) {
    this.#res = res;
    this.#source = source;
    this.#logger = logger;
    this.wokenBy = source.wokenBy;
  }

  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeUp();
  }

  async run(): Promise<void> {
    const endsAt = performance.now() + LONGEST_MS;
    let page = this.#source.first;
    await this.#write(page.events.length > 0 ? `retry: ${RETRY_MS}\n\n` : `retry: ${RETRY_MS}\n${placeOf(page)}`);
    for (;;) {
      for (const event of page.events) await this.#write(`id: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`);
      if (this.#isEnded || performance.now() >= endsAt) break;
      if (page.events.length === 0) await this.#rest(page);
      if (this.#isEnded) break;
      page = await this.#next(page.after);
    }
    this.#res.end();
  }

  /** A lost node or store costs a pause: the next read continues at the same place. */
  async #next(after: number): Promise<EventPage> {
    this.#isWoken = false;
    try {
      return await this.#source.read(after);
    } catch (error) {
      this.#logger.debug("An event stream could not read on", error);
      return { events: [], after };
    }
  }

  async #rest(page: EventPage): Promise<void> {
    if (performance.now() - this.#writtenAt >= HEARTBEAT_MS) await this.#write(`: still here\n${placeOf(page)}`);
    if (this.#isWoken || this.#isEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      await this.#writePiece(bytes.subarray(from, from + PIECE_BYTES));
  }

  async #writePiece(piece: Buffer): Promise<void> {
    if (this.#res.destroyed) return;
    this.#writtenAt = performance.now();
    if (this.#res.write(piece)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#res.destroy(), SILENCE_MS);
      const goOn = (): void => {
        clearTimeout(timer);
        this.#res.off("drain", goOn).off("close", goOn);
        resolve();
      };
      this.#res.on("drain", goOn).on("close", goOn);
    });
  }
}

/** Without data it is no event, but the id that a client resumes with. */
function placeOf({ after }: EventPage): string {
  return `id: ${after}\n\n`;
}
