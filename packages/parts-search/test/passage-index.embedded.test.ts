import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { openEmbeddedPassages } from "../src/passage-index/embedded/passage-index.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { passage, passageIndexContract, SYNONYMS } from "./passage-index.contract.ts";

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-passages-"));
const open = (directory: string, idleMs?: number) => openEmbeddedPassages(directory, SYNONYMS, idleMs);

passageIndexContract(
  "embedded",
  () => {
    const directory = newDirectory();
    return {
      open: async () => open(directory),
      lose: async (index) => {
        await index.close();
        rmSync(directory, { recursive: true });
        return open(directory);
      },
    };
  },
  { runs: 30 },
);

describe("The embedded passage index", () => {
  test("belongs to one process", async () => {
    const directory = newDirectory();
    const index = open(directory);
    expect(() => open(directory)).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
    await index.close();
    await open(directory).close();
  });

  test("has no thread before it is asked, and none when nobody has asked for a while", async () => {
    const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const before = threads();
    const index = open(newDirectory(), 20);
    expect(threads()).toBe(before);
    await index.put({ manual: "a", passages: [passage(1, "muffler")] });
    await eventually(() => threads() === before);
    expect(await index.byWords({ words: "muffler", limit: 1 })).toHaveLength(1);
    await index.close();
  });

  test("starts empty if its file is broken", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "passages.db"), "no database, but long enough to be taken for one ".repeat(100));
    const index = open(directory);
    expect(await index.manuals()).toEqual([]);
    await index.put({ manual: "a", passages: [passage(1, "muffler")] });
    expect(await index.byWords({ words: "muffler", limit: 1 })).toHaveLength(1);
    await index.close();
  });
});
