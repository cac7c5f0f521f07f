import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openSearchIndex } from "../../mixins/search-index/open.ts";
import type { SearchIndex } from "../../mixins/search-index/port.ts";
import { searchIndexContract } from "./search-index.contract.ts";
import { PARTS, query, SYNONYMS } from "./search-index.documents.ts";

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-search-"));
const open = (directory: string): Promise<SearchIndex> => openSearchIndex({ directory, synonyms: SYNONYMS });

searchIndexContract("SQLite", () => {
  const directory = newDirectory();
  return { open: () => open(directory) };
}, { runs: 150 });

describe("the embedded search index", () => {
  it("is empty when its file is damaged, so that it is filled again", async () => {
    const directory = newDirectory();
    const before = await open(directory);
    await before.write({ documents: [...PARTS], progress: { BNS: 6 } });
    const { name } = (await before.status()).parts;
    await before.close();
    const file = readdirSync(directory).find((each) => each.includes(name) && each.endsWith(".db"))!;
    writeFileSync(join(directory, file), "this is no database".repeat(1_000));
    const after = await open(directory);
    expect(await after.progress()).toEqual({});
    await after.write({ documents: [...PARTS], progress: { BNS: 6 } });
    expect((await after.search("parts", query("799868"))).total).toBeGreaterThan(0);
    await after.close();
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
