import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ReadingDocument } from "../../services/pipeline/collections.ts";
import { toInlineDisposition } from "../../services/pipeline/files/manual-files.ts";
import { MAX_UPLOAD_BYTES } from "../../services/pipeline/limits.ts";
import { toCsv } from "../../services/pipeline/results/page-results.ts";
import { toBaseName } from "../../services/pipeline/uploads/filename.ts";
import { receiveForm } from "../../services/pipeline/uploads/form.ts";
import { findStoredFacts, listIgnoredFields } from "../../services/pipeline/uploads/not-taken.ts";
import { readPdfBody } from "../../services/pipeline/uploads/pdf-body.ts";
import { formOf, FORM_TYPE, inPieces } from "../support/manuals.ts";
import { ANY_CHARACTER } from "../support/any-character.ts";

async function* chunks(...list: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

/** A PDF with so many bytes behind its header, as a form's part. */
const pdfPart = (more = 0, name = "file", filename = "a.pdf") => {
  return { name, filename, content: Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(more, "x")]) };
};
const readToEnd = async (file: AsyncIterable<Uint8Array>) => void (await Readable.from(file).toArray());

describe("the body of an upload", () => {
  const passed = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const handed: Uint8Array[] = [];
    for await (const chunk of readPdfBody(source)) handed.push(chunk);
    return Buffer.concat(handed);
  };

  test("passes as it is, in pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.integer({ min: 1, max: 700 }), async (rest, size) => {
        const whole = Buffer.concat([Buffer.from("junk before it %PDF-1.4\n"), rest]);
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.subarray(index * size, (index + 1) * size),
        );
        expect(Buffer.compare(await passed(chunks(...pieces)), whole)).toBe(0);
      }),
    );
  });

  test.each([
    ["nothing", []],
    ["what is short", [Buffer.from("%PDX-1.4")]],
    ["a header too late", [Buffer.alloc(1_024, " "), Buffer.from("%PDF-1.4")]],
  ])("is refused: %s", async (_, list) => {
    await expect(passed(chunks(...list))).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      data: [{ field: "file" }],
    });
  });

  test("is read on for a while where it is too large, and not for ever", async () => {
    let read = 0;
    const endless = (async function* (): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(4 * 1024 * 1024, " ");
      chunk.write("%PDF-1.4");
      for (;;) {
        read += chunk.length;
        yield chunk;
      }
    })();
    let handed = 0;
    const all = async (): Promise<void> => {
      for await (const chunk of readPdfBody(endless)) handed += chunk.length;
    };
    await expect(all()).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(handed).toBeLessThanOrEqual(MAX_UPLOAD_BYTES);
    expect(read).toBeGreaterThan(2 * MAX_UPLOAD_BYTES);
    expect(read).toBeLessThan(2 * MAX_UPLOAD_BYTES + 10_000_000);
  });
});

describe("a file's name", () => {
  test.each([
    ["manual.pdf", "manual.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\manuals\\GT 2254.pdf", "GT 2254.pdf"],
    ["", "manual.pdf"],
    ["..", "manual.pdf"],
    ["a/", "manual.pdf"],
    ["a\u0000b\r\n.pdf", "ab.pdf"],
    ["\u202egpj.pdf", "gpj.pdf"],
    ["Schläger.pdf", "Schläger.pdf"],
  ])("%j is kept as %j", (given, kept) => {
    expect(toBaseName(given)).toBe(kept);
  });

  test("never has a way in it, nor a line, for any input, and can be sent in a header", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 400 }), (given) => {
        const kept = toBaseName(given);
        expect(kept).not.toMatch(/[/\\\r\n\0]/);
        expect([...kept].length).toBeLessThanOrEqual(200);
        expect([".", "..", ""]).not.toContain(kept);
        expect(toInlineDisposition(kept)).toMatch(
          /^inline; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w.~!*%-]+$/,
        );
      }),
    );
  });
});

describe("an upload whose sender", () => {
  const form = formOf([pdfPart(400)]);
  const received = (body: Readable, pace: Parameters<typeof receiveForm>[3], everyChunkMs = 0) =>
    receiveForm(
      body,
      FORM_TYPE,
      async (file) => {
        let bytes = 0;
        for await (const chunk of file) {
          bytes += chunk.length;
          if (everyChunkMs > 0) await setTimeout(everyChunkMs);
        }
        return bytes;
      },
      pace,
    );

  test("sends a byte now and then is refused with that reason", async () => {
    const drip = Readable.from(
      (async function* () {
        for (const byte of form) {
          yield Buffer.from([byte]);
          await setTimeout(20);
        }
      })(),
      { objectMode: false },
    );
    await expect(received(drip, { bytes: 1_000, everyMs: 200 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("too slowly"),
    });
    // A request that is destroyed takes the answer with it.
    expect(drip.destroyed).toBe(false);
    drip.destroy();
  });

  test("names the file with a line break is refused with that reason", async () => {
    const named = Buffer.from(
      form.toString("latin1").replace('filename="a.pdf"', "filename*=UTF-8''..%0d%0ay.pdf"),
      "latin1",
    );
    await expect(received(inPieces(named), { bytes: 1, everyMs: 1_000 })).rejects.toMatchObject({
      data: [{ field: "file", message: expect.stringContaining("line break") }],
    });
  });

  test("waits for the storage of the file is not cut off", async () => {
    const whole = formOf([pdfPart(600_000)]);
    expect((await received(inPieces(whole, 60_000), { bytes: 1_000_000, everyMs: 20 }, 30)).kept).toBe(600_009);
  });
});

test("a form with too many parts is not read to its end", async () => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const body = Buffer.from(`${part.repeat(Math.floor(10_000_000 / part.length))}--b--\r\n`);
  const before = process.cpuUsage();
  await expect(
    receiveForm(inPieces(body, 65_536), "multipart/form-data; boundary=b", () => Promise.resolve()),
  ).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    data: [{ field: "body", message: "The form has too many fields." }],
  });
  const { user, system } = process.cpuUsage(before);
  // Microseconds; all of it takes many times as long, on a slow machine too.
  expect(user + system).toBeLessThan(2_000_000);
});

test("facts that are given of a known file and differ from its own are named", () => {
  const known = { equipment: ["GT-2254", "GT-2260"], manufacturer: "Acme" };
  expect(listIgnoredFields({ equipment: [] }, known)).toEqual([]);
  expect(listIgnoredFields({ equipment: ["GT-2260", "GT-2254"], manufacturer: "Acme" }, known)).toEqual([]);
  expect(listIgnoredFields({ equipment: ["GT-2254"] }, known)).toEqual(["equipment"]);
  const others = { equipment: ["GT-9"], manufacturer: "Other" };
  expect(listIgnoredFields(others, known)).toEqual(["equipment", "manufacturer"]);
});

test("the known facts of a file are those of its manual, or its first sender's while the manual cannot be read", async () => {
  const reading = { sha256: "a".repeat(64), status: "completed", equipment: ["GT-1"] } as ReadingDocument;
  const own = { equipment: ["GT-2254"], manufacturer: "Acme" };
  const manual = { sha256: reading.sha256, filename: "a.pdf", title: "A", ...own, pages: 1, figures: [] };
  const told: unknown[] = [];
  const find = (getManual: () => Promise<typeof manual>) =>
    findStoredFacts(reading, { getManual }, (error) => told.push(error));
  expect(await find(() => Promise.resolve(manual))).toMatchObject(own);
  expect(await find(() => Promise.reject(new Error("away")))).toMatchObject({ equipment: ["GT-1"] });
  expect(told).toEqual([new Error("away")]);
});

test("tables are CSV that no spreadsheet takes for formulas", () => {
  expect(toCsv([["Ref", 'a "b"', "x,y"]])).toBe('Ref,"a ""b""","x,y"\r\n');
  expect(toCsv([["", "line\nfeed", "-5"]])).toBe(',"line\nfeed",-5\r\n');
  expect(toCsv([["=1+1", "@x", "+49 30", "-A1"]])).toBe("'=1+1,'@x,+49 30,'-A1\r\n");
  expect(toCsv([["-", "＝1+1", "seal;=1+1", "\u0000=1"]])).toBe("-,'＝1+1,seal;'=1+1,'\u0000=1\r\n");
});

test("the one file of a form is the PDF under any name; a second one, and a file in place of a fact, are refused", async () => {
  const receive = async (...names: string[]) => {
    const parts = names.map((name) => pdfPart(0, name, `${name}.pdf`));
    return (await receiveForm(Readable.from([formOf(parts)]), FORM_TYPE, readToEnd)).form.filename;
  };
  for (const name of ["file", "pdf", "document", "upload"]) expect(await receive(name)).toBe(`${name}.pdf`);
  await expect(receive("file", "pdf")).rejects.toMatchObject({
    data: [{ field: "pdf", message: "One file can be sent at a time." }],
  });
  await expect(receive("equipment", "pdf")).rejects.toMatchObject({ data: [{ field: "equipment" }] });
});

test("a field that is sent empty, as /docs does where nobody filled it in, is not given", async () => {
  const body = formOf([{ name: "equipment", value: "" }, { name: "manufacturer", value: " " }, pdfPart()]);
  const { form } = await receiveForm(Readable.from([body]), FORM_TYPE, readToEnd);
  expect(form).toMatchObject({ filename: "a.pdf", equipment: [] });
  expect(form.manufacturer).toBeUndefined();
});
