import type { IncomingMessage } from "node:http";
import { CodedError, getAt } from "@partline/toolkit";

interface BodyLimits {
  bytes: number;
  /** Time limit from the head to the last byte. */
  milliseconds: number;
}

/** Fits a message of NATS (1 MiB by default) with the rest of a call. */
export const BODY_LIMITS: BodyLimits = { bytes: 1_000_000, milliseconds: 30_000 };

/**
 * Bytes of an oversized body that are discarded: a client that is still sending reads its 413. A larger one is cut off.
 */
const DISCARDED_BYTES = 16 * 1024 * 1024;

/** The media type, lower case, without parameters; "" without a header. */
export function getMediaType(header: string | undefined): string {
  return getAt((header ?? "").split(";", 1), 0)
    .trim()
    .toLowerCase();
}

/** Returns whether the request has a body; an empty one counts as none. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Returns whether the unread body is too long to discard. (A client that is sending loses the answer if its connection
 * is closed.)
 */
export function isMuchUnread(req: IncomingMessage): boolean {
  if (req.complete || !hasBody(req)) return false;
  return Number(req.headers["content-length"] ?? Infinity) > DISCARDED_BYTES;
}

/** One of each request: it bounds the silence in the body until the answer, and then the rest of the body. */
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function setTimer(req: IncomingMessage, timer: NodeJS.Timeout): void {
  clearTimeout(timers.get(req));
  timers.set(req, timer);
  const clear = (): void => clearTimeout(timer);
  req.once("end", clear).once("close", clear);
}

/** Discards the rest of a body for so long after the answer: nothing else ends one that sends a byte now and then. */
export function limitRest(req: IncomingMessage, milliseconds = BODY_LIMITS.milliseconds): void {
  if (!req.complete && hasBody(req)) setTimer(req, setTimeout(() => req.socket.destroy(), milliseconds).unref());
}

/** @throws UNSUPPORTED_MEDIA_TYPE for a Content-Encoding: the unpacked size is unbounded */
export function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new CodedError("UNSUPPORTED_MEDIA_TYPE", "The body must not have a Content-Encoding");
  }
}

/** @throws PAYLOAD_TOO_LARGE for a Content-Length above it */
export function refuseAnnounced({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw createTooLargeError(maxBytes);
}

function createTooLargeError(maxBytes: number): CodedError {
  return new CodedError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes`);
}

/** @throws PAYLOAD_TOO_LARGE, TIMEOUT, UNSUPPORTED_MEDIA_TYPE (a Content-Encoding) */
export async function readBody(req: IncomingMessage, limits: BodyLimits = BODY_LIMITS): Promise<Buffer> {
  if (!hasBody(req)) return Buffer.alloc(0);
  refuseEncoding(req);
  if (req.destroyed) throw new ClientGoneError();
  if (Number(req.headers["content-length"] ?? 0) > DISCARDED_BYTES) throw createTooLargeError(limits.bytes);
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
      if (size > DISCARDED_BYTES) settle(() => reject(createTooLargeError(limits.bytes)));
    };
    const onEnd = (): void =>
      settle(() =>
        size > limits.bytes ? reject(createTooLargeError(limits.bytes)) : resolve(Buffer.concat(chunks, size)),
      );
    const onCut = (): void => settle(() => reject(new ClientGoneError()));
    const timer = setTimeout(
      () => settle(() => reject(new CodedError("TIMEOUT", "The body did not arrive in time"))),
      limits.milliseconds,
    );
    req.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

/** The client hung up before its request was whole. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/**
 * Ends a streamed body whose sender is silent for one to two times as long before the answer. A slow consumer does not
 * count. (A socket's timeout would also end the wait for the answer.)
 */
export function limitSilence(req: IncomingMessage, milliseconds: number): void {
  // It closed during authentication.
  if (req.destroyed) return;
  let received = req.socket.bytesRead;
  const timer = setInterval(() => {
    const silent = req.socket.bytesRead === received && req.readableLength < req.readableHighWaterMark;
    received = req.socket.bytesRead;
    if (req.complete) clearInterval(timer);
    else if (silent) req.destroy(new CodedError("TIMEOUT", "The body stopped arriving"));
  }, milliseconds);
  setTimer(req, timer);
}
