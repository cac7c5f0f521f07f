import type { Browser, Page } from "playwright-core";

export interface HandsFigures {
  /** Interaction to next paint: the slowest of what a shopper does here, milliseconds. */
  inp: number;
  /** Script that the page loads, bytes as sent. */
  scriptBytes: number;
  /** Style sheets that the page loads, bytes as sent. */
  styleBytes: number;
}

/** What a shopper does on a page. */
export type Use = (page: Page) => Promise<void>;

const SLOWER = 4;
/** Events shorter than this are not reported; milliseconds. */
const SHORTEST_MS = 16;

/** Keeps the longest interaction, as Core Web Vitals do for few of them. */
const OBSERVE = `globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ type: "event", durationThreshold: ${SHORTEST_MS}, buffered: true });`;

/**
 * Opens a page on a processor four times slower, and does what a shopper does there.
 *
 * @param cookie `name=value`
 */
export async function withHands(browser: Browser, url: string, use: Use, cookie?: string): Promise<HandsFigures> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    if (cookie !== undefined) {
      const [name = "", value = ""] = cookie.split("=");
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const sizes: Promise<[type: string, bytes: number]>[] = [];
    page.on("requestfinished", (request) =>
      sizes.push(request.sizes().then(({ responseBodySize }) => [request.resourceType(), responseBodySize])),
    );
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(url, { waitUntil: "networkidle" });
    await use(page);
    // The last interaction is reported after its frame.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))");
    const inp = await page.evaluate<number>("longest");
    const loaded = await Promise.all(sizes);
    const sumBytes = (resource: string): number =>
      loaded.reduce((sum, [type, bytes]) => (type === resource ? sum + bytes : sum), 0);
    return { inp, scriptBytes: sumBytes("script"), styleBytes: sumBytes("stylesheet") };
  } finally {
    await context.close();
  }
}

/** Types a search and looks at what is suggested. */
export async function typeSearch(page: Page): Promise<void> {
  const field = page.getByRole("combobox", { name: /^Part number/ });
  await field.fill("");
  await field.pressSequentially("15964 81", { delay: 60 });
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
}

/** Types a search, and puts a part into the cart. */
export async function shopAround(page: Page): Promise<void> {
  await typeSearch(page);
  await page
    .getByRole("button", { name: /^Add to cart/ })
    .first()
    .click();
  await page.getByText(/^In your cart: /).waitFor();
}

/** Orders one more of the cart's first line. */
export async function changeQuantity(page: Page): Promise<void> {
  const quantity = page.getByLabel(/^Quantity of /).first();
  await quantity.fill("3");
  await quantity.press("Enter");
  await page.getByLabel("Name", { exact: true }).pressSequentially("Ada Mechanic", { delay: 60 });
}
