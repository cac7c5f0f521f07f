import type { AxeResults } from "axe-core";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import { test } from "@jest/globals";
import { CHROMIUM } from "../support/chromium.ts";
import { nameClient } from "../support/client-address.ts";
import { eventually } from "../support/eventually.ts";

export { openBrowser } from "../support/chromium.ts";

/** A test that needs a browser. */
export function browserTest(...given: Parameters<typeof test>): void {
  (CHROMIUM ? test : test.skip)(...given);
}
export const hasBrowser = CHROMIUM !== undefined;

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const LONGEST_WAIT_MS = 30_000;
export const VIEWPORT = { width: 1280, height: 900 };
/** What each page asked for and was not answered yet. */
const unanswered = new WeakMap<Page, Set<Request>>();

/**
 * A person's own browser: nothing of another test's session. What its pages complain of is in `complaints`. Nothing
 * moves unless `options` say so: what fades in has its colours for axe at once.
 */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    reducedMotion: "reduce",
    // One that is installed asks for pages of its own, in the middle of a test that counts them.
    serviceWorkers: "block",
    extraHTTPHeaders: nameClient(),
    ...options,
  });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const complaints: string[] = [];
  context.on("page", (page) => {
    const requests = new Set<Request>();
    unanswered.set(page, requests);
    page.on("request", (request) => requests.add(request));
    page.on("requestfinished", (request) => requests.delete(request));
    page.on("requestfailed", (request) => requests.delete(request));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // A refusal is no mistake: the page says what it means.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
  });
  return { page: await context.newPage(), complaints };
}

/** Uses a button or link by keyboard, once a pointer could as well. */
export async function press(target: Locator, key = "Enter"): Promise<void> {
  await target.click({ trial: true });
  await target.press(key);
}

/**
 * Waits until a page asks for nothing more and has drawn its answers, which takes half a second less than Playwright's
 * `networkidle`. A stream of events has no end.
 */
export async function settled(page: Page, timeoutMs = LONGEST_WAIT_MS): Promise<void> {
  const requests = unanswered.get(page)!;
  await eventually(async () => {
    if (requests.size > 0) return false;
    await page.evaluate("new Promise((drawn) => requestIdleCallback(() => drawn()))");
    return requests.size === 0;
  }, timeoutMs);
}

/** Waits until a page that has loaded takes keys and clicks, and opens what a wide window shows. */
export async function finishHydration(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate("scheduler.postTask(() => {}, { priority: 'background' })");
}

/** What axe finds wrong on the page, in words. */
export async function violations(page: Page): Promise<string[]> {
  await finishHydration(page);
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<Pick<AxeResults, "violations">>('axe.run({ reporter: "no-passes" })');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Pixels that the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}

/** Choices of which a part is cut: the page gives them less than the longest takes. */
export function cutSelects(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("select")].filter((select) => {
    const copy = select.cloneNode(true);
    copy.style.cssText = "position: absolute; width: max-content; max-width: none";
    select.after(copy);
    const width = copy.offsetWidth;
    copy.remove();
    return select.checkVisibility() && width > select.offsetWidth + 1;
  }).map((select) => select.outerHTML)`);
}
