import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { applyEdits, changeEdits, type EditChange, removeEdits } from "../../services/catalog/part-edits.ts";
import {
  applyObservation,
  computeContentHash,
  discontinuePart,
  mergeContent,
  type PartDocument,
  toDocument,
} from "../../services/catalog/part.ts";
import type { PartNews } from "../../services/catalog/part-content.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const VENDOR = DEFAULT_VENDORS.getByCode("BNS");
const NOW = new Date("2026-03-01T00:00:00Z");
const facts = (revision: number) => ({ source: "price_file", now: NOW, revision });

type Step =
  | { kind: "import"; news: Omit<PartNews, "partNumber"> }
  | { kind: "edit"; change: EditChange }
  | { kind: "dealer"; price: number }
  | { kind: "end" };

const text = fc.constantFrom("Belt", "Deck belt", "V-Belt 5L");
const category = fc.constantFrom("Belts", "Tires", "wheels");
const cents = fc.integer({ min: 1, max: 99_999 });
const url = fc.constantFrom("https://x.test/a.png", "https://x.test/b.png");
const fits = fc.uniqueArray(fc.constantFrom("CH25", "ZT720"), { maxLength: 2 });
const news = fc.record(
  { title: text, description: fc.option(text), category, price: fc.option(cents), imageUrls: fc.array(url), fits },
  { requiredKeys: ["title"] },
);
const price = fc.oneof(
  fc.record({ fixed: cents.map((amount) => amount / 100) }),
  fc.record({ marginPercent: fc.integer({ min: -99, max: 500 }) }),
);
const change = fc.record<EditChange>(
  {
    title: fc.option(text),
    description: fc.option(fc.oneof(text, fc.constant(""))),
    category: fc.option(category),
    price: fc.option(price),
    hidden: fc.option(fc.boolean()),
    images: fc.option(fc.array(url, { maxLength: 2 })),
    attributes: fc.option(fc.dictionary(fc.constantFrom("Length", "Width"), text)),
    fits: fc.option(fits),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("import" as const), news: news as fc.Arbitrary<Omit<PartNews, "partNumber">> }),
  fc.record({ kind: fc.constant("edit" as const), change }),
  fc.record({ kind: fc.constant("dealer" as const), price: cents }),
  fc.constant<Step>({ kind: "end" }),
);

/** What a step of a source makes of a part without edits. */
function takeSource(part: PartDocument, each: Exclude<Step, { kind: "edit" }>, revision: number): PartDocument {
  if (each.kind === "end") return discontinuePart(part, facts(revision)) ?? part;
  const said = { found: true, quantity: 1, available: true, saidAt: NOW };
  if (each.kind === "dealer")
    return applyObservation(part, { ...said, price: each.price }, { ...facts(revision), source: "dis" }) ?? part;
  const content = mergeContent(VENDOR, { partNumber: "B-1", ...each.news }, part);
  return computeContentHash(content) === part.contentHash
    ? part
    : toDocument(VENDOR, content, { ...facts(revision), previous: part });
}

it("ends, in any order of edits and sources, in what the sources say last, under the edits that stand", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const first = toDocument(VENDOR, mergeContent(VENDOR, { partNumber: "B-1", title: "Belt" }), facts(0));
      let stored = first;
      let source = first;
      for (const [index, each] of steps.entries()) {
        const current = removeEdits(stored);
        expect(current).toEqual({ ...source, edits: stored.edits });
        if (each.kind === "edit") {
          if (each.change.price?.marginPercent !== undefined && current.price === null) continue;
          const values = changeEdits(stored, each.change);
          stored = applyEdits({ ...current, edits: { version: index, values } });
        } else {
          source = takeSource(source, each, index + 1);
          stored = applyEdits(takeSource(current, each, index + 1));
        }
        // As a store keeps it.
        stored = { ...stored, ...JSON.parse(JSON.stringify(stored)), createdAt: NOW, updatedAt: NOW } as PartDocument;
        stored.pricedAt &&= NOW;
        if (stored.stock) stored.stock.learntAt = NOW;
      }
      expect(stored).toEqual(applyEdits({ ...source, edits: stored.edits }));
      const bare = applyEdits({ ...removeEdits(stored), edits: { version: 99, values: {} } });
      expect(bare).toEqual({ ...source, edits: bare.edits, replaced: {} });
    }),
  );
});

it("refuses what cannot be of a part, naming the field", () => {
  const part = (price: number | null) =>
    toDocument(VENDOR, mergeContent(VENDOR, { partNumber: "B-1", title: "Belt", price }), facts(0));
  const refusal = (edit: EditChange, price: number | null = null): unknown => {
    try {
      return changeEdits(part(price), edit);
    } catch (error) {
      return (error as { data: [{ field: string }] }).data[0].field;
    }
  };
  expect(refusal({ images: ["https://x.test/a.png", "javascript:alert(1)"] })).toBe("images[1]");
  expect(refusal({ images: ["data:image/svg+xml,<svg/>"] })).toBe("images[0]");
  expect(refusal({ price: {} })).toBe("price");
  expect(refusal({ price: { fixed: 1, marginPercent: 1 } })).toBe("price");
  expect(refusal({ price: { marginPercent: 1 } })).toBe("price.marginPercent");
  expect(refusal({ price: { marginPercent: 1 } }, 1_000)).toEqual({ price: { marginPercent: 1 } });
  expect(refusal({ fits: ["CH\u000025"] })).toBe("fits");
  for (const name of ["$where", "$", "12", "a.b", "a\nb", " ", "\u2800", "a\u202eb"])
    expect(refusal({ attributes: { [name]: "M14" } })).toBe("attributes");
  expect(refusal({ attributes: { "Size ($)": "M14" } })).toEqual({ attributes: { "Size ($)": "M14" } });
  expect(refusal({ title: " Deck  belt ", hidden: false, attributes: {} })).toEqual({ title: "Deck belt" });
});

it("adds a margin to the vendor's price, in whole cents, and to no price none", () => {
  const priced = (vendorPrice: number | null, marginPercent: number) => {
    const content = mergeContent(VENDOR, { partNumber: "B-1", title: "Belt", price: vendorPrice });
    const edits = { version: 1, values: { price: { marginPercent } } };
    return applyEdits({ ...toDocument(VENDOR, content, facts(0)), edits }).price;
  };
  expect([priced(1_000, 35), priced(999, 12.5), priced(1, -99), priced(99_999_999, 100), priced(null, 35)]).toEqual([
    1_350,
    1_124,
    1,
    99_999_999,
    null,
  ]);
});
