import { expect, it } from "@jest/globals";
import { importPriceFile } from "../../services/catalog/import-price-file.ts";
import type { PartContent } from "../../services/catalog/part.ts";
import type { PartWriter } from "../../services/catalog/part-writer.ts";
import { vendorByCode } from "../../services/catalog/vendors.ts";

const BNS = vendorByCode("BNS");

/** A writer that is slow to answer, and what it was given. */
function slowWriter(): Pick<PartWriter, "write"> & { parts: PartContent[]; largest: number } {
  const writer = {
    parts: [] as PartContent[],
    largest: 0,
    write: async (_vendor: unknown, contents: PartContent[]) => {
      writer.parts.push(...contents);
      writer.largest = Math.max(writer.largest, contents.length);
      await new Promise((resolve) => setImmediate(resolve));
      return { written: contents.length, unchanged: 0 };
    },
  };
  return writer;
}

it("never reads far ahead of what is written, however long the file is", async () => {
  const writer = slowWriter();
  let sent = 0;
  let furthestAhead = 0;
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title,list_price\n";
    for (; sent < 100_000; sent += 100) {
      furthestAhead = Math.max(furthestAhead, sent - writer.parts.length);
      yield Array.from({ length: 100 }, (_, index) => `P${sent + index},part,1.00\n`).join("");
    }
  }
  expect(await importPriceFile(writer, BNS, "csv", file())).toEqual({ read: 100_000, written: 100_000, unchanged: 0, refused: [], refusedTotal: 0 });
  expect(furthestAhead).toBeLessThan(2_000);
  expect(writer.largest).toBeLessThanOrEqual(1_000);
});

it("lists a thousand refusals and counts them all", async () => {
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title\n";
    for (let row = 0; row < 5_000; row += 1) yield `,no number ${row}\n`;
  }
  const report = await importPriceFile(slowWriter(), BNS, "csv", file());
  expect(report).toMatchObject({ read: 5_000, written: 0, refusedTotal: 5_000 });
  expect(report.refused).toHaveLength(1_000);
  expect(report.refused[999]).toEqual({ line: 1_001, reason: "The column 'part_number' is empty" });
});

it("leaves the event loop free while it refuses row after row", async () => {
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title\n";
    for (let chunk = 0; chunk < 4; chunk += 1) yield '1,"never closed\n'.repeat(1_000);
  }
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const report = await importPriceFile(slowWriter(), BNS, "csv", file());
  clearInterval(timer);
  expect(report.refusedTotal).toBe(4_000);
  expect(turns).toBeGreaterThan(10);
});
