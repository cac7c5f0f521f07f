import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openSearchIndex } from "../src/search-index/open.ts";
import type { SearchIndex } from "../src/search-index/port.ts";
import type { IndexDocument } from "../src/search-index/index-document.ts";
import { elasticsearchTestPrefix, removeTestIndexes, testClient } from "../../../test/support/elasticsearch.ts";
import { startTcpProxy, type TcpProxy } from "../../../test/support/tcp-proxy.ts";
import { searchIndexContract } from "./search-index.contract.ts";
import { part, PARTS, query, SYNONYMS } from "./search-index.documents.ts";
import { killBuilder } from "./search-index.killed-builder.ts";

const url = process.env.ELASTICSEARCH_URL;

if (url) {
  const prefix = elasticsearchTestPrefix("contract");
  let places = 0;
  const open = (elasticsearchPrefix: string, elasticsearchUrl = url): Promise<SearchIndex> =>
    openSearchIndex({ elasticsearchUrl, elasticsearchPrefix, directory: "", synonyms: SYNONYMS });
  afterAll(() => removeTestIndexes(prefix));

  searchIndexContract(
    "Elasticsearch",
    () => {
      const elasticsearchPrefix = `${prefix}${++places}_`;
      return { open: () => open(elasticsearchPrefix) };
    },
    { runs: 40 },
  );

  describe("one Elasticsearch index for several processes", () => {
    const client = testClient();
    let mine: SearchIndex;
    let other: SearchIndex;
    let ours: string;
    beforeEach(async () => {
      ours = `${prefix}${++places}_`;
      [mine, other] = await Promise.all([open(ours), open(ours)]);
    });
    /** Ways to the server that a test can cut. */
    const lines: TcpProxy[] = [];
    const newLine = async (): Promise<TcpProxy> => {
      const line = await startTcpProxy(url);
      lines.push(line);
      return line;
    };
    afterEach(async () => {
      await Promise.all([mine.close(), other.close()]);
      for (const line of lines.splice(0)) await line.close();
    });
    afterAll(() => client.close());

    const muffler = (title: string): IndexDocument => part("BNS", "1234", title);
    const names = async (): Promise<string[]> =>
      Object.keys(await client.indices.get({ index: `${ours}*` }))
        .map((name) => name.slice(ours.length))
        .sort();
    test("holds documents as the specification's IndexedPart has them, found by their part numbers", async () => {
      const muffler = part("BNS", "12-34", "Muffler", { price: 1_999 });
      const free = part("BNS", "12-35", "Muffler, Low-Tone", { price: null });
      await mine.write({ documents: [muffler, free], progress: { BNS: 2 } });
      const stored = async (partNumber: string) => {
        const { hits } = await client.search({ index: `${ours}parts_current_read`, query: { term: { partNumber } } });
        return hits.hits.map(({ _source }) => _source);
      };
      expect(await stored("12-34")).toMatchObject([
        { id: "bns-1234", price: { list: { value: 19.99, currency: "usd" } } },
      ]);
      expect((await stored("12-35"))[0]).not.toHaveProperty("price");
      expect((await mine.get("parts", ["bns-1234", "bns-1235"])).map(({ price }) => price)).toEqual([1_999, null]);
      const count = async () => (await client.count({ index: `${ours}parts_current_read` })).count;
      expect(await count()).toBe((await mine.status()).parts.documents);
      const build = await mine.startBuild(["parts", "tires"]);
      await build.add({ documents: [muffler], progress: { BNS: 2 } });
      await build.publish({ parts: 1, tires: 0 }, { force: true });
      expect([await count(), (await mine.status()).parts.documents]).toEqual([1, 1]);
    });
    test("is made once, though many open it at the same moment", async () => {
      const others = await Promise.all(Array.from({ length: 4 }, () => open(ours)));
      for (const each of [mine, other, ...others]) expect(await each.status()).toEqual(await mine.status());
      expect(await names()).toHaveLength(2);
      await Promise.all(others.map((each) => each.close()));
    });

    test("shows to one what another has written", async () => {
      await mine.write({ documents: [muffler("Muffler")], progress: { BNS: 4 } });
      expect((await other.search("parts", query("muffler"))).total).toBe(1);
      expect(await other.progress()).toEqual({ BNS: 4 });
    });

    test("never has an older write over a newer one, nor progress that goes back", async () => {
      await mine.write({ documents: [muffler("Newer Muffler")], progress: { BNS: 9 } });
      await other.write({ documents: [muffler("Older Muffler"), part("BNS", "77", "Belt")], progress: { BNS: 5 } });
      expect((await mine.get("parts", ["bns-1234"]))[0]!.title).toBe("Newer Muffler");
      expect((await mine.search("parts", query("belt"))).total).toBe(1);
      expect(await mine.progress()).toEqual({ BNS: 9 });
      await other.write({ documents: [muffler("Newest Muffler")], progress: { BNS: 10 } });
      expect((await mine.get("parts", ["bns-1234"]))[0]!.title).toBe("Newest Muffler");
    });

    test("does not believe that it has read what lies between a new index and a batch that goes on from the old one", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      expect(await other.progress()).toEqual({ BNS: 6 });
      const build = await mine.startBuild(["parts", "tires"]);
      await build.add({ documents: [...PARTS], progress: { BNS: 4 } });
      await build.publish({ parts: 11, tires: 2 });
      await other.write({ documents: [muffler("Muffler")], progress: { BNS: 7 } });
      expect((await mine.search("parts", query("muffler"))).total).toBe(1);
      expect(await mine.progress()).toEqual({ BNS: 4 });
      expect(await other.progress()).toEqual({ BNS: 4 });
      await other.write({ documents: [muffler("Muffler")], progress: { BNS: 7 } });
      expect(await mine.progress()).toEqual({ BNS: 7 });
    });

    test("keeps what a killed process was building until the next build, and serves what was live", async () => {
      await killBuilder({ elasticsearchUrl: url, elasticsearchPrefix: ours });
      const { parts, tires } = await mine.status();
      const left = (await names()).filter((name) => ![parts.name, tires.name].includes(name));
      expect(left).toEqual([`${parts.name}_2`, `${tires.name}_2`]);
      const expectAsBefore = async (index: SearchIndex): Promise<void> => {
        expect((await index.status()).parts).toEqual({ name: parts.name, documents: 11 });
        expect(await index.progress()).toEqual({ BNS: 6 });
        expect((await index.search("parts", query("build"))).total).toBe(0);
      };
      // It may be another process's that lives: it is left alone, and a build has names of its own.
      const again = await open(ours);
      await expectAsBefore(again);
      expect(await names()).toEqual(expect.arrayContaining(left));
      const build = await again.startBuild(["parts"]);
      expect(build.names.parts).toBe(`${parts.name}_3`);
      expect(await names()).toEqual([parts.name, build.names.parts, tires.name].sort());
      await build.discard();
      await expectAsBefore(again);
      expect(await names()).toEqual([parts.name, tires.name]);
      await again.close();
    });

    test("loses what a process that sleeps was building to the one that builds next", async () => {
      const asleep = await mine.startBuild(["parts"]);
      await asleep.add({ documents: [...PARTS], progress: { BNS: 6 } });
      const next = await other.startBuild(["parts"]);
      expect(next.names.parts).not.toBe(asleep.names.parts);
      // What it writes now makes no index of that name again.
      await expect(asleep.add({ documents: [...PARTS], progress: { BNS: 6 } })).rejects.toMatchObject({
        code: "BUILD_REFUSED",
      });
      await expect(asleep.publish({ parts: 11 })).rejects.toMatchObject({ code: "BUILD_REFUSED" });
      expect(await names()).not.toContain(asleep.names.parts);
      await next.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await next.publish({ parts: 11 });
      expect((await mine.search("parts", query("799868"))).total).toBe(3);
    });

    test("loses at the next build what a process could not take away itself, Elasticsearch being gone", async () => {
      const line = await newLine();
      const builder = await open(ours, line.url);
      const build = await builder.startBuild(["parts"]);
      await line.cut();
      await expect(build.discard()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await line.restore();
      expect(await names()).toContain(build.names.parts);
      await (await mine.startBuild(["tires"])).discard();
      expect(await names()).not.toContain(build.names.parts);
      await builder.close();
    });

    /** As if code of another version had made it: with its `_meta`, and its alias in the place of ours. */
    const asOfVersion = async (name: string, version: number): Promise<void> => {
      const index = `${ours}${name}`;
      const { aliases } = (await client.indices.get({ index }))[index]!;
      const logical = name.split("_")[0]!;
      const alias = Object.keys(aliases!).find((each) => each.startsWith(`${ours}${logical}_current_read_v`))!;
      await client.indices.putMapping({ index, _meta: { version } });
      await client.indices.updateAliases({
        actions: [
          { remove: { index, alias } },
          { add: { index, alias: `${ours}${logical}_current_read_v${version}` } },
        ],
      });
    };

    test("of an older version stays as it is, and is no empty one, until a build takes its place", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const before = (await mine.status()).parts.name;
      await asOfVersion(before, 1);
      const after = await open(ours);
      for (const operation of [
        () => after.status(),
        () => after.progress(),
        () => after.write({ documents: [muffler("Muffler")], progress: { BNS: 7 } }),
      ]) {
        await expect(operation()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
      }
      for (const search of [
        () => after.search("parts", query("")),
        () => after.search("parts", query("799868")),
        () => after.suggest("parts", { q: "car", limit: 3 }),
        () => after.get("parts", ["bns-799868"]),
      ]) {
        await expect(search()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      }
      expect(
        (await client.count({ index: `${ours}parts_current_read_v1`, query: { exists: { field: "status" } } })).count,
      ).toBe(11);
      expect(await names()).toHaveLength(2);
      const build = await after.startBuild(["parts", "tires"]);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await build.publish({ parts: 11, tires: 2 });
      expect((await after.status()).parts).toEqual({ name: `${before}_2`, documents: 11 });
      expect((await after.search("parts", query("799868"))).total).toBe(3);
      expect(await after.progress()).toEqual({ BNS: 6 });
      // A process of the older version that still runs finds what it found.
      expect(
        (await client.count({ index: `${ours}parts_current_read_v1`, query: { exists: { field: "status" } } })).count,
      ).toBe(11);
      await after.close();
    });

    test("of a newer version is neither written to nor replaced, and searches go on where an older one is kept", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const build = await mine.startBuild(["parts"]);
      await build.add({ documents: PARTS.slice(0, 8), progress: { BNS: 6 } });
      const { name } = (await mine.status()).parts;
      await build.publish({ parts: 8 });
      const late = await other.startBuild(["parts"]);
      const ourAlias = Object.keys(
        (await client.indices.getAlias({ index: `${ours}${build.names.parts}` }))[`${ours}${build.names.parts}`]!
          .aliases,
      ).find((alias) => /_v\d+$/.test(alias))!;
      await asOfVersion(build.names.parts!, 999);
      await client.indices.putAlias({ index: `${ours}${name}`, name: ourAlias });
      for (const operation of [
        () => mine.status(),
        () => mine.progress(),
        () => mine.write({ documents: [muffler("Muffler")], progress: { BNS: 7 } }),
        () => mine.startBuild(["parts"]),
        () => mine.rollback("parts"),
        () => late.publish({ parts: 0 }, { force: true }),
      ])
        await expect(operation()).rejects.toMatchObject({
          code: "UNAVAILABLE",
          message: expect.stringMatching(/newer version/),
        });
      expect((await mine.search("parts", query(""))).total).toBeGreaterThan(8);
      const again = await open(ours);
      expect((await again.search("parts", query("799868"))).total).toBe(3);
      await again.close();
      expect((await mine.indexes()).filter(({ live }) => live).map((each) => each.name)).toContain(build.names.parts);
    });

    test("that an operator deleted is missed, and not taken for an empty one", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const { name } = (await mine.status()).parts;
      await client.indices.delete({ index: `${ours}${name}` });
      await expect(mine.status()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
      await expect(mine.search("parts", query(""))).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(await names()).toHaveLength(1);
      const build = await mine.startBuild(["parts"]);
      await build.add({ documents: [...PARTS], progress: { BNS: 6 } });
      await build.publish({ parts: 11 });
      expect((await other.search("parts", query("799868"))).total).toBe(3);
    });

    test("has its aliases again at the next start where somebody moved one of them", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const { name } = (await mine.status()).parts;
      await client.indices.deleteAlias({ index: `${ours}${name}`, name: `${ours}parts_current_write` });
      await (await open(ours)).close();
      expect(await client.indices.existsAlias({ name: `${ours}parts_current_write` })).toBe(true);
      await mine.write({ documents: [muffler("Muffler")], progress: { BNS: 7 } });
      expect((await mine.status()).parts).toEqual({ name, documents: 12 });
    });

    test("is another one behind another prefix", async () => {
      await mine.write({ documents: [...PARTS], progress: { BNS: 6 } });
      const inside = await open(`${ours}a_`);
      expect((await inside.search("parts", query(""))).total).toBe(0);
      const build = await inside.startBuild(["parts", "tires"]);
      await build.publish({ parts: 0, tires: 0 });
      expect(await mine.status()).toMatchObject({ parts: { documents: 11 } });
      expect((await mine.search("parts", query("799868"))).total).toBe(3);
      await inside.close();
    });

    test("has the specification's names and aliases, and one that names the version of the code that can search it", async () => {
      const { parts, tires } = await mine.status();
      const found = await client.indices.get({ index: `${ours}*` });
      expect(
        Object.fromEntries(Object.entries(found).map(([name, { aliases }]) => [name, Object.keys(aliases!).sort()])),
      ).toEqual({
        [`${ours}${parts.name}`]: [
          `${ours}parts_current_read`,
          expect.stringMatching(/parts_current_read_v\d+$/),
          `${ours}parts_current_write`,
        ],
        [`${ours}${tires.name}`]: [
          `${ours}tires_current_read`,
          expect.stringMatching(/tires_current_read_v\d+$/),
          `${ours}tires_current_write`,
        ],
      });
    });
  });
} else {
  describe.skip("search index: Elasticsearch", () => {
    test("needs ELASTICSEARCH_URL", () => undefined);
  });
}
