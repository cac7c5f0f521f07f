import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { madeOnce } from "../../mixins/made-once.ts";
import { SettingsError } from "./reader.ts";

/**
 * Returns this installation's X-Admin-Token: made once, in DATA_DIR, readable by its owner alone.
 * @throws SettingsError if DATA_DIR cannot be used
 */
export function readAdminToken(dataDir: string): string {
  try {
    return madeOnce(join(dataDir, "admin-token"), () => randomBytes(24).toString("base64url"));
  } catch (error) {
    throw new SettingsError(
      `DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code ?? "error"})`,
      { cause: error },
    );
  }
}
