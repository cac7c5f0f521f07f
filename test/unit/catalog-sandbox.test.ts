import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { keepPictures, readPictures, type SandboxPicture } from "../../packages/sandbox/src/catalog/pictures.ts";
import { priceRows, SUPPLIERS } from "../../packages/sandbox/src/catalog/price-files.ts";
import { listTires } from "../../packages/sandbox/src/tires/server.ts";
import { readPartRow } from "../../services/catalog/part-row.ts";

const base = "http://127.0.0.1:3002/api/media";
const rows = SUPPLIERS.flatMap((vendor) => priceRows(vendor, base).map((row) => ({ vendor, ...row })));
const share = (part: number): number => part / rows.length;

describe("the sandbox's catalog", () => {
  it("holds a few thousand parts that an import takes without a refusal", () => {
    expect(rows.length).toBeGreaterThan(3_000);
    for (const { vendor: _vendor, ...fields } of rows)
      expect(readPartRow(fields, () => undefined)).toMatchObject({ title: expect.any(String) });
    expect(new Set(rows.map(({ vendor, part_number }) => `${vendor} ${part_number.replace(/\W/g, "")}`)).size).toBe(
      rows.length,
    );
  });

  it("has parts with and without image and weight, without price, discontinued and replaced", () => {
    const of = (vendor: string, norm: string) => rows.find((row) => row.vendor === vendor && row.part_number === norm);
    expect(share(rows.filter(({ image_url }) => image_url !== "").length)).toBeCloseTo(0.83, 1);
    expect(share(rows.filter(({ list_price }) => list_price === "").length)).toBeCloseTo(0.04, 1);
    expect(share(rows.filter(({ weight }) => weight !== "").length)).toBeCloseTo(0.9, 1);
    const discontinued = rows.filter(({ status }) => status === "discontinued");
    expect(discontinued.length).toBeGreaterThan(100);
    expect(discontinued.some(({ superseded_by }) => superseded_by === "")).toBe(true);
    for (const { vendor, superseded_by } of discontinued)
      if (superseded_by) expect(of(vendor, superseded_by)).toBeDefined();
  });

  it.each([
    ["dot form", /^\d{2}\.[0-9A-Z]{4}$/],
    ["BER", /^BER\d+$/],
    ["F350", /^F350\d+$/],
    ["790, 614 or 713", /^(790|614|713)\d{3}$/],
    ["any other", /^59\d{4}S?$/],
  ])("has Briggs & Stratton numbers of the family %s", (_, family) => {
    expect(rows.some(({ vendor, part_number }) => vendor === "BNS" && family.test(part_number))).toBe(true);
  });

  it("links to pictures that there are, each by some part, and sends those that are missing", async () => {
    const [first, ...others] = readPictures();
    const sent: SandboxPicture[] = [];
    const written = await keepPictures({ has: async () => [first!.id], put: async (picture) => sent.push(picture) });
    expect(written).toBe(others.length);
    expect(sent).toEqual(others);
    const ids = new Set([first!, ...sent].map(({ id }) => id));
    const links = [...rows.map(({ image_url }) => image_url), ...listTires(base).flatMap(({ images }) => images)];
    expect(new Set(links.filter(Boolean))).toEqual(new Set([...ids].map((id) => `${base}/${id}`)));
    const { format, width, height } = await sharp(first!.webp, { failOn: "warning" }).metadata();
    expect({ format, width, height }).toEqual({ format: "webp", width: 480, height: 480 });
  });
});
