import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";

/** True if RECORD_SCREENS is set: the suites then take the pictures of the documentation again. */
export const RECORDS = Boolean(process.env.RECORD_SCREENS);
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "screens");

/** Takes a picture of the window as `docs/screens/{name}.webp`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!RECORDS) return;
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  await sharp(png)
    .webp({ quality: 60, effort: 6, smartSubsample: true })
    .toFile(join(FOLDER, `${name}.webp`));
}
