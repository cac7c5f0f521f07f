import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "./reader.ts";

/**
 * The X-Admin-Token of this installation: made once, kept in DATA_DIR, readable by its owner alone.
 * @throws SettingsError when DATA_DIR cannot be used
 */
export function readAdminToken(dataDir: string): string {
  try {
    return readOrMake(dataDir);
  } catch (error) {
    throw new SettingsError(`DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code ?? "error"})`, { cause: error });
  }
}

function readOrMake(dataDir: string): string {
  const file = join(dataDir, "admin-token");
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(24).toString("base64url"), { mode: 0o600 });
  try {
    // A link appears whole or not at all: of several processes that start together, one makes the token, all read it.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, "utf8").trim();
}
