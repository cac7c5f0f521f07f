import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

const NAME = "repl.sock";
/** Longest address of a socket, bytes (Linux takes 107). */
const LONGEST_BYTES = 103;

export function replSocketPath(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Runs `use`, which binds or connects synchronously. Linux's name for an open directory shortens a path beyond the
 * system's limit.
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
