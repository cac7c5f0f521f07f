import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, type Settings } from "../../broker/settings.ts";
import { readShopSettings } from "../../services/shared/settings.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";

/** Settings as on a fresh start, with a DATA_DIR of their own. */
export function testSettings(env: Record<string, string> = {}): Settings {
  return loadSettings(
    { DATA_DIR: mkdtempSync(join(tmpdir(), "partline-test-")), LOG_LEVEL: "fatal", ...env },
    "0.0.0-test",
    readShopSettings(SUPPLIERS),
  );
}
