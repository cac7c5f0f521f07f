import { expect, test } from "@jest/globals";
import { toOverview } from "../../services/pipeline/results/overview.ts";

const sha256 = "a".repeat(64);

test("what a manual holds is reported in pieces that each fit a message, and nothing is left out", () => {
  const places = (pages: number, each: number) =>
    Array.from({ length: pages * each }, (_, n) => ({ page: Math.floor(n / each) + 1, index: (n % each) + 1 }));
  const figure = (page: number) => ({
    label: String(page),
    title: "MOWER DECK",
    page,
    images: [1],
    callouts: Array.from({ length: 200 }, (_, n) => String(n)),
  });
  const figures = Array.from({ length: 400 }, (_, n) => figure(n + 1));
  const contents = { tables: places(2_000, 2), images: places(2_000, 1) };
  const known = {
    reading: { filename: "long.pdf", pages: 2_000, parts: 7 },
    manual: { sha256, filename: "long.pdf", title: "Long", equipment: ["GT-1"], pages: 2_000, figures },
    contents,
  };
  const told = { tables: [] as object[], images: [] as object[], figures: [] as object[] };
  let answers = 0;
  for (let after: number | undefined = 0; after !== undefined; answers += 1) {
    const overview = toOverview(known, after, "http://shop");
    expect(Buffer.byteLength(JSON.stringify(overview))).toBeLessThan(700_000);
    expect(overview.counts).toEqual({ parts: 7, tables: 4_000, images: 2_000, figures: 400 });
    for (const kind of ["tables", "images", "figures"] as const) told[kind].push(...overview[kind]);
    after = overview.next;
  }
  expect(answers).toBeGreaterThan(1);
  const at = `http://shop/api/manuals/${sha256}`;
  expect(told.tables).toEqual(
    contents.tables.map(({ page, index }) => ({
      page,
      index,
      json: `${at}/tables/${page}-${index}.json`,
      csv: `${at}/tables/${page}-${index}.csv`,
    })),
  );
  expect(told.images).toEqual(
    contents.images.map(({ page, index }) => ({ page, index, url: `${at}/images/${page}-${index}.webp` })),
  );
  expect(told.figures).toEqual(figures);
});
