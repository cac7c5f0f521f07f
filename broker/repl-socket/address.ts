import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** In DATA_DIR. */
const NAME = "repl.sock";
/** Longest address of a socket on the systems that Node runs on (Linux takes 107); bytes. */
const LONGEST_BYTES = 103;

export function replSocketPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Runs `use`, which binds or connects before it returns, with an address of the socket that fits into the system's
 * limit. A path that is too long is shortened by Linux's name for an open directory; elsewhere the system refuses it.
 */
export function withSocketAddress<T>(dataDir: string, use: (address: string) => T): T {
  const path = replSocketPath(dataDir);
  if (Buffer.byteLength(path) <= LONGEST_BYTES || process.platform !== "linux") return use(path);
  const directory = openSync(dataDir, "r");
  try {
    return use(join(`/proc/self/fd/${directory}`, NAME));
  } finally {
    closeSync(directory);
  }
}
