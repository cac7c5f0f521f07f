import type { Readable } from "node:stream";
import { errorCode, PartlineError } from "../errors.ts";

/**
 * A body as it arrives. What is left unread of it when nobody wants more is read to nowhere, so that the request can be
 * answered: destroyed, it takes its connection with it.
 * @throws CLIENT_CLOSED_REQUEST
 */
export async function* streamBody(body: Readable | undefined): AsyncGenerator<Buffer, void> {
  if (!body) return;
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  } catch (error) {
    throw brokenOff(error);
  } finally {
    body.on("error", () => undefined).resume();
  }
}

/** Converts the failure of a body: its client left, unless the code says otherwise. */
export function brokenOff(failure: unknown): unknown {
  const message = "The client closed the connection before the end of the body";
  return errorCode(failure) === undefined
    ? new PartlineError("CLIENT_CLOSED_REQUEST", message, undefined, { cause: failure })
    : failure;
}

interface Acceptance {
  /** Noun in the message of PAYLOAD_TOO_LARGE: `image`. */
  what: string;
  mostBytes: number;
  /** Bytes at the beginning that show what it is. */
  headBytes: number;
  /** Returns why it is refused by its beginning, which is shorter only if the whole is. */
  refusalOf(head: Buffer): PartlineError | undefined;
}

/**
 * Passes a body on as it arrives. What is refused is read to its end all the same (at most as much again), since a
 * client that is sending does not read why.
 * @throws the refusal, at the end of what is read
 */
export async function* acceptedBody(
  source: AsyncIterable<Uint8Array>,
  { what, mostBytes, headBytes, refusalOf }: Acceptance,
): AsyncGenerator<Uint8Array, void> {
  let head = Buffer.alloc(0);
  let bytes = 0;
  let refused: PartlineError | undefined;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > 2 * mostBytes) break;
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes)]);
    if (head.length >= headBytes) refused ??= refusalOf(head);
    if (bytes > mostBytes)
      refused ??= new PartlineError("PAYLOAD_TOO_LARGE", `The ${what} is larger than ${mostBytes} bytes`);
    if (!refused) yield chunk;
  }
  refused ??= refusalOf(head);
  if (refused) throw refused;
}
