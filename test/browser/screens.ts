import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";

/** With RECORD_SCREENS set, the pictures of the documentation are taken again. */
export const RECORDS = Boolean(process.env.RECORD_SCREENS);
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "screens");

/** What the window shows, as `docs/screens/{name}.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!RECORDS) return;
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  await sharp(png)
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(join(FOLDER, `${name}.png`));
}
