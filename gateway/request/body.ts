import type { IncomingMessage } from "node:http";
import { PartlineError } from "../../mixins/errors.ts";
import { wasHeld } from "../unanswered.ts";

export interface BodyLimits {
  bytes: number;
  /** Longest time from the head to the last byte. */
  milliseconds: number;
}

/** With the rest of a call it fits a message of NATS: 1 MiB unless an operator says otherwise. */
export const BODY_LIMITS: BodyLimits = { bytes: 1_000_000, milliseconds: 30_000 };

/**
 * What is read and thrown away of a body that is too large, so that a client which is still sending gets to read its
 * 413; one that sends more is cut off.
 */
const DISCARDED_BYTES = 16 * 1024 * 1024;

/** The media type of a Content-Type header, lower case, without parameters; "" when there is none. */
export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** Whether the request announces a body; an empty one counts as none. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Whether what a client is still sending is too much to be read and thrown away for the sake of its connection.
 * (Closing one while the client sends makes it lose the answer.)
 */
export function leavesMuchUnread(req: IncomingMessage): boolean {
  if (req.complete || !hasBody(req)) return false;
  return Number(req.headers["content-length"] ?? Infinity) > DISCARDED_BYTES;
}

/**
 * What a client is still sending when it is answered is read and thrown away for so long; then its connection is ended.
 * Nothing else ends one that sends a byte now and then.
 */
export function limitRest(req: IncomingMessage, milliseconds = BODY_LIMITS.milliseconds): void {
  if (req.complete || !hasBody(req)) return;
  const timer = timeOf(req, milliseconds, () => req.socket.destroy()).unref();
  req.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
}

/** The time that a body has to arrive. It begins anew while it waits here for answers to earlier requests. */
function timeOf({ socket }: IncomingMessage, milliseconds: number, late: () => void): NodeJS.Timeout {
  const timer = setTimeout(() => {
    if (wasHeld(socket, milliseconds)) timer.refresh();
    else late();
  }, milliseconds);
  return timer;
}

/** @throws UNSUPPORTED_MEDIA_TYPE for a Content-Encoding: what a body unpacks to has no bound */
export function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", "The body must not have a Content-Encoding");
  }
}

/** @throws PAYLOAD_TOO_LARGE for a Content-Length above it */
export function refuseAnnounced({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): PartlineError {
  return new PartlineError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes`);
}

/**
 * Reads the whole body.
 * @throws PAYLOAD_TOO_LARGE, TIMEOUT, UNSUPPORTED_MEDIA_TYPE (a Content-Encoding)
 */
export async function readBody(req: IncomingMessage, limits: BodyLimits = BODY_LIMITS): Promise<Buffer> {
  if (!hasBody(req)) return Buffer.alloc(0);
  refuseEncoding(req);
  if (req.destroyed) throw new ClientGoneError();
  if (Number(req.headers["content-length"] ?? 0) > DISCARDED_BYTES) throw tooLarge(limits.bytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limits.bytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > DISCARDED_BYTES) settle(() => reject(tooLarge(limits.bytes)));
    };
    const onEnd = (): void =>
      settle(() => (size > limits.bytes ? reject(tooLarge(limits.bytes)) : resolve(Buffer.concat(chunks, size))));
    const onCut = (): void => settle(() => reject(new ClientGoneError()));
    const timer = timeOf(req, limits.milliseconds, () =>
      settle(() => reject(new PartlineError("TIMEOUT", "The body did not arrive in time"))),
    );
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

/** The client hung up before its request was whole; there is nobody to answer. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/**
 * Ends a streamed body whose sender falls silent for one to two times as long. A consumer that is slow to read is not
 * the sender's fault, and does not count, nor does a wait for answers to earlier requests, but one who leaves room for
 * more and gets none waits for the sender. (A socket's own timeout would also end the wait for the answer.)
 */
export function limitSilence(req: IncomingMessage, milliseconds: number): void {
  // It closed while the client's right to it was looked at: no event tells of that any more.
  if (req.destroyed) return;
  let received = req.socket.bytesRead;
  const timer = setInterval(() => {
    const silent =
      req.socket.bytesRead === received &&
      req.readableLength < req.readableHighWaterMark &&
      !wasHeld(req.socket, milliseconds);
    received = req.socket.bytesRead;
    if (req.complete) clearInterval(timer);
    else if (silent) req.destroy(new PartlineError("TIMEOUT", "The body stopped arriving"));
  }, milliseconds);
  req.once("close", () => clearInterval(timer));
}
