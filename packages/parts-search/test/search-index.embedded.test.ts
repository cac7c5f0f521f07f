import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "@jest/globals";
import { openSearchIndex } from "../src/search-index/open.ts";
import type { SearchIndex } from "../src/search-index/port.ts";
import { openEmbeddedIndex } from "../src/search-index/embedded/search-index.ts";
import { searchIndexContract } from "./search-index.contract.ts";
import { PARTS, query, SYNONYMS } from "./search-index.documents.ts";

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-search-"));
const open = (directory: string): Promise<SearchIndex> => openSearchIndex({ directory, synonyms: SYNONYMS });

searchIndexContract(
  "SQLite",
  () => {
    const directory = newDirectory();
    return { open: () => open(directory) };
  },
  { runs: 150 },
);

describe("the embedded search index", () => {
  const BOTH = ["parts", "tires"] as const;
  const logged: string[] = [];
  const logger = { warn: (message: string) => void logged.push(message) };
  const publish = async (index: SearchIndex, documents: typeof PARTS, revision: number): Promise<void> => {
    const build = await index.startBuild(BOTH);
    await build.add({ documents: [...documents], progress: { BNS: revision } });
    await build.publish({ parts: documents.length });
  };
  const filled = async (): Promise<{ directory: string; file: string }> => {
    const directory = newDirectory();
    const index = await open(directory);
    await index.write({ documents: [...PARTS], progress: { BNS: 6 } });
    const { name } = (await index.status()).parts;
    await index.close();
    return { directory, file: join(directory, `${name}.db`) };
  };
  const damage = (file: string): void => writeFileSync(file, "this is no database".repeat(1_000));
  const makeOfVersion = (file: string, version: number): void => {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };

  const breakRow = (file: string): void => {
    const database = new DatabaseSync(file);
    database.exec("UPDATE part SET hit = '{' WHERE row = 3");
    database.close();
  };

  it.each([
    ["damaged", damage],
    ["not to be read", breakRow],
    ["of another version", (file: string) => makeOfVersion(file, 999)],
    ["gone", (file: string) => rmSync(file)],
  ] as const)(
    "asks for a build where its file is %s, is never taken for an empty one, and keeps the file until then",
    async (_what, spoil) => {
      const { directory, file } = await filled();
      spoil(file);
      const before = existsSync(file) && readFileSync(file);
      logged.length = 0;
      const index = await openEmbeddedIndex({ directory, synonyms: SYNONYMS, logger });
      expect(logged.join("; ")).toContain("parts");
      const operations = [
        () => index.progress(),
        () => index.status(),
        () => index.search("parts", query("")),
        () => index.suggest("parts", { q: "c", limit: 1 }),
        () => index.get("parts", ["x"]),
        () => index.write({ documents: [], progress: {} }),
        () => index.rollback("parts"),
      ];
      for (const operation of operations) await expect(operation()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
      if (before) expect(readFileSync(file).equals(before)).toBe(true);
      await publish(index, PARTS, 6);
      expect(await index.progress()).toEqual({ BNS: 6 });
      expect((await index.search("parts", query("799868"))).total).toBe(3);
      expect(existsSync(file)).toBe(false);
      await index.close();
    },
  );

  it("goes back to the older one that is kept where the live one is damaged", async () => {
    const directory = newDirectory();
    const before = await open(directory);
    await before.write({ documents: [...PARTS], progress: { BNS: 6 } });
    const older = (await before.status()).parts.name;
    await publish(before, PARTS, 7);
    const { name } = (await before.status()).parts;
    await before.close();
    damage(join(directory, `${name}.db`));
    const after = await open(directory);
    expect((await after.status()).parts).toEqual({ name: older, documents: 11 });
    expect(await after.progress()).toEqual({ BNS: 6 });
    expect(existsSync(join(directory, `${name}.db`))).toBe(true);
    await after.close();
  });

  it("is not opened where the reason is none of the file's, and nothing is removed", async () => {
    const { directory, file } = await filled();
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    await expect(open(directory)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(file),
    });
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    const index = await open(directory);
    expect(await index.progress()).toEqual({ BNS: 6 });
    await index.close();
  });

  it.each(["", "{", "null", "[]", "{}", '{"indexes":{"parts_v2026_01_01":null}}'])(
    "is not opened where the list of its files is damaged (%j), and nothing is removed",
    async (text) => {
      const { directory, file } = await filled();
      writeFileSync(join(directory, "aliases.json"), text);
      await expect(open(directory)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringMatching(/aliases\.json is damaged/),
      });
      expect(existsSync(file)).toBe(true);
    },
  );

  it("asks for a build where the list of its files is gone, takes nothing for live, and removes nothing until then", async () => {
    const { directory, file } = await filled();
    const before = readFileSync(file);
    rmSync(join(directory, "aliases.json"));
    for (let start = 1; start <= 2; start += 1) {
      logged.length = 0;
      const index = await openEmbeddedIndex({ directory, synonyms: SYNONYMS, logger });
      expect(logged).toEqual(
        BOTH.map((name) => expect.stringMatching(new RegExp(`aliases\\.json is missing, .* of ${name} `))),
      );
      await expect(index.status()).rejects.toMatchObject({ code: "BUILD_NEEDED" });
      expect(await index.indexes()).toEqual([]);
      expect(readFileSync(file).equals(before)).toBe(true);
      await index.close();
    }
    const index = await open(directory);
    await publish(index, PARTS, 6);
    const { parts } = await index.status();
    expect(parts).toEqual({ name: expect.stringMatching(/_2$/), documents: 11 });
    expect(existsSync(file)).toBe(false);
    await index.close();
    const again = await open(directory);
    expect((await again.status()).parts).toEqual(parts);
    await again.close();
  });

  it("serves one process only", async () => {
    const directory = newDirectory();
    const index = await open(directory);
    await expect(open(directory)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await index.close();
    await (await open(directory)).close();
    await expect(index.progress()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
