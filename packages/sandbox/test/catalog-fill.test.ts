import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { fillCatalog, fillMarkIn } from "../src/catalog/fill.ts";
import { SUPPLIERS } from "../src/catalog/price-files.ts";

const base = "http://127.0.0.1:4002";

describe("the first fill", () => {
  const suppliers = SUPPLIERS;
  const freshDir = (): string => mkdtempSync(join(tmpdir(), "partline-fill-"));
  /** A catalog that remembers what it took; `cutAt` is the vendor whose import does not end. */
  const catalogOf = (taken: string[], { cutAt }: { cutAt?: string | undefined } = {}) => ({
    isEmpty: async () => taken.length === 0,
    import: async (vendor: string) => {
      if (vendor === cutAt) throw new Error("cut");
      taken.push(vendor);
      return { written: 1, refusedTotal: 0 };
    },
    syncListings: async () => {
      if (cutAt === "KMT") throw new Error("cut");
      taken.push("KMT");
      return 10;
    },
  });

  it("fills an empty catalog, and only that", async () => {
    const options = { imageUrlBase: base, mark: fillMarkIn({ dataDir: freshDir() }) };
    const others = ["HON"];
    expect(await fillCatalog(catalogOf(others), options)).toBe(0);
    expect(others).toEqual(["HON"]);
    const taken: string[] = [];
    expect(await fillCatalog(catalogOf(taken), options)).toBe(suppliers.length + 10);
    expect(taken.sort()).toEqual(["KMT", ...suppliers].sort());
    expect(await fillCatalog(catalogOf(taken), options)).toBe(0);
  });

  it.each([...suppliers.slice(1), "KMT"])(
    "is done again at the next start when it was cut at %s, and then never more",
    async (cutAt) => {
      const dataDir = freshDir();
      const atStart = (taken: string[], cut?: string) =>
        fillCatalog(catalogOf(taken, { cutAt: cut }), { imageUrlBase: base, mark: fillMarkIn({ dataDir }) });
      const taken: string[] = [];
      await expect(atStart(taken, cutAt)).rejects.toThrow("cut");
      expect(taken.length).toBeGreaterThan(0);
      expect(await atStart(taken)).toBe(suppliers.length + 10);
      expect(new Set(taken)).toEqual(new Set([...suppliers, "KMT"]));
      expect(await atStart(taken)).toBe(0);
    },
  );

  it("that was cut in one store is not done again in another", async () => {
    const dataDir = freshDir();
    const options = { imageUrlBase: base, mark: fillMarkIn({ dataDir }) };
    await expect(fillCatalog(catalogOf([], { cutAt: "KMT" }), options)).rejects.toThrow("cut");
    expect(
      await fillCatalog(catalogOf(["HON"]), {
        ...options,
        mark: fillMarkIn({ dataDir, mongoUrl: "mongodb://a/shop" }),
      }),
    ).toBe(0);
  });
});
