import lighthouse, { type Flags } from "lighthouse";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof CATEGORIES)[number];

const IDS = { lcp: "largest-contentful-paint", cls: "cumulative-layout-shift" } as const;

export interface LighthouseFigures {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Milliseconds. */
  lcp: number;
  cls: number;
  /** Audits of a score below 1, in words. */
  complaints: string[];
}

/** Lighthouse's own phone: its processor four times slower and its network 4G, both computed. */
export const PHONE: Flags = { throttlingMethod: "simulate" };
/** A processor four times slower and the network of this machine, both as they are. */
export const SLOW_PROCESSOR: Flags = {
  throttlingMethod: "devtools",
  throttling: {
    cpuSlowdownMultiplier: 4,
    ...{ rttMs: 0, throughputKbps: 0, requestLatencyMs: 0, downloadThroughputKbps: 0, uploadThroughputKbps: 0 },
  },
};

/** @param port of a Chromium's debugger */
export async function runLighthouse(url: string, port: number, flags: Flags): Promise<LighthouseFigures> {
  const run = await lighthouse(url, { port, logLevel: "error", onlyCategories: [...CATEGORIES], ...flags });
  if (!run || run.lhr.runtimeError) throw new Error(`Lighthouse: ${run?.lhr.runtimeError?.message ?? "no result"}`);
  const { categories, audits } = run.lhr;
  const value = (id: string): number => audits[id]?.numericValue ?? NaN;
  const getScore = (category: Category): number => Math.round((categories[category]?.score ?? NaN) * 100);
  return {
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, getScore(category)])) as Record<
      Category,
      number
    >,
    lcp: value(IDS.lcp),
    cls: value(IDS.cls),
    complaints: Object.values(audits)
      .filter(({ score }) => score !== null && score < 0.9)
      .map(({ id, title, displayValue }) => `${id}: ${title}${displayValue ? ` (${displayValue})` : ""}`),
  };
}
