/**
 * Five pages of the shop in Chromium: Lighthouse's scores (its phone), LCP, CLS and INP on a processor four times
 * slower, script and style sheets as they are sent; and how long the server takes to render a part page. Prints the
 * aims, and ends with 1 where one does not hold. `npm run bench -- web [PAGE …]`, all unless given; needs Chromium
 * (test/support/chromium.ts).
 */
import { openBrowser } from "../../../test/support/chromium.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { freePorts } from "../../../test/support/ports.ts";
import { load } from "./support/load.ts";
import { cartItem, startShop } from "./support/shop.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";
import { CATEGORIES, runLighthouse, PHONE, SLOW_PROCESSOR } from "./support/web/lighthouse.ts";
import { changeQuantity, shopAround, typeSearch, withHands, type Use } from "./support/web/hands.ts";

const ROUNDS = 3;
/** A machine of a sample manual, which is read after the start. */
const MODEL = "kohler-ch-740s";
const SAMPLES_WITHIN_MS = 120_000;
const AIMS = {
  ...{ score: 98, lcpMs: 1_200, inpMs: 120, cls: 0.02, scriptBytes: 110_000, styleBytes: 25_000, renderP50Ms: 8 },
};

const debuggerPort = await freePorts(1);
const browser = await openBrowser(`--remote-debugging-port=${debuggerPort}`);
const { system, hits } = await startShop();
try {
  await measure();
} finally {
  await browser.close();
  await system.stop();
}

type PageName = "home" | "20 results" | "a part" | "a figure" | "the cart";
interface MeasuredPage {
  url: string;
  use: Use;
  /** What the browser sends; no session of its own. */
  cookie?: string;
}

async function findPages(): Promise<Record<PageName, MeasuredPage>> {
  const origin = system.url("shop");
  const { body } = await system.request("shop", "GET", "/api/search?q=15964-8141&limit=1");
  const { slug } = (body as { parts: [{ slug: string }] }).parts[0];
  const figure = await eventually(async () => {
    const answer = await system.request("gateway", "GET", `/api/fitment/models/${MODEL}/figures`);
    return (answer.body as { figures?: { id: string }[] }).figures?.[0];
  }, SAMPLES_WITHIN_MS);
  const [hit] = hits;
  if (!hit) throw new Error("The shop has no part to sell");
  const opened = await fetch(`${origin}/cart`);
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`The cart page answered ${opened.status} without a cookie`);
  const added = await fetch(`${origin}/api/cart/items`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie },
    body: JSON.stringify({ item: cartItem(hit, 2) }),
  });
  if (!added.ok) throw new Error(`The cart answered ${added.status}: ${await added.text()}`);
  return {
    home: { url: `${origin}/`, use: typeSearch },
    "20 results": { url: `${origin}/search?q=carburetor`, use: shopAround },
    "a part": { url: `${origin}/parts/${slug}`, use: shopAround },
    "a figure": { url: `${origin}/figures/${encodeURIComponent(figure.id)}?model=${MODEL}`, use: typeSearch },
    "the cart": { url: `${origin}/cart`, use: changeQuantity, cookie },
  };
}

async function measure(): Promise<void> {
  const chosen = process.argv.slice(2);
  const shopPages = await findPages();
  const pages = Object.entries(shopPages).filter(([page]) => chosen.length === 0 || chosen.includes(page));
  const broken: string[] = [];
  const rows: (string | number)[][] = [];
  for (const [page, { url, use, cookie }] of pages) {
    const headers = cookie === undefined ? {} : { extraHeaders: { Cookie: cookie } };
    const phone: Awaited<ReturnType<typeof runLighthouse>>[] = [];
    const slow = [];
    const hands = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      phone.push(await runLighthouse(url, debuggerPort, { ...PHONE, ...headers }));
      slow.push(await runLighthouse(url, debuggerPort, { ...SLOW_PROCESSOR, ...headers }));
      hands.push(await withHands(browser, url, use, cookie));
    }
    const computeMedian = <T>(runs: readonly T[], figure: (run: T) => number): number => median(runs.map(figure));
    /** Notes the median of a figure that misses its aim. */
    const judge = (name: string, figure: number, holds: boolean): number => {
      if (!holds) broken.push(`${page}: ${name}`);
      return figure;
    };
    const atMost = (name: string, figure: number, aim: number): number => judge(name, figure, figure <= aim);
    const scores = CATEGORIES.map((category) => {
      // Search engines are kept away from a person's cart.
      if (category === "seo" && cookie !== undefined) return "-";
      const score = computeMedian(phone, (run) => run.scores[category]);
      return judge(category, score, score >= AIMS.score);
    });
    const cls = computeMedian(slow, (run) => run.cls);
    rows.push([
      page,
      ...scores,
      atMost(
        "LCP",
        computeMedian(slow, ({ lcp }) => lcp),
        AIMS.lcpMs,
      ),
      judge("CLS", cls, cls < AIMS.cls),
      atMost(
        "INP",
        computeMedian(hands, ({ inp }) => inp),
        AIMS.inpMs,
      ),
      atMost(
        "script",
        computeMedian(hands, ({ scriptBytes }) => scriptBytes),
        AIMS.scriptBytes,
      ),
      atMost(
        "style",
        computeMedian(hands, ({ styleBytes }) => styleBytes),
        AIMS.styleBytes,
      ),
    ]);
    if (phone[0]!.complaints.length > 0)
      console.log(`\nWhat Lighthouse says of ${page}:\n  ${phone[0]!.complaints.join("\n  ")}`);
  }
  const { score, lcpMs, cls, inpMs, scriptBytes, styleBytes, renderP50Ms } = AIMS;
  printTable(
    `Medians of ${ROUNDS} rounds (aim: scores at least ${score}, LCP at most ${lcpMs} ms, CLS under ${cls}, INP at most ` +
      `${inpMs} ms, script and style at most ${scriptBytes} and ${styleBytes} bytes)`,
    ["", ...CATEGORIES, "LCP, ms", "CLS", "INP, ms", "script", "style"],
    rows,
  );
  const { p50, failed } = await load({ url: shopPages["a part"].url }, 1);
  printTable(`Rendered by the server (aim: p50 under ${renderP50Ms} ms)`, ["", "p50 ms"], [["a part", p50]]);
  if (failed > 0 || p50 >= renderP50Ms) broken.push("a part: rendered by the server");
  if (broken.length === 0) return;
  console.log(`\nDoes not hold: ${broken.join(", ")}`);
  process.exitCode = 1;
}
