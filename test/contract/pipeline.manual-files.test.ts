import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, expect, test } from "@jest/globals";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import { call } from "../../services/contracts.ts";
import { openLocalCopies } from "../../services/pipeline/files/local-copies.ts";
import { createManualFiles } from "../../services/pipeline/files/manual-files.ts";
import { getSourceKey } from "../../services/pipeline/object-keys.ts";
import { createPdfReader } from "../../packages/manual-reader/src/pdf/reader.ts";
import { freezeTheBusy } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { endedJob, manualPdf, sha256Of, upload } from "../support/manuals.ts";
import { endlessForms, saying, writtenPdf } from "../support/pdf.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** The first page can be drawn, the second never ends. */
const halfDrawable = (title: string): Buffer => writtenPdf([saying(title), "/F0 Do"], { forms: endlessForms() });

test("a page that cannot be drawn is tried once, and not found from then on", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "partline-manual-files-"));
  const objects = await openObjectStore({ dataDir });
  const copies = await openLocalCopies(join(dataDir, "work"), objects);
  const drawer = createPdfReader({ processes: 1, pageWithinMs: 6_000, memoryMb: 2_000 });
  open.push(
    () => objects.close(),
    () => copies.close(),
    () => drawer.close(),
  );
  const content = halfDrawable("Half");
  const sha256 = sha256Of(content);
  await objects.put(getSourceKey(sha256), Readable.from([content]));
  let drawn = 0;
  const counted = {
    draw: (...asked: Parameters<typeof drawer.draw>) => {
      drawn += 1;
      return drawer.draw(...asked);
    },
  };
  const results = { reading: () => Promise.resolve({ pages: 2, filename: "half.pdf" }) } as unknown as Parameters<
    typeof createManualFiles
  >[0]["results"];
  const files = createManualFiles({ objects, results, copies, drawer: counted });
  const get = (page: number) => files.getPage(sha256, page, {}, () => files.draw(sha256, page));
  const refused = { code: "NOT_FOUND", message: expect.stringContaining("Page 2") };
  open.push(freezeTheBusy("manual-reader/src/pdf/process.ts"));
  await Promise.all([get(2), get(2)].map((asked) => expect(asked).rejects.toMatchObject(refused)));
  await expect(get(2)).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("It took longer than 6 s"),
  });
  expect(drawn).toBe(1);
  expect(await get(1)).toMatchObject({ status: 200, type: "image/webp" });
}, 60_000);

test("a browser keeps the PDF for good, and what was made of it for minutes: another reading may make it again", async () => {
  const system = await startTestBroker({ services: ["pipeline"] });
  open.push(() => system.stop());
  const content = await manualPdf({ pages: 1, title: "Kept by browsers" });
  const sha256 = sha256Of(content);
  const read = async () =>
    expect(
      (
        await endedJob(
          system.broker,
          (await upload(system.broker, [{ name: "file", filename: "manual.pdf", content }])).batch_id,
        )
      ).status,
    ).toBe("completed");
  await read();
  expect((await call(system.broker, "pipeline.source", { sha256, file: {} })).cacheControl).toBe(
    "public, max-age=31536000, immutable",
  );
  const made = () =>
    Promise.all([
      call(system.broker, "pipeline.table", { sha256, table: "1-1.csv", file: {} }),
      call(system.broker, "pipeline.pageText", { sha256, page: 1, file: {} }),
      call(system.broker, "pipeline.pageImage", { sha256, page: 1, file: {} }),
    ]);
  const before = await made();
  expect(before.map(({ cacheControl }) => cacheControl)).toEqual(before.map(() => "public, max-age=300"));

  await call(system.broker, "pipeline.remove", { sha256 });
  await eventually(() => read().then(() => true), 30_000);
  const [table] = await made();
  expect(table.etag).not.toBe(before[0].etag);
  expect(
    (await call(system.broker, "pipeline.table", { sha256, table: "1-1.csv", file: { ifNoneMatch: before[0].etag } }))
      .status,
  ).toBe(200);
}, 90_000);

test("what killed processes left of copies goes while others work, and theirs stays", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "partline-manual-files-"));
  const objects = await openObjectStore({ dataDir });
  const work = join(dataDir, "work");
  const copies = await openLocalCopies(work, objects);
  open.push(
    () => objects.close(),
    () => copies.close(),
  );
  const content = Buffer.from("%PDF-1.7");
  await objects.put(getSourceKey(sha256Of(content)), Readable.from([content]));
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  writeFileSync(join(work, "left.pdf"), "x");
  writeFileSync(join(work, "new.pdf"), "x");
  mkdirSync(join(work, "left"));
  writeFileSync(join(work, "left", "0.ndjson"), "x");
  for (const name of ["left.pdf", "left"]) utimesSync(join(work, name), longAgo, longAgo);
  await copies.use(sha256Of(content), (used) =>
    copies.useFolder(async (folder) => {
      for (const path of [used, folder]) utimesSync(path, longAgo, longAgo);
      await copies.sweep();
      expect(readdirSync(work).sort()).toEqual([basename(used), basename(folder), "new.pdf"].sort());
    }),
  );
});

test("pages that are drawn for long hold up no reading", async () => {
  const settings = testSettings();
  const read = await startTestBroker({ services: ["pipeline"], settings });
  const objects = await openObjectStore({ dataDir: settings.dataDir });
  open.push(() => objects.close());
  const manuals: string[] = [];
  for (const title of ["One", "Two"]) {
    const content = await manualPdf({ pages: 2, title });
    const { batch_id } = await upload(read.broker, [{ name: "file", filename: "manual.pdf", content }]);
    expect((await endedJob(read.broker, batch_id)).status).toBe("completed");
    manuals.push(sha256Of(content));
    // Drawn alone: to read a page that never ends takes half a minute of a processor.
    await objects.put(getSourceKey(sha256Of(content)), Readable.from([halfDrawable(title)]));
  }
  await read.stop();
  // Has no copies of what was read.
  const system = await startTestBroker({ services: ["pipeline"], settings });
  open.push(() => system.stop());
  const { broker } = system;
  const ended: string[] = [];
  open.push(freezeTheBusy("manual-reader/src/pdf/process.ts"));
  const drawings = manuals.map((sha256) =>
    call(broker, "pipeline.drawPage", { sha256, page: 2 })
      .then(
        () => "drawn",
        (error: { code: string }) => error.code,
      )
      .then((how) => void ended.push(how)),
  );
  const meanwhile = await manualPdf({ pages: 2, title: "Meanwhile" });
  const { batch_id } = await upload(broker, [{ name: "file", filename: "manual.pdf", content: meanwhile }]);
  await eventually(async () => (await call(broker, "pipeline.job", { batch_id })).status === "completed");
  expect(ended.length).toBeLessThan(2);
  await Promise.all(drawings);
  expect(ended).toEqual(["NOT_FOUND", "NOT_FOUND"]);
}, 240_000);
