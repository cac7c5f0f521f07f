import { describe, expect, it } from "@jest/globals";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, PARTS, query } from "./search-index.documents.ts";

export function writeSuite(underTest: IndexUnderTest): void {
  describe("what is written", () => {
    it("replaces by id, and words of the old text find nothing", async () => {
      const index = await underTest.newPlace().open();
      await index.write({
        documents: [part("BNS", "1234", "Old Muffler", { skuVariants: ["77-1234"] })],
        progress: { BNS: 1 },
      });
      await index.write({ documents: [part("BNS", "1234", "New Exhaust", { price: 5_555 })], progress: { BNS: 2 } });
      expect((await index.search("parts", query("muffler"))).total).toBe(0);
      expect((await index.search("parts", query("771234"))).total).toBe(0);
      expect((await index.search("parts", query("exhaust"))).hits[0]!.document.price).toBe(5_555);
      expect((await index.status()).parts.documents).toBe(1);
    });

    it("is taken out of the tires when it is none any more, and comes back when it is one again", async () => {
      const place = underTest.newPlace();
      const index = await place.open();
      const tire = part("HON", "TT-1", "Implement Tire", { category: "Wheels & Tires", kind: "Tires", isTire: true });
      const other = part("KMT", "TT-2", "Implement Tire, wide");
      const found = async (): Promise<string[]> => ids(await index.search("tires", query("implement tire"))).sort();
      await index.write({ documents: [tire, other], progress: { HON: 1, KMT: 1 } });
      expect(await found()).toEqual(["hon-tt1", "kmt-tt2"]);
      await index.write({
        documents: [{ ...tire, category: "Hubs", kind: undefined, price: 6_000, isTire: false }],
        progress: { HON: 2 },
      });
      expect(await found()).toEqual(["kmt-tt2"]);
      expect((await index.search("tires", query("tt1"))).total).toBe(0);
      expect((await index.search("parts", query("tt1"))).hits[0]!.document).toMatchObject({
        category: "Hubs",
        price: 6_000,
      });
      expect(await index.status()).toMatchObject({ parts: { documents: 2 }, tires: { documents: 1 } });
      expect(await index.get("tires", ["hon-tt1"])).toEqual([]);
      await index.write({ documents: [{ ...tire, price: 7_000 }], progress: { HON: 3 } });
      expect(await found()).toEqual(["hon-tt1", "kmt-tt2"]);
      // A hidden one belongs in neither index.
      await index.write({ documents: [{ ...tire, isHidden: true }], progress: { HON: 4 } });
      expect(await found()).toEqual(["kmt-tt2"]);
      expect((await index.search("parts", query("tt1"))).total).toBe(0);
      expect(await index.status()).toMatchObject({ parts: { documents: 1 }, tires: { documents: 1 } });
      await index.write({ documents: [tire], progress: { HON: 5 } });
      expect(await found()).toEqual(["hon-tt1", "kmt-tt2"]);
      // Of one that comes twice in a batch the last counts.
      await index.write({
        documents: [tire, { ...tire, isTire: false }, { ...other, isTire: false }, other],
        progress: { HON: 6, KMT: 2 },
      });
      expect(await found()).toEqual(["kmt-tt2"]);
      await index.close();
      const again = await place.open();
      expect((await again.status()).tires.documents).toBe(1);
      expect(ids(await again.search("tires", query("")))).toEqual(["kmt-tt2"]);
    });

    it("fails no search of the tires while it takes some out of them", async () => {
      const index = await underTest.newPlace().open();
      const tires = Array.from({ length: 500 }, (_, n) =>
        part("KMT", `T${n}`, `Turf Tire ${n}`, { category: "Wheels & Tires", kind: "Tires", isTire: true }),
      );
      const hubs = Array.from({ length: 20 }, (_, n) =>
        part("HON", `X${n}`, "Hub Tire", { category: "Wheels & Tires", kind: "Tires", isTire: true }),
      );
      await index.write({ documents: [...tires, ...hubs], progress: { KMT: 1, HON: 1 } });
      const writing = (async () => {
        for (let round = 2; round <= 5; round += 1) {
          const documents = [
            ...tires.map((tire) => ({ ...tire, price: 5_000 + round })),
            ...hubs.map((hub) => ({ ...hub, isTire: round % 2 === 1 })),
          ];
          await index.write({ documents, progress: { KMT: round, HON: round } });
        }
      })();
      let isWriting = true;
      const searching = async (): Promise<void> => {
        while (isWriting) await index.search("tires", query("hub"));
      };
      const searches = Promise.all([searching(), searching(), searching(), searching()]);
      await Promise.all([writing.finally(() => (isWriting = false)), searches]);
      expect((await index.search("tires", query("hub"))).total).toBe(20);
    });

    it("is found as soon as it is written, by all who search", async () => {
      const index = await underTest.newPlace().open();
      for (let n = 1; n <= 5; n += 1) {
        await index.write({ documents: [part("BNS", `500${n}`, "Muffler")], progress: { BNS: n } });
        expect((await index.search("parts", query("muffler"))).total).toBe(n);
      }
    });

    it("is there again after a restart, with how far it had read", async () => {
      const place = underTest.newPlace();
      const before = await place.open();
      await before.write({ documents: [...PARTS], progress: { BNS: 6 } });
      await before.write({ documents: [], progress: { HON: 9 } });
      const page = await before.search("parts", query("carburetor"));
      await before.close();
      const after = await place.open();
      expect(await after.search("parts", query("carburetor"))).toEqual(page);
      expect(await after.progress()).toEqual({ BNS: 6, HON: 9 });
    });

    it("may be many documents at once", async () => {
      const index = await underTest.newPlace().open();
      const documents = Array.from({ length: 4_500 }, (_, n) =>
        part(n % 5 === 0 ? "KMT" : "BNS", `M${10_000 + n}`, `Muffler ${n % 7}`),
      );
      await index.write({ documents, progress: { BNS: 4_500, KMT: 4_500 } });
      expect(await index.status()).toMatchObject({ parts: { documents: 4_500 }, tires: { documents: 900 } });
      const page = await index.search("parts", query("muffler", { offset: 4_400, limit: 100, sort: "newest" }));
      expect(page).toMatchObject({ total: 4_500 });
      expect(page.hits).toHaveLength(100);
    }, 60_000);

    it("and read at the same time is never half a batch", async () => {
      const index = await underTest.newPlace().open();
      await index.write({ documents: [part("BNS", "1", "Muffler", { price: 1 })], progress: { BNS: 1 } });
      let isWriting = true;
      const writing = (async () => {
        for (let n = 2; n <= 10; n += 1)
          await index.write({ documents: [part("BNS", "1", "Muffler", { price: n })], progress: { BNS: n } });
        isWriting = false;
      })();
      let last = 1;
      while (isWriting) {
        const { hits, total } = await index.search("parts", query("muffler"));
        expect(total).toBe(1);
        expect(hits[0]!.document.price).toBeGreaterThanOrEqual(last);
        last = hits[0]!.document.price!;
      }
      await writing;
      expect(ids(await index.search("parts", query("muffler")))).toEqual(["bns-1"]);
    }, 60_000);
  });
}
