import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { findPartsById } from "../../services/catalog/part-prices.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { createVendorNames } from "../../services/catalog/vendor-names.ts";
import { Vendors } from "../../services/catalog/vendors.ts";
import { useStores } from "./catalog.support.ts";

describe("vendor names", () => {
  const open = useStores("names");
  /** The names as one of several processes over a store knows them. */
  const processOver = (documents: DocumentStore) => {
    const vendors = new Vendors();
    const reader = createPartReader(documents, vendors);
    const writer = createPartWriter(documents);
    const announced: string[] = [];
    const names = createVendorNames({
      documents,
      vendors,
      reader,
      writer,
      wake: () => undefined,
      announce: async ({ code }) => announced.push(code),
      getPolicy: () => ({ beyond: "sell" }),
      onError: (error) => {
        throw error;
      },
    });
    return { vendors, reader, writer, names, announced };
  };

  it("that one process sets are another's when it looks, and a code that is new, and its parts, at once", async () => {
    const documents = await open();
    const [one, other, third] = [processOver(documents), processOver(documents), processOver(documents)];
    await one.names.set("kaw", "Kawasaki Engines USA", ["Kwk"]);
    await one.names.set("xqz", undefined, []);
    expect(other.vendors.find("kwk")).toBeUndefined();
    expect((await other.names.getByCode("XQZ")).name).toBe("XQZ");
    expect(other.vendors.find("kwk")).toMatchObject({ code: "KAW", name: "Kawasaki Engines USA", pricing: "dis" });
    await one.writer.write(one.vendors.getByCode("XQZ"), [{ partNumber: "P-1", title: "Part" }], "price_file");
    expect(await findPartsById(third.reader, ["xqz-p1"])).toMatchObject([{ partNumber: "P-1" }]);
    await expect(other.names.getByCode("xqw")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await one.names.reset("KAW");
    await other.names.refresh();
    expect(other.vendors.find("Kawasaki")).toMatchObject({ name: "Kawasaki" });
  });

  it("are the code of a vendor that is forgotten during its first import, and of no other one", async () => {
    const documents = await open();
    const [one, other] = [processOver(documents), processOver(documents)];
    for (const code of ["xqz", "xqw"]) await one.names.set(code, undefined, []);
    const importing = await other.names.getByCode("xqz");
    await one.names.reset("xqz");
    await one.names.reset("xqw");
    await other.writer.write(importing, [{ partNumber: "P-1", title: "Part" }], "price_file");
    for (const { names, reader, vendors } of [one, other]) {
      await names.refresh();
      expect(vendors.getByCode("XQZ")).toMatchObject({ name: "XQZ", aliases: [], pricing: "manual" });
      expect(vendors.find("xqw")).toBeUndefined();
      expect(await reader.listVendors()).toHaveLength(1);
    }
    expect((await one.names.list()).find(({ code }) => code === "XQZ")).toMatchObject({ isDefault: false });
  });

  it("count every part as changed once, going on from where a run was left", async () => {
    const { names, reader, writer, announced } = processOver(await open());
    await names.set("xqz", "Quizzle", []);
    const vendor = await names.getByCode("xqz");
    const parts = Array.from({ length: 1_200 }, (_, n) => ({ partNumber: `P-${1_000 + n}`, title: `Part ${n}` }));
    for (let at = 0; at < parts.length; at += 400) await writer.write(vendor, parts.slice(at, at + 400), "price_file");
    let held: Record<string, unknown> | undefined;
    const run = (progress: Record<string, unknown> | undefined, pages: number): Promise<void> => {
      const controller = new AbortController();
      let left = pages;
      const task = {
        signal: controller.signal,
        progress,
        confirm: async () => undefined,
        held: (reached?: Record<string, unknown>) => {
          held = reached;
          left -= 1;
          if (left === 0) controller.abort(new Error("the process stops"));
          return { collection: { name: "held" }, insertOne: { _id: String(Math.random()) } };
        },
      };
      return names.renamed.run({ vendor: "XQZ" }, task as unknown as Parameters<typeof names.renamed.run>[1]);
    };
    await expect(run(undefined, 1)).rejects.toThrow("the process stops");
    expect(announced).toEqual([]);
    await run(held, Infinity);
    expect(announced).toEqual(["XQZ"]);
    expect(await reader.getRevision(vendor)).toBe(2_400);
    expect(await reader.listChanges(vendor, { after: 1_200, limit: 5_000, tires: false })).toHaveLength(1_200);
  });
});
