import { createHash } from "node:crypto";
import type { StoredObject } from "./port.ts";

/** Passes a body on, then knows its length and hash, or the error that it ended with. */
export function createMeasuredBody(body: AsyncIterable<Uint8Array>): {
  body: AsyncGenerator<Uint8Array>;
  stored(): StoredObject;
  /** The body's own error, which is the caller's affair; `otherwise` unless there was one. */
  failure(otherwise: unknown): unknown;
} {
  const hash = createHash("sha256");
  let bytes = 0;
  let broken: { error: unknown } | undefined;
  const pass = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  return {
    body: pass(),
    stored: () => ({ bytes, sha256: hash.digest("hex") }),
    failure: (otherwise) => (broken ? broken.error : otherwise),
  };
}
