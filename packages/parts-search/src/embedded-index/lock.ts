import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "@partline/toolkit";
import { SearchIndexError } from "../search-index/port.ts";

/**
 * Makes a directory this process's own.
 * @param name of the index, as in "The search index is unavailable"
 * @throws UNAVAILABLE when another process has it
 */
export function lockDirectory(directory: string, name: string, onMoved: (reason: string) => void = () => undefined) {
  mkdirSync(directory, { recursive: true });
  const lock = lockFile(join(directory, "lock.db"));
  if (!lock)
    throw new SearchIndexError(
      "UNAVAILABLE",
      `The ${name} is open in another process, and an embedded one serves one process only`,
    );
  const file = lock.file.watch(onMoved);
  const createUnavailable = (reason: string, options?: ErrorOptions): SearchIndexError =>
    new SearchIndexError("UNAVAILABLE", `The ${name} is unavailable: ${reason}`, options);
  return {
    unavailable: createUnavailable,
    /** @throws UNAVAILABLE when the directory was moved or removed */
    assertThere: (): void => {
      if (file.moved !== undefined) throw createUnavailable(file.moved);
    },
    release: lock.release,
  };
}
