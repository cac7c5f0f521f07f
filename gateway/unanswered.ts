import type { Socket } from "node:net";

/** Requests of one connection that are answered at a time. */
export const MOST_UNANSWERED = 16;

/** A blank line sooner behind another ends no head: bodies have many, and small pieces of them cost. */
const SHORTEST_HEAD = "GET / HTTP/1.1\r\n\r\n".length;
const BLANK_LINE = Buffer.from("\r\n\r\n");
/** What a read may end in, and the next one make a blank line of; the longest first. */
const BEGINNINGS = [3, 2, 1, 0].map((length) => BLANK_LINE.subarray(0, length));

interface Hold {
  isHeld: boolean;
  /** When what was held last had been passed on, by the process's clock. */
  freedAt: number;
}

const HOLDS = new WeakMap<Socket, Hold>();

/**
 * Whether what a client sent waits here for answers to its earlier requests, or did so in the last `milliseconds`: the
 * client is not late.
 */
export function wasHeld(socket: Socket, milliseconds: number): boolean {
  const hold = HOLDS.get(socket);
  return hold !== undefined && (hold.isHeld || performance.now() - hold.freedAt < milliseconds);
}

/** Told by the server of each request of a connection, and of each answer that is sent or given up. */
export interface Unanswered {
  begun(): void;
  over(): void;
}

/**
 * Bounds the unanswered requests of a connection. Node's parser delivers every request of a read at once, thousands
 * where a client does not wait for answers. Every request ends its head with a blank line: a read is therefore passed
 * on only as far as the blank lines that there is room for, and the rest waits, unparsed, until answers have gone
 * out; meanwhile nothing more is read.
 */
export function boundUnanswered(socket: Socket): Unanswered {
  const push = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  /** What was read and is not passed on; null is the end. */
  const held: (Buffer | null)[] = [];
  const hold: Hold = { isHeld: false, freedAt: -Infinity };
  HOLDS.set(socket, hold);
  let unanswered = 0;
  let begun: Buffer = BLANK_LINE.subarray(0, 0);

  const pass = (): void => {
    // While it is paused (an answer or a body is not taken), what is passed on would be
    // parsed later without a look at the bound.
    while (held.length > 0 && !socket.isPaused() && (held[0] === null || unanswered < MOST_UNANSWERED)) {
      const chunk = held.shift()!;
      if (chunk === null) push(null);
      // What follows the last request of a connection is not parsed.
      else if (socket.writable) passSome(chunk);
    }
    if (hold.isHeld && held.length === 0) hold.freedAt = performance.now();
    hold.isHeld = held.length > 0;
  };
  const passSome = (chunk: Buffer): void => {
    const text = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const passed = text.subarray(0, behindBlankLines(text, MOST_UNANSWERED - unanswered));
    const end = passed.length - begun.length;
    if (end < chunk.length) held.unshift(chunk.subarray(end));
    begun = beginningAtEnd(passed);
    push(chunk.subarray(0, end));
  };

  socket.push = (chunk: Buffer | null) => {
    held.push(chunk);
    pass();
    return held.length === 0;
  };
  socket._read = (size) => {
    if (held.length === 0) read(size);
  };
  // Node's server reads past the stream, straight from the socket's handle, unless somebody listens to the stream.
  socket.on("data", () => undefined);
  socket.on("resume", pass);
  return {
    begun: () => {
      unanswered += 1;
    },
    over: () => {
      unanswered -= 1;
      pass();
    },
  };
}

function behindBlankLines(chunk: Buffer, most: number): number {
  let end = 0;
  for (let count = 0; count < most; count += 1) {
    const at = chunk.indexOf(BLANK_LINE, count === 0 ? 0 : end + SHORTEST_HEAD - BLANK_LINE.length);
    if (at === -1) return chunk.length;
    end = at + BLANK_LINE.length;
  }
  return end;
}

function beginningAtEnd(text: Buffer): Buffer {
  const rest = endsIn(text, BLANK_LINE) ? BLANK_LINE.subarray(BLANK_LINE.length) : text;
  return BEGINNINGS.find((beginning) => endsIn(rest, beginning))!;
}

function endsIn(text: Buffer, end: Buffer): boolean {
  return text.length >= end.length && text.subarray(text.length - end.length).equals(end);
}
