import { createHash } from "node:crypto";
import type { StoredObject } from "./port.ts";

/** Hands a body on as it is, and knows its length and hash when it is over. */
export function measured(body: AsyncIterable<Uint8Array>): {
  body: AsyncGenerator<Uint8Array>;
  stored(): StoredObject;
} {
  const hash = createHash("sha256");
  let bytes = 0;
  const pass = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  return { body: pass(), stored: () => ({ bytes, sha256: hash.digest("hex") }) };
}
