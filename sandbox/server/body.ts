import type { IncomingMessage } from "node:http";

export class PayloadTooLargeError extends Error {
  constructor(limit: number) {
    super(`The request body is larger than ${limit} bytes`);
    this.name = "PayloadTooLargeError";
  }
}

/** The client left before it had sent everything. */
export class RequestCutOffError extends Error {
  constructor() {
    super("The request was cut off");
    this.name = "RequestCutOffError";
  }
}

/**
 * Reads a request's whole body.
 * @throws PayloadTooLargeError above `limit` bytes; RequestCutOffError if the connection ends before the body
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped: a client that is still sending would not see the answer of a closed connection.
      if (size > limit) reject(new PayloadTooLargeError(limit));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(new RequestCutOffError()));
    request.once("close", () => reject(new RequestCutOffError()));
  });
}
