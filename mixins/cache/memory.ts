import { LRUCache } from "lru-cache";
import { MOST_BYTES, type Cache } from "./port.ts";

/** All keys and bytes that are kept. */
const MOST_KEPT = 32 * 1024 * 1024;
/** What an entry takes beside its key and its bytes, roughly. */
const ENTRY_BYTES = 300;

interface Kept {
  version: string;
  bytes: Buffer;
}

/** Those that were used last, up to 32 MiB. */
export function memoryCache(): Cache {
  const kept = new LRUCache<string, Kept>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + ENTRY_BYTES,
  });
  const versions = new Map<string, number>();
  let beginning = 0;

  return {
    backend: "memory",
    look: (key, sources) => {
      const version = [beginning, ...sources.map((source) => versions.get(source) ?? 0)].join(" ");
      const found = kept.get(key);
      return Promise.resolve(found?.version === version ? { version, bytes: found.bytes } : { version });
    },
    keep: (key, { version }, bytes, ttl) => {
      const isKept = bytes.length <= MOST_BYTES;
      if (isKept) kept.set(key, { version, bytes }, { ttl });
      return Promise.resolve(isKept);
    },
    changed: (source) => {
      versions.set(source, (versions.get(source) ?? 0) + 1);
      return Promise.resolve();
    },
    // Who asks for the same in one process is told by who keeps it.
    claim: () => Promise.resolve({ release: () => Promise.resolve() }),
    forget: () => {
      beginning += 1;
      kept.clear();
    },
  };
}
