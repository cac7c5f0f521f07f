import { describe, expect, it } from "@jest/globals";
import { manualSet } from "../src/support/manuals/sets.ts";
import { generateManual } from "../src/support/generators/manuals/generate.ts";
import { PARTS_LAYOUTS } from "../src/support/generators/manuals/truth.ts";
import { MAKERS } from "../src/support/generators/manuals/makers.ts";
import { pageTexts, type ReadPage } from "../../../test/support/pdf-text.ts";

const squeeze = (text: string): string => text.replace(/\s+/g, "");

describe("a generated manual", () => {
  it("has the same bytes and the same truth for the same seed, and others for another", async () => {
    const [first, again, other] = [
      await generateManual("one"),
      await generateManual("one"),
      await generateManual("two"),
    ];
    expect(first.pdf.equals(again.pdf)).toBe(true);
    expect(first.truth).toEqual(again.truth);
    expect(other.pdf.equals(first.pdf)).toBe(false);
  });

  it("lists parts in every layout, and says which pages those are", async () => {
    const { truth } = await generateManual("layouts");
    const layouts = truth.parts.map(({ layout }) => layout);
    expect(layouts).toEqual(expect.arrayContaining([...PARTS_LAYOUTS]));
    for (const part of truth.parts)
      expect(truth.pages[part.page - 1]).toMatchObject({ page: part.page, layout: part.layout });
  });
});

describe("the truth of generated manuals", () => {
  it("is what a reader of PDF files finds on each page, and where it finds it", async () => {
    for await (const { pdf, truth } of manualSet("truth", MAKERS.length)) {
      const pages = await pageTexts(pdf);
      expect(pages.length).toBe(truth.pages.length);
      for (const { page, isScanned } of truth.pages) if (isScanned) expect(pages[page - 1]!.texts).toEqual([]);
      for (const part of truth.parts)
        if (!truth.pages[part.page - 1]!.isScanned) expectAt(pages[part.page - 1]!, part.partNumber, part.box);
      for (const { page, cells } of truth.tables)
        if (!truth.pages[page - 1]!.isScanned)
          for (const cell of cells.flat()) expect(wholeText(pages[page - 1]!)).toContain(squeeze(cell));
      for (const { page, text } of truth.planted) expect(wholeText(pages[page - 1]!)).toContain(squeeze(text));
      for (const { page, distractors } of truth.pages)
        if (!truth.pages[page - 1]!.isScanned)
          for (const each of distractors) expect(wholeText(pages[page - 1]!)).toContain(squeeze(each));
      for (const { page, callouts, title } of truth.figures) {
        if (truth.pages[page - 1]!.isScanned) continue;
        expect(wholeText(pages[page - 1]!).toLowerCase()).toContain(squeeze(title).toLowerCase());
        expect(pages[page - 1]!.texts.map(({ text }) => text)).toEqual(expect.arrayContaining(callouts));
      }
    }
  });
});

function wholeText({ texts }: ReadPage): string {
  return squeeze(texts.map(({ text }) => text).join(""));
}

/** The text is in one that was drawn about there. */
function expectAt(
  { texts }: ReadPage,
  wanted: string,
  box: { x: number; y: number; width: number; height: number },
): void {
  const near = texts.filter(
    (text) =>
      squeeze(text.text).includes(squeeze(wanted)) &&
      text.x < box.x + box.width + 2 &&
      text.x + text.width > box.x - 2 &&
      text.y < box.y + box.height + 2 &&
      text.y + text.height > box.y - 2,
  );
  expect({ wanted, box, found: near.length > 0 }).toEqual({ wanted, box, found: true });
}
