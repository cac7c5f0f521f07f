import { describe, expect, it } from "@jest/globals";
import type { SearchIndex } from "../src/search-index/port.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import type { IndexUnderTest } from "./search-index.subject.ts";
import { ids, part, PARTS, query } from "./search-index.documents.ts";

const BOTH = ["parts", "tires"] as const;

/** PARTS and one more that marks the build. */
const withNewcomer = (round: number): IndexDocument[] => [...PARTS, part("BNS", `9000${round}`, `Newcomer ${round}`)];

async function publish(index: SearchIndex, round: number): Promise<void> {
  const build = await index.startBuild(BOTH);
  await build.add({ documents: withNewcomer(round), progress: { BNS: round * 10 } });
  await build.publish({ parts: 12, tires: 2 });
}

export function buildSuite(underTest: IndexUnderTest): void {
  const filled = async (): Promise<SearchIndex> => {
    const index = await underTest.newPlace().open();
    await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
    return index;
  };

  describe("a build", () => {
    it("is not seen before it is published, then at once, and the one before it is kept to go back to", async () => {
      const index = await filled();
      const first = (await index.status()).parts.name;
      for (let round = 2; round <= 4; round += 1) {
        const build = await index.startBuild(BOTH);
        expect(build.names).toEqual({
          parts: `${first}_${round}`,
          tires: expect.stringMatching(new RegExp(`^tires_v.*_${round}$`)),
        });
        await build.add({ documents: withNewcomer(round), progress: { BNS: round * 10 } });
        expect((await index.search("parts", query(`9000${round}`))).hits).toEqual([]);
        expect((await index.indexes()).map(({ name }) => name)).not.toContain(build.names.parts);
        await build.publish({ parts: 12, tires: 2 });
        expect(ids(await index.search("parts", query(`9000${round}`)))).toEqual([`bns-9000${round}`]);
        expect((await index.status()).parts).toEqual({ name: `${first}_${round}`, documents: 12 });
      }
      expect(await index.progress()).toEqual({ BNS: 40 });
      const kept = (await index.indexes()).filter((each) => each.index === "parts");
      expect(kept.map(({ name, live, documents }) => ({ name, live, documents }))).toEqual([
        { name: `${first}_4`, live: true, documents: 12 },
        { name: `${first}_3`, live: false, documents: 12 },
      ]);
      expect(Date.now() - kept[0]!.createdAt.getTime()).toBeLessThan(120_000);
    }, 60_000);

    it("loses what stops being a tire while it is filled", async () => {
      const index = await filled();
      const build = await index.startBuild(["tires"]);
      await build.add({ documents: [...PARTS], progress: { KMT: 2 } });
      await build.add({ documents: PARTS.slice(-1).map((tire) => ({ ...tire, isTire: false })), progress: { KMT: 3 } });
      await build.publish({ tires: 1 });
      expect(ids(await index.search("tires", query("")))).toEqual(["kmt-tl12345"]);
    });

    it("of the tires alone leaves the parts alone", async () => {
      const index = await filled();
      const before = await index.status();
      const build = await index.startBuild(["tires"]);
      expect(Object.keys(build.names)).toEqual(["tires"]);
      await build.add({ documents: PARTS.slice(0, 10), progress: { KMT: 3 } });
      await build.publish({ tires: 1 });
      expect((await index.status()).parts).toEqual(before.parts);
      expect((await index.status()).tires).toEqual({ name: build.names.tires, documents: 1 });
    });

    it("that is short is refused, and one far below the live index is too, unless forced", async () => {
      const index = await filled();
      const { name } = (await index.status()).parts;
      const build = await index.startBuild(BOTH);
      await build.add({ documents: PARTS.slice(0, 3), progress: { BNS: 3 } });
      await expect(build.publish({ parts: 11, tires: 2 })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
      await expect(build.publish({ parts: 3, tires: 0 })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
      expect((await index.status()).parts).toEqual({ name, documents: 11 });
      await build.publish({ parts: 3, tires: 0 }, { force: true });
      expect((await index.status()).parts).toEqual({ name: build.names.parts, documents: 3 });
      await expect(build.publish({ parts: 3, tires: 0 })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
      await expect(build.add({ documents: [], progress: {} })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
    });

    it("that takes the place of an index without a document leaves none to go back to", async () => {
      const index = await underTest.newPlace().open();
      await publish(index, 2);
      const { parts, tires } = await index.status();
      expect((await index.indexes()).map(({ name }) => name).sort()).toEqual([parts.name, tires.name].sort());
      for (const each of BOTH)
        await expect(index.rollback(each)).rejects.toMatchObject({ code: "NOTHING_TO_ROLL_BACK" });
      expect((await index.search("parts", query("newcomer"))).total).toBe(1);
    });

    it("that is discarded leaves nothing", async () => {
      const index = await filled();
      const before = await index.indexes();
      const build = await index.startBuild(BOTH);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await build.discard();
      expect(await index.indexes()).toEqual(before);
      await expect(build.publish({ parts: 11, tires: 2 })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
      expect((await index.startBuild(BOTH)).names.parts).toBe(build.names.parts);
    });

    it("that a stop interrupts is gone at the next start, and the live index is as it was", async () => {
      const place = underTest.newPlace();
      const before = await place.open();
      await before.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const status = await before.status();
      const build = await before.startBuild(BOTH);
      await build.add({ documents: withNewcomer(2), progress: { BNS: 20 } });
      await before.close();
      const after = await place.open();
      expect(await after.status()).toEqual(status);
      expect(await after.progress()).toEqual({ BNS: 6 });
      expect((await after.startBuild(BOTH)).names).toEqual(build.names);
    });

    it("has the progress that it has read itself, also with writes to the live index meanwhile", async () => {
      const index = await filled();
      const build = await index.startBuild(BOTH);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await index.write({ documents: [part("BNS", "5555", "Latecomer")], progress: { BNS: 7 } });
      expect(await index.progress()).toEqual({ BNS: 7 });
      expect((await index.search("parts", query("latecomer"))).total).toBe(1);
      await build.publish({ parts: 11, tires: 2 });
      expect(await index.progress()).toEqual({ BNS: 6 });
      await index.write({ documents: [part("BNS", "5555", "Latecomer")], progress: { BNS: 7 } });
      expect((await index.search("parts", query("latecomer"))).total).toBe(1);
      expect(await index.progress()).toEqual({ BNS: 7 });
    });

    it("goes live between two searches: none fails, none sees half of it", async () => {
      const index = await filled();
      let isBuilding = true;
      const building = (async () => {
        for (let round = 2; round <= 5; round += 1) await publish(index, round);
        isBuilding = false;
      })();
      let last = 0;
      let searches = 0;
      while (isBuilding) {
        // Every build has its own newcomer, so a mixture would show two of them or none.
        const { hits, total, facets } = await index.search("parts", query("newcomer"));
        const round = hits[0] === undefined ? 0 : Number(hits[0].document.title.split(" ")[1]);
        expect(total).toBe(round === 0 ? 0 : 1);
        expect(facets.manufacturer.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        expect(round).toBeGreaterThanOrEqual(last);
        last = round;
        searches += 1;
      }
      await building;
      expect(searches).toBeGreaterThan(3);
      expect(ids(await index.search("parts", query("newcomer")))).toEqual(["bns-90005"]);
    }, 60_000);
  });

  describe("a rollback", () => {
    it("goes to the older index that is kept, with the progress that it had", async () => {
      const index = await filled();
      await expect(index.rollback("parts")).rejects.toMatchObject({ code: "NOTHING_TO_ROLL_BACK" });
      const first = (await index.status()).parts.name;
      await publish(index, 2);
      const second = (await index.status()).parts.name;
      expect(await index.rollback("parts")).toEqual({ from: second, to: first });
      expect((await index.search("parts", query("newcomer"))).total).toBe(0);
      expect((await index.indexes()).find(({ name }) => name === first)).toMatchObject({ live: true });
      // As far as all of them have read: the tires are still the new ones.
      expect(await index.progress()).toEqual({ BNS: 6 });
      await expect(index.rollback("parts")).rejects.toMatchObject({ code: "NOTHING_TO_ROLL_BACK" });
      await index.write({ documents: [part("BNS", "5555", "Latecomer")], progress: { BNS: 7 } });
      expect((await index.search("parts", query("latecomer"))).total).toBe(1);
      await publish(index, 3);
      expect((await index.indexes()).filter((each) => each.index === "parts").map(({ name }) => name)).toEqual([
        `${first}_3`,
        first,
      ]);
    }, 60_000);
  });
}
