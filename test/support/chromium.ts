import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Of the machine: apt-get install chromium-headless-shell, which draws no window of its own, or chromium. */
export const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);

export function openBrowser(...args: string[]): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("There is no Chromium in /usr/bin");
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--no-proxy-server", ...args] });
}
