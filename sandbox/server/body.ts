import type { IncomingMessage } from "node:http";

export class PayloadTooLargeError extends Error {
  constructor(limit: number) {
    super(`The request body is larger than ${limit} bytes`);
    this.name = "PayloadTooLargeError";
  }
}

/** The caller went away before it had sent everything: there is nobody to answer. */
export class RequestCutOffError extends Error {
  constructor() {
    super("The request was cut off");
    this.name = "RequestCutOffError";
  }
}

/**
 * Reads a request's whole body. Rejects with `PayloadTooLargeError` as soon as it passes `limit` bytes, with
 * `RequestCutOffError` when the connection ends before the body does.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // The rest is let through unkept: a caller that is still sending would not see the answer of a closed connection.
      if (size > limit) reject(new PayloadTooLargeError(limit));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(new RequestCutOffError()));
    request.once("close", () => reject(new RequestCutOffError()));
  });
}
