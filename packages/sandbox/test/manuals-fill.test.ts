import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { markIn, type MarkedStore } from "../src/catalog/fill.ts";
import { SAMPLE_MANUALS, SAMPLE_NAMES, fillManuals } from "../src/manuals/manuals.ts";
import { generateManual } from "../../bench/src/support/generators/manuals/generate.ts";
import { startDealerSandbox } from "../src/dealer/server.ts";
import { readSample } from "../src/samples.ts";
import { SAMPLES } from "../../bench/src/support/generators/manuals/samples.ts";

const freshDir = (): string => mkdtempSync(join(tmpdir(), "partline-manuals-"));
const marks = (store: MarkedStore) => ({
  sending: markIn(store, "manuals-sandbox-sending"),
  sent: markIn(store, "manuals-sandbox-sent"),
});

/** A pipeline that remembers what it took; the upload of `cutAt` does not end. */
const pipelineOf = (
  taken: string[],
  { cutAt, isEmpty = taken.length === 0 }: { cutAt?: string; isEmpty?: boolean } = {},
) => ({
  isEmpty: async () => isEmpty,
  upload: async (name: string, pdf: Uint8Array) => {
    if (name === cutAt) throw new Error("cut");
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe("%PDF-");
    taken.push(name);
  },
});

describe("the manuals of a fresh start", () => {
  const read = SAMPLE_NAMES.filter((name) => SAMPLE_MANUALS[name].isRead);

  it("are two, sent once, even where jobs of long ago are forgotten", async () => {
    const store = { dataDir: freshDir() };
    const taken: string[] = [];
    expect(await fillManuals(pipelineOf(taken), marks(store))).toBe(2);
    expect(taken).toEqual(read);
    expect(await fillManuals(pipelineOf(taken, { isEmpty: true }), marks(store))).toBe(0);
    expect(taken).toEqual(read);
  });

  it("are sent again by the next start where the first was cut off between them", async () => {
    const store = { dataDir: freshDir() };
    const taken: string[] = [];
    await expect(fillManuals(pipelineOf(taken, { cutAt: read[1]! }), marks(store))).rejects.toThrow("cut");
    expect(taken).toEqual([read[0]]);
    expect(await fillManuals(pipelineOf(taken), marks(store))).toBe(2);
    expect(new Set(taken)).toEqual(new Set(read));
  });

  it("are not sent to a pipeline that has read others", async () => {
    const taken = ["another.pdf"];
    expect(await fillManuals(pipelineOf(taken), marks({ dataDir: freshDir() }))).toBe(0);
    expect(taken).toEqual(["another.pdf"]);
  });

  it.each(SAMPLE_NAMES)("include %s as the generator writes it, whose truth is known", async (name) => {
    const { seed, options } = SAMPLES[name];
    expect((await generateManual(seed, options)).pdf.equals(readSample(`manuals/${name}`))).toBe(true);
  });

  it("name the carburetor and the blade bolts of the GT-2254, with numbers that the catalog has", async () => {
    const { seed, options } = SAMPLES["gt-2254.pdf"];
    const { truth } = await generateManual(seed, options);
    expect(truth.models).toContain("GT-2254");
    const rowOf = (wanted: string) =>
      truth.parts.find(({ name, ledBy }) => name === wanted && ledBy === "column-header");
    expect(rowOf("Carburetor")).toMatchObject({ page: 7, isCatalogPart: true, quantity: 1 });
    expect(rowOf("Blade Bolt")).toMatchObject({ isCatalogPart: true, quantity: 3, layout: "ruled-table" });
  });
});

describe("the makers' manuals over HTTP", () => {
  it("are listed, and the third is there to be uploaded", async () => {
    const { url, close } = await startDealerSandbox({ host: "127.0.0.1", port: 0 });
    try {
      expect(await (await fetch(`${url}/manuals`)).json()).toEqual({
        manuals: SAMPLE_NAMES.map((name) => ({ file: `/manuals/${name}`, about: SAMPLE_MANUALS[name].about })),
      });
      const third = await fetch(`${url}/manuals/third.pdf`);
      expect([third.status, third.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expect(
        Buffer.from(await third.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
      expect((await fetch(`${url}/manuals/another.pdf`)).status).toBe(404);
    } finally {
      await close();
    }
  });
});
