import fc from "fast-check";
import { describe, expect, it } from "@jest/globals";
import { listTires } from "../../packages/sandbox/src/tires/server.ts";
import { createRemark } from "../../services/catalog/remarks.ts";
import { readItem } from "../../services/catalog/suppliers/read-item.ts";
import { KMT } from "../../services/catalog/suppliers/kmt/kmt.ts";
import { resolveEnding, explainNotUnlisted } from "../../services/catalog/syncs/ending.ts";
import { PagePlan } from "../../services/catalog/syncs/page-plan.ts";
import { readPage } from "../../services/catalog/syncs/read-page.ts";

const X = createRemark("time_over");
const NOT_FOR_BEING_UNLISTED = "No part was discontinued for not being listed:";
const ITEM = {
  itemNumber: "TL-12345",
  description: "Turf Saver, 4 ply",
  brand: "Carlisle",
  size: "18x8.50-8",
  category: "Tires",
  price: 89.95,
  currency: "USD",
  quantityOnHand: 12,
  images: ["https://tires.example/1.jpg"],
  discontinued: false,
  updatedAt: "2026-01-01T00:00:00Z",
};

describe("an item of the tire supplier's listing", () => {
  it("becomes a part of KMT by its brand, with kind, stock and images", () => {
    expect(readItem(KMT, ITEM)).toEqual({
      id: "kmt-tl12345",
      news: {
        partNumber: "TL-12345",
        title: "Turf Saver, 4 ply, 18x8.50-8",
        manufacturer: { name: "Carlisle", code: "KMT" },
        category: "Wheels & Tires",
        kind: "Tires",
        price: 8_995,
        imageUrls: ["https://tires.example/1.jpg"],
        status: "active",
        quantityOnHand: 12,
      },
    });
  });

  it("has its weight in grams, and is marked if a parcel service may not take it", () => {
    expect(readItem(KMT, { ...ITEM, weight: "24.5 lb", oversize: true, hazmat: false }).news).toMatchObject({
      weightGrams: 11_113,
      oversize: true,
      hazmat: false,
    });
    for (const weight of [24.5, "heavy", "-2 kg", "99999 kg"])
      expect(readItem(KMT, { ...ITEM, weight }).refusal?.text).toContain(
        "'weight' must be a weight from 0.001 to 10,000 kg",
      );
  });

  it("has its images as a cart takes them", () => {
    const read = (...images: string[]) => readItem(KMT, { ...ITEM, images });
    expect(read("https://tires.example/Größe.jpg", "HTTP://x.test")).toMatchObject({
      news: { imageUrls: ["https://tires.example/Gr%C3%B6%C3%9Fe.jpg", "http://x.test/"] },
    });
    expect(read(`https://x.test/${"ü".repeat(400)}`)).toMatchObject({ refusal: { values: { column: "images" } } });
  });

  it("need not have size, price, stock and images, nor its size twice", () => {
    const { itemNumber, brand, description } = ITEM;
    expect(readItem(KMT, { itemNumber, brand, description, category: "Wheels", discontinued: true }).news).toEqual({
      partNumber: "TL-12345",
      title: description,
      manufacturer: { name: "Carlisle", code: "KMT" },
      category: "Wheels & Tires",
      kind: "Wheels",
      price: null,
      imageUrls: [],
      status: "discontinued",
    });
    const named = { ...ITEM, price: null, quantityOnHand: null, description: "Tire 18x8.50-8" };
    expect(readItem(KMT, named).news).toMatchObject({ title: "Tire 18x8.50-8", price: null });
  });

  it("has none on hand where more was sold than there is, and whole ones alone", () => {
    expect(
      [-3, 0, 2.9, -0.5].map((quantityOnHand) => readItem(KMT, { ...ITEM, quantityOnHand }).news?.quantityOnHand),
    ).toEqual([0, 0, 2, 0]);
  });

  it.each([
    [null, "The item is not an object"],
    [[ITEM], "The item is not an object"],
    ["TL-1", "The item is not an object"],
    [{ ...ITEM, itemNumber: 12_345 }, "The field 'itemNumber' must be text"],
    [{ ...ITEM, itemNumber: " -- " }, "The field 'itemNumber' has no letter or digit"],
    [{ ...ITEM, itemNumber: "x".repeat(101) }, "The field 'itemNumber'"],
    [{ ...ITEM, description: " " }, "TL-12345: the field 'description'"],
    [{ ...ITEM, description: "a\u0000b" }, "'description'"],
    [{ ...ITEM, brand: null }, "'brand'"],
    [{ ...ITEM, category: "Tyres" }, "'category' must be Tires or Wheels"],
    [{ ...ITEM, size: 15 }, "'size'"],
    [{ ...ITEM, price: "89.95" }, "'price'"],
    [{ ...ITEM, price: 0 }, "'price'"],
    [{ ...ITEM, price: -1 }, "'price'"],
    [{ ...ITEM, price: 1.005 }, "'price'"],
    [{ ...ITEM, price: 1e9 }, "'price'"],
    [{ ...ITEM, currency: "CAD" }, "'currency' must be USD"],
    [{ ...ITEM, currency: 1 }, "'currency'"],
    [{ ...ITEM, quantityOnHand: "12" }, "'quantityOnHand'"],
    [{ ...ITEM, quantityOnHand: Number.NaN }, "'quantityOnHand'"],
    [{ ...ITEM, images: "https://x" }, "'images'"],
    [{ ...ITEM, images: ["javascript:alert(1)"] }, "'images'"],
    [{ ...ITEM, discontinued: "no" }, "'discontinued'"],
  ])("%j is refused naming the field", (item, reason) => {
    expect(readItem(KMT, item).refusal?.text).toContain(reason);
  });

  it("is read or refused for any content, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record(Object.fromEntries(Object.keys(ITEM).map((field) => [field, fc.anything()]))),
        ),
        (item) => {
          const { news, refusal } = readItem(KMT, item);
          expect((news === undefined) !== (refusal === undefined)).toBe(true);
        },
      ),
    );
  });

  it("counts once, on the page that has it first, and is known for listed where it cannot be used", () => {
    const listed = new Set(["kmt-1"]);
    const items = ["1", "2", "2"].map((itemNumber) => ({ ...ITEM, itemNumber }));
    const page = readPage(KMT, [...items, { ...ITEM, itemNumber: "3", price: "?" }, null], listed);
    const problems = [{ item: 4 }, { item: 5 }];
    expect(page).toMatchObject({ ids: ["kmt-2", "kmt-3"], repeated: 2, unidentified: 1, problems });
    expect(page.news.map(({ partNumber }) => partNumber)).toEqual(["2"]);
    expect([...listed]).toEqual(["kmt-1", "kmt-2", "kmt-3"]);
  });

  it("can be used, of all that the sandbox lists", () => {
    const tires = listTires();
    expect(new Set(tires.map((tire) => readItem(KMT, tire).news?.kind))).toEqual(new Set(["Tires", "Wheels"]));
  });
});

interface Listing {
  /** The numbers of the items on a page, none of an item that has no number. */
  page: (page: number) => readonly (number | undefined)[];
  totalPages: (page: number) => number;
  pageSize: number;
}

/** A listing of so many items on each page, all different. */
function listingOf(pages: readonly number[], totalPages: number, pageSize = 10): Listing {
  return {
    page: (page) => Array.from({ length: pages[page - 1] ?? 0 }, (_, index) => page * 1_000 + index),
    totalPages: () => totalPages,
    pageSize,
  };
}

/** Pages in a row with nothing new that end a listing. */
const MOST_STALE = 10;
/** More pages than any listing below is worth. */
const ENDLESS = 5_000;

/** Asks for pages as a sync does, `atOnce` in flight and answered in a drawn order; answers the pages asked for. */
function read(
  listing: Listing,
  atOnce: number,
  draw: (n: number) => number,
): { asked: number[]; plan: PagePlan; listed: Set<number> } {
  const plan = new PagePlan();
  const asked: number[] = [];
  const listed = new Set<number>();
  const open: number[] = [];
  for (;;) {
    while (open.length < atOnce) {
      const page = plan.next();
      if (page === undefined) break;
      asked.push(page);
      open.push(page);
    }
    if (open.length === 0 || asked.length > ENDLESS) return { asked, plan, listed };
    const page = open.splice(draw(open.length), 1)[0]!;
    const items = listing.page(page);
    const numbers = items.filter((item) => item !== undefined);
    const before = listed.size;
    for (const number of numbers) listed.add(number);
    const unidentified = items.length - numbers.length;
    const counts = { items: items.length, listed: listed.size - before, unidentified };
    plan.recordPage({ page, ...counts, pageSize: listing.pageSize, totalPages: listing.totalPages(page) });
  }
}

describe("which pages are asked for", () => {
  const listing = fc.record({ full: fc.nat(30), last: fc.integer({ min: 0, max: 9 }), announced: fc.nat(60) });

  it("are each asked for once, and all that have an item, for any total and any order of answers", () => {
    fc.assert(
      fc.property(
        listing,
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.nat()),
        ({ full, last, announced }, atOnce, draws) => {
          const pages = [...Array<number>(full).fill(10), ...(last > 0 ? [last] : [])];
          const { asked, plan } = read(listingOf(pages, announced), atOnce, (n) => (draws.next().value as number) % n);
          expect(new Set(asked).size).toBe(asked.length);
          expect(asked.length).toBeGreaterThanOrEqual(pages.length);
          // Three empty pages in a row end it; one that is late keeps two before it from being three.
          expect(asked.length).toBeLessThanOrEqual(Math.max(pages.length, 1) + 3 * atOnce);
          expect(plan.total).toBeGreaterThanOrEqual(pages.length);
          expect(plan.unasked).toBe(Math.max(0, announced - asked.length));
          expect(plan.repeats).toBe(false);
        },
      ),
    );
  });

  it("have all items, and no end is waited for in vain, where every page behind the last has its items, or the first one's, again", () => {
    const told = fc.oneof(
      fc.nat(60).map((pages) => () => pages),
      fc.nat(3).map((more) => (page: number) => page + more),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        told,
        fc.boolean(),
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.nat()),
        (full, totalPages, hasFirstAgain, atOnce, draws) => {
          const finite = listingOf(Array<number>(full).fill(10), full);
          const page = (asked: number) => finite.page(asked <= full ? asked : hasFirstAgain ? 1 : full);
          const { asked, plan, listed } = read(
            { page, totalPages, pageSize: 10 },
            atOnce,
            (n) => (draws.next().value as number) % n,
          );
          expect(new Set(asked).size).toBe(asked.length);
          expect(listed.size).toBe(full * 10);
          // One that nobody announced is enough; ten of those that are, in a row. One that overtakes the last page has
          // its items first, and is no repetition then.
          const overtaking = atOnce - 1;
          expect(asked.length).toBeLessThanOrEqual(
            full + (totalPages(full) <= full && totalPages(full + 1) <= full ? 1 : overtaking + MOST_STALE * atOnce),
          );
          expect(plan.repeats).toBe(true);
        },
      ),
    );
  });

  it("come to an end if finitely many items come, in any pages, with any totals", () => {
    const item = fc.option(fc.nat(29), { nil: undefined });
    const pages = fc.infiniteStream(fc.array(item, { maxLength: 12 }));
    fc.assert(
      fc.property(
        pages,
        fc.infiniteStream(fc.nat(1_000_000)),
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.nat()),
        (contents, totals, atOnce, draws) => {
          const next = <T>(stream: fc.Stream<T>): T => stream.next().value as T;
          const { asked } = read(
            { page: () => next(contents), totalPages: () => next(totals), pageSize: 10 },
            atOnce,
            (n) => next(draws) % n,
          );
          // Each of the 30 items is news once, and ten pages with no news in a row are the end.
          expect(asked.length).toBeLessThanOrEqual(31 * MOST_STALE * atOnce);
        },
      ),
    );
  });

  it("are one more where nothing but items without a number come behind the last", () => {
    const broken: (number | undefined)[] = [1, 2, undefined];
    expect(read({ page: () => broken, totalPages: () => 1, pageSize: 3 }, 3, () => 0).asked).toEqual([1, 2]);
  });

  it("are those that nobody has asked for yet, after a crash", () => {
    const plan = new PagePlan();
    for (const page of [1, 2, 4]) {
      plan.skip(page);
      plan.recordPage({ page, items: 10, listed: 10, unidentified: 0, pageSize: 10, totalPages: 6 });
    }
    expect([plan.next(), plan.rest(), plan.next(), plan.rest()]).toEqual([3, 2, 5, 1]);
    expect([plan.next(), plan.next()]).toEqual([6, undefined]);
  });

  it("are no more than they were, after a crash behind ten pages with nothing new", () => {
    const plan = new PagePlan();
    for (let page = 1; page <= 13; page += 1) {
      plan.skip(page);
      const listed = page === 1 ? 10 : 0;
      plan.recordPage({ page, items: 10, listed, unidentified: 0, pageSize: 10, totalPages: 1_000 });
    }
    expect([plan.next(), plan.total, plan.unasked, plan.repeats]).toEqual([undefined, 13, 987, true]);
  });

  it("go on past one or two empty pages", () => {
    expect(read(listingOf([10, 0, 0, 10, 3], 5), 1, () => 0).asked).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("parts that are not listed", () => {
  const WELL = {
    ...{ pagesFailed: 0, pagesUnasked: 0, endUnseen: undefined },
    ...{ announced: 98, unidentified: 0, listed: 98, activeBefore: 120 },
  };
  it.each([
    [{}, undefined],
    [{ activeBefore: 0, announced: 0, listed: 0 }, undefined],
    [{ announced: 60, listed: 60 }, undefined],
    [{ announced: 30 }, undefined],
    [{ pagesFailed: 1 }, "1 of its pages could not be read"],
    [{ pagesUnasked: 2 }, "2 of its pages were skipped"],
    [{ endUnseen: X }, "the end of the listing was not found"],
    [{ unidentified: 1 }, "1 of its items have no readable item number"],
    [{ listed: 97 }, "announces 98 items, but its pages have 97"],
    [{ announced: 59, listed: 59 }, "it has 59 parts, but 120 were active before"],
    [{ announced: 0, listed: 0 }, "it has 0 parts, but 120"],
  ])("are gone when the listing is whole and plausible: %j", (facts, why) => {
    const said = explainNotUnlisted({ ...WELL, ...facts });
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said?.text).toContain(why);
  });
});

it("says why parts stay active by the codes of both sentences, and the values of the inner one", () => {
  expect(createRemark("none_discontinued", { cause: createRemark("pages_unread", { pages: 3 }) })).toEqual({
    code: "none_discontinued",
    values: { cause: "pages_unread", pages: 3 },
    text: "No part was discontinued for not being listed: 3 of its pages could not be read",
  });
});

describe("how a full sync ends", () => {
  const WELL = {
    rows: { read: 100, written: 20, unchanged: 80, refused: 0 },
    discontinued: 0,
    outOfTime: 0,
    endUnseen: undefined,
    unasked: 0,
    repeats: false,
    notUnlisted: undefined,
  };
  const rowsOf = (read: number, refused: number) => ({ read, written: 0, unchanged: 0, refused });
  const any = expect.anything();
  it.each([
    [{}, "completed", []],
    [{ discontinued: 76 }, "completed", ["76 parts were discontinued: they are no longer listed"]],
    [{ rows: { ...WELL.rows, unchanged: 75, refused: 5 } }, "partially_failed", ["5 of 100 items could not be used"]],
    [
      { notUnlisted: createRemark("end_unseen") },
      "partially_failed",
      [`${NOT_FOR_BEING_UNLISTED} the end of the listing was not found`],
    ],
    [
      { outOfTime: 2, notUnlisted: X },
      "partially_failed",
      ["The time limit was reached with 2 pages left", `${NOT_FOR_BEING_UNLISTED} the time limit was reached`],
    ],
    [
      { outOfTime: 2, endUnseen: X, notUnlisted: X },
      "partially_failed",
      [expect.stringContaining("with 2 pages left"), any],
    ],
    [
      { endUnseen: createRemark("items_unidentified", { items: 2 }), notUnlisted: X },
      "partially_failed",
      ["The end of the listing was not found: 2 of its items have no readable item number", any],
    ],
    [{ repeats: true }, "completed", ["After its last page the listing repeats itself, which was taken for its end"]],
    [
      { repeats: true, unasked: 4, notUnlisted: X },
      "partially_failed",
      ["4 pages were skipped: those before them had nothing new", any],
    ],
    [{ unasked: 4, notUnlisted: X }, "partially_failed", ["4 pages were skipped: those before them were empty", any]],
    [{ rows: rowsOf(0, 0), notUnlisted: X }, "failed", ["Nothing was read", any]],
    [{ rows: rowsOf(9, 9) }, "failed", ["None of the items could be used", "9 of 9 items could not be used"]],
    [{ rows: rowsOf(9, 9), discontinued: 1 }, "partially_failed", [any, any]],
    [{ rows: rowsOf(0, 0) }, "completed", []],
  ])("%j is %s", (facts, status, notes) => {
    const ending = resolveEnding({ ...WELL, ...facts });
    expect({ ...ending, notes: ending.notes.map(({ text }) => text) }).toEqual({ status, notes });
  });
});
