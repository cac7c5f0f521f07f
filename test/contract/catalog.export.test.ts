import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { encodeCursor } from "../../broker/contract/cursor.ts";
import { importFile } from "../../services/catalog/import-file.ts";
import { createPriceFile } from "../../services/catalog/part-row.ts";
import { createPartReader } from "../../services/catalog/part-reader.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { call } from "../../services/contracts.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

/** More than are read for a page. */
const PARTS = 620;
const CHANGED = 7;

interface Row {
  id: string;
  title: string;
  cursor: string;
}

describe("An export of parts", () => {
  const system = useStarted(() => {
    const settings = testSettings(mongoSetting("export"));
    return startTestBroker({ services: ["catalog"], settings, transport: "fake" });
  });
  let between: string;
  let write: (vendor: string, count: number, title: string, status?: string) => Promise<unknown>;
  beforeAll(async () => {
    const writer = createPartWriter(system.documents);
    write = (vendor, count, title, status = "active") => {
      const rows = Array.from(
        { length: count },
        (_, n) => `${vendor}-${String(n).padStart(4, "0")},${title},${status}`,
      );
      const file = Readable.from([["part_number,title,status", ...rows].join("\n")]);
      return importFile(createPriceFile(writer, DEFAULT_VENDORS.getByCode(vendor)), "csv", file);
    };
    await write("KAW", PARTS, "Belt");
    await write("BNS", PARTS, "Belt");
    // A later moment than that of any part.
    const startedAt = Date.now();
    while (Date.now() === startedAt);
    between = new Date().toISOString();
    await write("KAW", CHANGED, "Changed belt");
    await write("BNS", CHANGED, "Changed belt");
  });

  /** As the gateway reads it. */
  async function read(asked: { from?: string; to?: string; cursor?: string }, most = Infinity): Promise<Row[]> {
    const rows: Row[] = [];
    let position: string | undefined;
    do {
      const page = await call(system.broker, "catalog.export", { format: "ndjson", ...asked, position });
      rows.push(...page.text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row])));
      position = page.next ?? undefined;
    } while (position !== undefined && rows.length < most);
    return rows;
  }

  test("has every part once, also from the cursor of any row on", async () => {
    const all = await read({});
    expect(new Set(all.map(({ id }) => id)).size).toBe(2 * PARTS);
    expect(all).toHaveLength(2 * PARTS);
    for (const at of [0, PARTS - 1, PARTS, 700])
      expect(await read({ cursor: all[at]!.cursor })).toEqual(all.slice(at + 1));
  });

  test("reads by the same order as a sitemap, whose pages have every part once and none is empty", async () => {
    const vendor = DEFAULT_VENDORS.getByCode("KAW");
    const reader = createPartReader(system.documents);
    const all = (await read({})).slice(-PARTS).map(({ id }) => id);
    for (const size of [PARTS / 4, 400, PARTS, PARTS + 1]) {
      const starts = await reader.pageStarts(vendor, size);
      const pages = await Promise.all(starts.map((after) => reader.listAfter(vendor, after, size)));
      expect([size, pages.length, pages.flat().map(({ _id }) => _id)]).toEqual([size, Math.ceil(PARTS / size), all]);
    }
  });

  test("of a period has those that changed in it, also from a cursor on", async () => {
    const changed = await read({ from: between });
    expect(changed.map(({ title }) => title)).toEqual(Array(2 * CHANGED).fill("Changed belt"));
    expect(await read({ from: between, cursor: changed[4]!.cursor })).toEqual(changed.slice(5));
    expect(await read({ from: between, cursor: changed[CHANGED - 1]!.cursor })).toEqual(changed.slice(CHANGED));
    const before = await read({ to: between });
    expect(before).toHaveLength(2 * (PARTS - CHANGED));
    expect(await read({ to: between, cursor: before[550]!.cursor })).toEqual(before.slice(551));
  });

  test("refuses the cursor of another kind of export, and a forged one", async () => {
    const [row] = await read({}, 1);
    for (const cursor of [row!.cursor, encodeCursor(["KAW", "kaw-0001", 1e17])])
      await expect(read({ from: between, cursor })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        message: expect.stringContaining("'cursor'"),
      });
  });

  test("a sitemap leaves out pages, and vendors, whose parts are all discontinued", async () => {
    const size = PARTS / 4;
    await write("KAW", size, "Old belt", "discontinued");
    await write("GRP", 1, "Old belt", "discontinued");
    const starts = await createPartReader(system.documents).pageStarts(DEFAULT_VENDORS.getByCode("KAW"), size);
    expect(starts).toEqual([size, 2 * size, 3 * size].map((n) => `kaw-kaw${String(n - 1).padStart(4, "0")}`));
    const { pages } = await call(system.broker, "catalog.sitemap", {});
    expect(pages.map(({ vendor }) => vendor).sort()).toEqual(["BNS", "KAW"]);
    for (const page of pages)
      expect((await call(system.broker, "catalog.sitemapPage", page)).parts.length).toBeGreaterThan(0);
  });
});
