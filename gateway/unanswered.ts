import type { Socket } from "node:net";

/** Requests of one connection that are answered at a time. */
export const MOST_UNANSWERED = 16;

/** Closer blank lines end no head: bodies have many, and small pieces are expensive. */
const SHORTEST_HEAD = "GET / HTTP/1.1\r\n\r\n".length;
const BLANK_LINE = Buffer.from("\r\n\r\n");

interface Hold {
  isHeld: boolean;
  /** `performance.now()` when the last held part was passed on. */
  freedAt: number;
}

const HOLDS = new WeakMap<Socket, Hold>();

/**
 * Whether a client's data waits here for answers to its earlier requests, or did in the last `milliseconds`: then the
 * client is not late.
 */
export function wasHeld(socket: Socket, milliseconds: number): boolean {
  const hold = HOLDS.get(socket);
  return hold !== undefined && (hold.isHeld || performance.now() - hold.freedAt < milliseconds);
}

/** Called for each request of a connection, and for each answer that is sent or given up. */
export interface Unanswered {
  begun(): void;
  over(): void;
}

/**
 * Bounds the unanswered requests of a connection. Node's parser delivers every request of a read at once, thousands if
 * a client does not wait for answers. A blank line ends each request's head: a read is passed on up to as many blank
 * lines as there is room for, and the rest waits unparsed until answers are out; meanwhile nothing is read.
 */
export function boundUnanswered(socket: Socket): Unanswered {
  const push = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  /** Read and not passed on; null is the end. */
  const held: (Buffer | null)[] = [];
  const hold: Hold = { isHeld: false, freedAt: -Infinity };
  HOLDS.set(socket, hold);
  let unanswered = 0;
  /** Bytes of a blank line that the passed part ends in. */
  let begun = 0;

  const pass = (): void => {
    // While it is paused (an answer or body is not taken), what is passed on would be parsed later, without the bound.
    while (held.length > 0 && !socket.isPaused() && (held[0] === null || unanswered < MOST_UNANSWERED)) {
      const chunk = held.shift()!;
      if (chunk === null) push(null);
      // Nothing is parsed after a connection's last request.
      else if (socket.writable) passSome(chunk);
    }
    if (hold.isHeld && held.length === 0) hold.freedAt = performance.now();
    hold.isHeld = held.length > 0;
  };
  const passSome = (chunk: Buffer): void => {
    const text = begun === 0 ? chunk : Buffer.concat([BLANK_LINE.subarray(0, begun), chunk]);
    const end = behindBlankLines(text, MOST_UNANSWERED - unanswered);
    const isWhole = end === text.length;
    if (!isWhole) held.unshift(text.subarray(end));
    const passed = isWhole ? chunk : chunk.subarray(0, end - begun);
    begun = beginningAtEnd(text, end);
    push(passed);
  };

  socket.push = (chunk: Buffer | null) => {
    held.push(chunk);
    pass();
    return held.length === 0;
  };
  socket._read = (size) => {
    if (held.length === 0) read(size);
  };
  // Without a listener, Node's server reads from the socket's handle, past the stream.
  const none = (): void => undefined;
  socket.on("data", none).off("data", none);
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

/** Bytes of a blank line that the first `end` bytes end in; of a whole one none. */
function beginningAtEnd(text: Buffer, end: number): number {
  for (let length = BLANK_LINE.length; length > 0; length -= 1)
    if (endsInBeginning(text, end, length)) return length % BLANK_LINE.length;
  return 0;
}

/** By bytes: each request is looked at, and a buffer for each part would cost more than the look. */
function endsInBeginning(text: Buffer, end: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) if (text[end - length + index] !== BLANK_LINE[index]) return false;
  return true;
}
