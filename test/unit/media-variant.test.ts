import fc from "fast-check";
import { describe, expect, test } from "@jest/globals";
import { FITS } from "../../services/media/limits.ts";
import { detectFormat } from "../../services/media/receive.ts";
import { formatVariantName, negotiateFormat, type Picture, resolveVariant } from "../../services/media/variant.ts";

const picture = (width: number, height: number, more: Partial<Picture> = {}): Picture => ({
  ...{ format: "jpeg", width, height, pages: 1, hasAlpha: false },
  ...more,
});

const side = fc.integer({ min: 1, max: 9_000 });
const asked = fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined });
const fit = fc.constantFrom(...FITS);

describe("the size of a variant", () => {
  test("is never larger than the original in what is shown of it, for any size asked", () => {
    fc.assert(
      fc.property(side, side, asked, asked, fit, (width, height, w, h, wanted) => {
        const variant = resolveVariant(picture(width, height), { w, h, fit: wanted }, undefined);
        if (!variant) return;
        if (variant.mode === "contain") {
          expect([variant.width, variant.height]).toEqual([w, h]);
          return;
        }
        expect(variant.width).toBeLessThanOrEqual(width);
        expect(variant.height).toBeLessThanOrEqual(height);
        expect(Math.min(variant.width, variant.height)).toBeGreaterThanOrEqual(1);
        if (w !== undefined) expect(variant.width).toBeLessThanOrEqual(w);
        if (h !== undefined) expect(variant.height).toBeLessThanOrEqual(h);
      }),
    );
  });

  test("keeps the original's proportions inside, and those that were asked for when it covers", () => {
    fc.assert(
      fc.property(side, side, asked, asked, (width, height, w, h) => {
        const inside = resolveVariant(picture(width, height), { w, h, fit: "inside" }, undefined);
        // A pixel more or less is rounding.
        if (inside)
          expect(Math.abs(inside.width * height - inside.height * width)).toBeLessThanOrEqual(Math.max(width, height));
        if (w === undefined || h === undefined) return;
        const cover = resolveVariant(picture(width, height), { w, h, fit: "cover" }, undefined);
        if (cover) expect(Math.abs(cover.width * h - cover.height * w)).toBeLessThanOrEqual(Math.max(w, h));
      }),
    );
  });

  test.each([
    [{}, undefined],
    [{ w: 800 }, undefined],
    [{ w: 4_000, h: 4_000 }, undefined],
    [{ w: 800, h: 600, fit: "fill" }, undefined],
    [{ w: 400 }, "400x300-exact.jpeg"],
    [{ w: 400, h: 4_000 }, "400x300-exact.jpeg"],
    [{ h: 300, fit: "cover" }, "400x300-exact.jpeg"],
    [{ w: 300, h: 300, fit: "cover" }, "300x300-cover.jpeg"],
    [{ w: 3_000, h: 3_000, fit: "cover" }, "600x600-cover.jpeg"],
    [{ w: 900, h: 300, fit: "contain" }, "900x300-contain.jpeg"],
    [{ w: 900, h: 300, fit: "fill" }, "800x300-exact.jpeg"],
    [{ format: "webp" }, "800x600-exact.webp"],
    [{ format: "jpeg" }, undefined],
  ] as const)("of 800 by 600, %j is %s", (request, name) => {
    const variant = resolveVariant(picture(800, 600), { fit: "inside", ...request }, undefined);
    expect(variant && formatVariantName(variant)).toBe(name);
  });

  test("another format of what is larger than any size is as large as the largest", () => {
    const largest = { width: 4_000, height: 2_000, mode: "exact", format: "avif" };
    expect(resolveVariant(picture(8_000, 4_000), { fit: "inside", format: "avif" }, undefined)).toEqual(largest);
    expect(resolveVariant(picture(8_000, 4_000), { fit: "inside" }, undefined)).toBeUndefined();
  });
});

describe("the format that a client gets", () => {
  test.each([
    ["image/avif,image/webp,image/apng,*/*;q=0.8", {}, "avif"],
    ["image/webp,*/*", {}, "webp"],
    ["IMAGE/WEBP ; q=0.5", {}, "webp"],
    ["image/webp;q=0.0, image/avif;q=0", {}, "jpeg"],
    ["image/*", {}, "jpeg"],
    ["", {}, "jpeg"],
    [undefined, { format: "png" }, "png"],
    [undefined, { format: "webp" }, "jpeg"],
    [undefined, { format: "avif", hasAlpha: true }, "png"],
    ["image/avif", { format: "gif", pages: 12 }, "gif"],
    ["image/avif,image/webp", { format: "gif", pages: 12 }, "webp"],
    ["image/avif", { format: "gif" }, "avif"],
  ] as const)("that accepts %j, of %j, is %s", (accept, more, format) => {
    expect(negotiateFormat(picture(8, 8, more), accept)).toBe(format);
  });
});

describe("the format of a file", () => {
  const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
  test.each([
    ["\xff\xd8\xff\xe0", "jpeg"],
    ["\x89PNG\r\n\x1a\n", "png"],
    ["GIF89a", "gif"],
    ["RIFF\x10\x00\x00\x00WEBPVP8 ", "webp"],
    ["\0\0\0\x20ftypavif\0\0\0\0avifmif1", "avif"],
    ["\0\0\0\x1cftypmif1\0\0\0\0miafavif", "avif"],
    ["\0\0\0\x18ftypheic\0\0\0\0mif1heic", undefined],
    ["\0\0\0\x18ftypheic\0\0\0\0mif1heicavif", undefined],
    ["\0\0\0\x18ftypisom\0\0\0\0isomavc1", undefined],
    ["RIFF\x10\x00\x00\x00WAVEfmt ", undefined],
    ["<svg xmlns=", undefined],
    ["", undefined],
  ])("%j is %s", (head, format) => {
    expect(detectFormat(bytes(head))).toBe(format);
  });

  test("of anything is an answer, never an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (head) => {
        detectFormat(head);
        detectFormat(Buffer.concat([bytes("\0\0\0"), head.subarray(0, 1), bytes("ftyp"), head]));
      }),
    );
  });
});
