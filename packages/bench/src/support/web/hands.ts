import type { Browser, Page } from "playwright-core";

export interface HandsFigures {
  /** Interaction to next paint: the slowest of what a shopper does here, milliseconds. */
  inp: number;
  /** Script that the page loads, bytes as sent. */
  scriptBytes: number;
}

const SLOWER = 4;
/** Events shorter than this are not reported; milliseconds. */
const SHORTEST_MS = 16;

/** Keeps the longest interaction, as Core Web Vitals do for few of them. */
const OBSERVE = `globalThis.longest = 0;
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) globalThis.longest = Math.max(globalThis.longest, duration);
}).observe({ type: "event", durationThreshold: ${SHORTEST_MS}, buffered: true });`;

/** Opens a page on a processor four times slower, and does what a shopper does there. */
export async function withHands(browser: Browser, url: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "script")
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(url, { waitUntil: "networkidle" });
    await use(page);
    // The last interaction is reported after its frame.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))");
    const inp = await page.evaluate<number>("longest");
    const scriptBytes = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
    return { inp, scriptBytes } satisfies HandsFigures;
  } finally {
    await context.close();
  }
}

/** Types a search, looks at what is suggested, and puts a part into the cart. */
export async function shopAround(page: Page): Promise<void> {
  const field = page.getByRole("combobox", { name: /^Part number/ });
  await field.fill("");
  await field.pressSequentially("15964 81", { delay: 60 });
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page
    .getByRole("button", { name: /^Add to cart/ })
    .first()
    .click();
  await page.getByText(/^In your cart: /).waitFor();
}
