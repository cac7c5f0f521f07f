import { createHash } from "node:crypto";
import type { StoredObject } from "./port.ts";

/** Passes a body on, then knows its length and hash. */
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
