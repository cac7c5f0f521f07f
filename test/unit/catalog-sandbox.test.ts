import { describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { keepPictures, readPictures, type SandboxPicture } from "../../packages/sandbox/src/catalog/pictures.ts";
import { priceRows, SUPPLIERS } from "../../packages/sandbox/src/catalog/price-files.ts";
import { listTires } from "../../packages/sandbox/src/tires/server.ts";
import { readPartRow } from "../../services/catalog/part-row.ts";

const base = "http://127.0.0.1:3002/api/media";
const rows = SUPPLIERS.flatMap((vendor) => priceRows(vendor, base).map((row) => ({ vendor, ...row })));

describe("the sandbox's catalog", () => {
  it("holds a few thousand parts that an import takes without a refusal", () => {
    expect(rows.length).toBeGreaterThan(3_000);
    for (const { vendor: _vendor, ...fields } of rows)
      expect(readPartRow(fields, () => undefined)).toMatchObject({ title: expect.any(String) });
    expect(new Set(rows.map(({ vendor, part_number }) => `${vendor} ${part_number.replace(/\W/g, "")}`)).size).toBe(
      rows.length,
    );
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
