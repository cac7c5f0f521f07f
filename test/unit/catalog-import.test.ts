import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { importBody, importFile } from "../../services/catalog/import-file.ts";
import { createPriceFile } from "../../services/catalog/part-row.ts";
import type { PartNews } from "../../services/catalog/part-content.ts";
import type { PartWriter } from "../../services/catalog/part-writer.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { usedMemory } from "../support/used-memory.ts";
import { eventually } from "../support/eventually.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");

/** A writer that is slow to answer, and what it was given. */
function slowWriter(): Pick<PartWriter, "write"> & { parts: PartNews[]; largest: number } {
  const writer = {
    parts: [] as PartNews[],
    largest: 0,
    write: async (_vendor: unknown, contents: PartNews[]) => {
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
  const report = await importFile(createPriceFile(writer, BNS), "csv", file());
  expect(report).toMatchObject({ read: 100_000, written: 100_000, unchanged: 0, refused: [], refusedTotal: 0 });
  expect(furthestAhead).toBeLessThan(2_000);
  expect(writer.largest).toBeLessThanOrEqual(1_000);
});

it("takes no more memory for a long file than for a short one, though it knows every number again", async () => {
  const ROWS = 300_000;
  let early = 0;
  let late = 0;
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title,list_price\n";
    for (let sent = 0; sent < ROWS; sent += 500) {
      if (sent === 30_000) early = usedMemory();
      const rows = Array.from({ length: 500 }, (_, index) => `LONG-NUMBER-${sent + index},a part with a title,1.00\n`);
      yield rows.join("");
    }
    late = usedMemory();
    yield "long number 17,again,1.00\n";
  }
  const write: PartWriter["write"] = async (_vendor, contents) => ({ written: contents.length, unchanged: 0 });
  const report = await importFile(createPriceFile({ write }, BNS), "csv", file());
  expect(report).toMatchObject({
    read: ROWS + 1,
    written: ROWS,
    refused: [{ line: ROWS + 2, reason: "The column 'part_number' repeats the part of line 19" }],
  });
  // A map of the numbers alone would be ten times this.
  expect((late - early) / 1_048_576).toBeLessThan(3);
}, 60_000);

it("lists a thousand refusals and counts them all", async () => {
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title\n";
    for (let row = 0; row < 5_000; row += 1) yield `,no number ${row}\n`;
  }
  const report = await importFile(createPriceFile(slowWriter(), BNS), "csv", file());
  expect(report).toMatchObject({ read: 5_000, written: 0, refusedTotal: 5_000 });
  expect(report.refused).toHaveLength(5_000);
  const reason = "The column 'part_number' is empty";
  expect(report.refused[999]).toEqual({ line: 1_001, reason, code: "empty", values: { column: "part_number" } });
});

it("leaves the event loop free while it refuses row after row", async () => {
  async function* file(): AsyncGenerator<string> {
    yield "part_number,title\n";
    for (let chunk = 0; chunk < 4; chunk += 1) yield '1,"never closed\n'.repeat(1_000);
  }
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const report = await importFile(createPriceFile(slowWriter(), BNS), "csv", file());
  clearInterval(timer);
  expect(report.refusedTotal).toBe(4_000);
  expect(turns).toBeGreaterThan(10);
});

it.each([
  ["csv", "\n"],
  ["csv", '"\n'],
  ["ndjson", "\n"],
  ["ndjson", "{\n"],
] as const)("leaves the event loop free through one chunk of many lines (%s, %j)", async (format, line) => {
  const LINES = 20_000;
  async function* file(): AsyncGenerator<string> {
    yield format === "csv" ? "part_number,title\n1,a\n" : '{"part_number":"1","title":"a"}\n';
    yield line.repeat(LINES);
  }
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const report = await importFile(createPriceFile(slowWriter(), BNS), format, file());
  clearImmediate(next);
  expect(report.read).toBe(line === "\n" ? 1 : LINES + 1);
  expect(turns).toBeGreaterThan(LINES / 300);
});

describe("the body of a request", () => {
  const rows = Array.from({ length: 20 }, (_, row) => `P${row},part\n`);
  const asBytes = (piece: string): Buffer => Buffer.from(piece);
  const bodyOf = (...pieces: string[]): Readable => Readable.from(pieces.map(asBytes), { objectMode: false });
  const send = (body: Readable, mostBytes = 1_000) =>
    importBody(createPriceFile(slowWriter(), BNS), "text/csv", body, mostBytes);

  it("is taken up to a limit, which it may reach", async () => {
    const file = ["part_number,title\n", ...rows];
    const bytes = file.join("").length;
    expect(await send(bodyOf(...file), bytes)).toMatchObject({ written: 20 });
    const body = bodyOf(...file);
    await expect(send(body, bytes - 1)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("that is refused is read to its end, so that the refusal comes to who sends it", async () => {
    const body = bodyOf("bin,name\n", ...rows);
    await expect(send(body)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await eventually(() => body.readableEnded);
    expect(body.errored).toBeNull();
  });
});
