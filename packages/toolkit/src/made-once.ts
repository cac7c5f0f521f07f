import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Returns the content of a file that one of several processes makes at its first start. The file, and a directory made
 * for it, are for the owner alone. @throws the file system's errors
 */
export function makeOnce(path: string, make: () => string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    ignoreCode("ENOENT", error);
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, make(), { mode: 0o600, flush: true });
  try {
    // A link appears whole or not at all, and only for the first.
    linkSync(draft, path);
  } catch (error) {
    ignoreCode("EEXIST", error);
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}

function ignoreCode(code: string, error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== code) throw error;
}
