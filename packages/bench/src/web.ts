/**
 * The shop's page of 20 results and a part page in Chromium: Lighthouse's scores (its phone), LCP, CLS and INP on a
 * processor four times slower, script as it is sent; and how long the server takes to render a part page. Prints the
 * aims, and ends with 1 where one does not hold. `npm run bench -- web`; needs Chromium (test/support/chromium.ts).
 */
import { openBrowser } from "../../../test/support/chromium.ts";
import { freePorts } from "../../../test/support/ports.ts";
import { load } from "./support/load.ts";
import { startShop } from "./support/shop.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";
import { CATEGORIES, runLighthouse, PHONE, SLOW_PROCESSOR } from "./support/web/lighthouse.ts";
import { shopAround, withHands } from "./support/web/hands.ts";

const ROUNDS = 3;
const AIMS = { score: 95, lcpMs: 1_500, inpMs: 150, cls: 0.05, scriptBytes: 130_000, renderP50Ms: 8 };

const debuggerPort = await freePorts(1);
const browser = await openBrowser(`--remote-debugging-port=${debuggerPort}`);
const { system } = await startShop();
try {
  await measure();
} finally {
  await browser.close();
  await system.stop();
}

async function measure(): Promise<void> {
  const { body } = await system.request("shop", "GET", "/api/search?q=15964-8141&limit=1");
  const { slug } = (body as { parts: [{ slug: string }] }).parts[0];
  const pages = [
    ["20 results", `${system.url("shop")}/search?q=carburetor`],
    ["a part", `${system.url("shop")}/parts/${slug}`],
  ] as const;
  const broken: string[] = [];
  const rows: (string | number)[][] = [];
  /** Notes a figure with its aim. */
  const row = (page: string, name: string, figure: number, aim: string, holds: boolean): void => {
    rows.push([`${page}: ${name}`, figure, aim, holds ? "holds" : "does not hold"]);
    if (!holds) broken.push(`${page}: ${name}`);
  };
  for (const [page, url] of pages) {
    const phone = [];
    const slow = [];
    const hands = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      phone.push(await runLighthouse(url, debuggerPort, PHONE));
      slow.push(await runLighthouse(url, debuggerPort, SLOW_PROCESSOR));
      hands.push(await withHands(browser, url, shopAround));
    }
    const computeMedian = <T>(runs: readonly T[], figure: (run: T) => number): number => median(runs.map(figure));
    for (const category of CATEGORIES) {
      const score = computeMedian(phone, ({ scores }) => scores[category]);
      row(page, category, score, `at least ${AIMS.score}`, score >= AIMS.score);
    }
    const lcp = computeMedian(slow, (run) => run.lcp);
    row(page, "LCP, ms", lcp, `at most ${AIMS.lcpMs}`, lcp <= AIMS.lcpMs);
    const cls = computeMedian(slow, (run) => run.cls);
    row(page, "CLS", cls, `under ${AIMS.cls}`, cls < AIMS.cls);
    const inp = computeMedian(hands, (run) => run.inp);
    row(page, "INP, ms", inp, `at most ${AIMS.inpMs}`, inp <= AIMS.inpMs);
    const script = computeMedian(hands, ({ scriptBytes }) => scriptBytes);
    row(page, "script, bytes as sent", script, `at most ${AIMS.scriptBytes}`, script <= AIMS.scriptBytes);
    if (phone[0]!.complaints.length > 0)
      console.log(`\nWhat Lighthouse says of ${page}:\n  ${phone[0]!.complaints.join("\n  ")}`);
  }
  const { p50, failed } = await load({ url: pages[1][1] }, 1);
  row(
    "a part",
    "rendered by the server, p50 ms",
    p50,
    `under ${AIMS.renderP50Ms}`,
    failed === 0 && p50 < AIMS.renderP50Ms,
  );
  printTable(`medians of ${ROUNDS} rounds`, ["", "", "aim", ""], rows);
  if (broken.length === 0) return;
  console.log(`\nDoes not hold: ${broken.join(", ")}`);
  process.exitCode = 1;
}
