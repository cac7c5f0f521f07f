import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openObjectStore, readObject } from "../../packages/durable/src/object-store/open.ts";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import { call } from "../../services/contracts.ts";
import { LONG_MANUAL_PAGES } from "../../services/pipeline/limits.ts";
import { eventually } from "../support/eventually.ts";
import { pngBomb, quarters } from "../support/images.ts";
import {
  allOf,
  endedJob,
  formOf,
  FORM_TYPE,
  inPieces,
  readKept,
  manualPdf,
  partOf,
  readManual,
  sha256Of,
  upload,
} from "../support/manuals.ts";
import { mongoSetting } from "../support/mongo.ts";
import { drawnPdf, fileOf } from "../support/pdf.ts";
import { putByOthers as putIntoS3, removeTestBucket, s3Settings } from "../support/s3.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

describe("The pipeline", () => {
  const settings = testSettings({ ...mongoSetting("pipeline"), ...s3Settings() });
  let system: TestBroker;
  beforeAll(async () => {
    system = await startTestBroker({ services: ["pipeline"], transport: "fake", settings });
  });
  afterAll(async () => {
    await system.stop();
    if (settings.s3) await removeTestBucket(settings.s3);
  });

  const keysBelow = async (prefix: string): Promise<string[]> => {
    const objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
    const keys: string[] = [];
    for await (const { key } of objects.list(prefix)) keys.push(key);
    objects.close();
    return keys;
  };
  const contentOf = async (key: string): Promise<string> => {
    const objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
    const content = await readObject(objects, key);
    objects.close();
    return content.toString();
  };
  /** Past the store. */
  const putByOthers = (key: string, content: Buffer): Promise<void> =>
    settings.s3 ? putIntoS3(settings.s3, key, content) : writeFile(join(settings.dataDir, "objects", key), content);
  const createdEvents = (sha256: string): Promise<OutboxRow[]> =>
    system.documents.collection<OutboxRow>(OUTBOX).find({ _id: `manual_${sha256}` });

  test("reads a manual of several ranges, page by page, and keeps what it found", async () => {
    const content = await manualPdf({ pages: 23, title: "Several ranges" });
    const sha256 = sha256Of(content);
    const sent = await upload(system.broker, [
      { name: "equipment", value: "GT-2254" },
      { name: "file", filename: "GT 2254.pdf", content },
      { name: "equipment", value: "GT-2260" },
      { name: "manufacturer", value: "Acme" },
    ]);
    expect(sent).toEqual({
      batch_id: expect.stringMatching(/^batch_/),
      job_id: `${sha256}-1`,
      filename: "GT 2254.pdf",
      sha256,
      status: "queued",
    });
    const job = await endedJob(system.broker, sent.batch_id);
    expect(job).toMatchObject({
      status: "completed",
      progress: { files: { done: 1, total: 1 }, pages: { done: 23, total: 23 }, percent: 100, eta_seconds: 0 },
      files: [{ name: "GT 2254.pdf", sha256, status: "completed", pages: 23, images: 0 }],
    });
    const keys = await keysBelow(`manuals/${sha256}/`);
    expect(keys).toEqual(
      expect.arrayContaining(
        ["source.pdf", "manual.json", "parts.json", "pages/1.txt", "pages/23.txt"].map(
          (name) => `manuals/${sha256}/${name}`,
        ),
      ),
    );
    expect(await contentOf(`manuals/${sha256}/pages/23.txt`)).toContain("sheet 23");
    expect(await keysBelow("staged/")).toEqual([]);
    expect(await readKept(settings, (kept) => kept.getManual(sha256))).toMatchObject({
      sha256,
      filename: "GT 2254.pdf",
      equipment: ["GT-2254", "GT-2260"],
      pages: 23,
    });
    const [created, ...others] = await createdEvents(sha256);
    expect(others).toEqual([]);
    expect(created!.payload).toMatchObject({
      sha256,
      filename: "GT 2254.pdf",
      equipment: ["GT-2254", "GT-2260"],
      manufacturer: "Acme",
      pages: 23,
      object_prefix: `manuals/${sha256}/`,
      embedding_model: "lexical",
    });

    const pages = await readKept(settings, (kept) => allOf(kept.readPages(sha256)));
    expect(pages.map(({ page }) => page)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
    for (const { page, text } of pages) expect(text).toContain(`sheet ${page}`);
  });

  test("lists the parts of a manual in the order of its pages, some at a time", async () => {
    const content = await manualPdf({ pages: 12, title: "Parts in order" });
    const sha256 = sha256Of(content);
    const { batch_id } = await upload(system.broker, [{ name: "file", filename: "parts.pdf", content }]);
    const job = await endedJob(system.broker, batch_id);
    const expected = Array.from({ length: 12 }, (_, index) => [partOf(index + 1, 1), partOf(index + 1, 2)]).flat();
    expect(job.files[0]!.parts).toBe(24);
    const first = await call(system.broker, "pipeline.jobParts", { batch_id, page: 1, pageSize: 20 });
    const second = await call(system.broker, "pipeline.jobParts", { batch_id, page: 2, pageSize: 20 });
    expect(first.pagination).toEqual({ page: 1, pageSize: 20, total: 24, totalPages: 2 });
    expect([...first.parts, ...second.parts].map(({ part_number }) => part_number).sort()).toEqual(
      [...expected].sort(),
    );
    expect(first.parts[0]).toMatchObject({
      page: 1,
      file: "parts.pdf",
      quantity: 2,
      description: "SPRING, RETURN",
      bbox: { x: expect.any(Number) },
    });
    const parts = await readKept(settings, async (kept) => allOf(kept.readParts(await kept.getManual(sha256))));
    expect(parts.map(({ partNumber }) => partNumber)).toEqual(expected);
  });

  test("the same bytes, several times at once, are one piece of work, and later a known one", async () => {
    const content = await manualPdf({ pages: 11, title: "Several at once" });
    const sha256 = sha256Of(content);
    const sent = await Promise.all(
      [1, 2, 3, 4, 5].map((copy) => upload(system.broker, [{ name: "file", filename: `copy ${copy}.pdf`, content }])),
    );
    expect(new Set(sent.map(({ job_id }) => job_id))).toEqual(new Set([`${sha256}-1`]));
    expect(new Set(sent.map(({ batch_id }) => batch_id)).size).toBe(5);
    for (const { batch_id, filename } of sent) {
      expect(await endedJob(system.broker, batch_id)).toMatchObject({
        status: "completed",
        files: [{ name: filename, pages: 11, parts: 22 }],
        progress: { pages: { done: 11, total: 11 } },
      });
    }
    expect(await upload(system.broker, [{ name: "file", filename: "again.pdf", content }])).toMatchObject({
      job_id: `${sha256}-1`,
      status: "completed",
    });
    const other = await upload(system.broker, [
      { name: "equipment", value: "GT-9" },
      { name: "file", filename: "other.pdf", content },
      { name: "manufacturer", value: "Acme" },
    ]);
    expect(other).toMatchObject({
      job_id: `${sha256}-1`,
      status: "completed",
      not_taken: ["equipment", "manufacturer"],
    });
    expect(await createdEvents(sha256)).toHaveLength(1);
    expect(await keysBelow("staged/")).toEqual([]);
  }, 120_000);

  test("refuses a form that is not one PDF with known fields, or is cut, and keeps nothing of it", async () => {
    const content = await manualPdf({ pages: 1, title: "Refused" });
    const file = { name: "file", filename: "a.pdf", content };
    for (const [parts, field] of [
      [[{ ...file, content: Buffer.from("hello") }], "file"],
      [[{ name: "equipment", value: "GT" }], "file"],
      [[{ name: "file", value: "text" }], "file"],
      [[file, { name: "colour", value: "red" }], "colour"],
      [[file, { name: "manufacturer", value: "a" }, { name: "manufacturer", value: "b" }], "manufacturer"],
      [[file, { name: "equipment", value: "x".repeat(5_000) }], "equipment"],
    ] as [Parameters<typeof upload>[1], string][])
      await expect(upload(system.broker, parts)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        data: [expect.objectContaining({ field })],
      });
    expect(await keysBelow("staged/")).toEqual([]);
    expect(await keysBelow(`manuals/${sha256Of(content)}/`)).toEqual([]);
    const cut = formOf([file]).subarray(0, -200);
    for (const contentType of [FORM_TYPE, "multipart/form-data"])
      await expect(
        call(system.broker, "pipeline.upload", { contentType }, { stream: inPieces(cut) }),
      ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await keysBelow("staged/")).toEqual([]);
  });

  test("a sender that goes away in the middle leaves nothing", async () => {
    const content = await manualPdf({ pages: 30, title: "Goes away" });
    const half = formOf([{ name: "file", filename: "half.pdf", content }]).subarray(0, 20_000);
    const breaking = inPieces(half, 4_000);
    const broken = (async function* () {
      for await (const chunk of breaking) yield chunk as Buffer;
      throw new Error("The line broke");
    })();
    const stream = Readable.from(broken, { objectMode: false });
    await expect(call(system.broker, "pipeline.upload", { contentType: FORM_TYPE }, { stream })).rejects.toThrow();
    await eventually(async () => (await keysBelow("staged/")).length === 0);
    expect(await keysBelow(`manuals/${sha256Of(content)}/`)).toEqual([]);
  });

  test("a file that cannot be read fails with its reason, and is tried again when it is sent again", async () => {
    const whole = await manualPdf({ pages: 3, title: "Broken" });
    const encrypted = await manualPdf({ pages: 1, title: "Secret", password: "secret" });
    const noPdf = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(5_000, "x")]);
    for (const content of [encrypted, noPdf]) {
      const job = await readManual(system.broker, content);
      expect([job.status, job.files[0]!.status, job.files[0]!.error]).toEqual([
        "failed",
        "failed",
        expect.stringMatching(/\w+ \w+/),
      ]);
      expect(job.files[0]!.error_code).toBe(content === encrypted ? "encrypted" : "damaged");
    }
    const truncated = await readManual(system.broker, whole.subarray(0, Math.floor(whole.length * 0.6)));
    expect(["failed", "partially_failed", "completed"]).toContain(truncated.status);
    const again = await upload(system.broker, [{ name: "file", filename: "again.pdf", content: encrypted }]);
    expect(again.job_id).toBe(`${sha256Of(encrypted)}-2`);
    expect((await endedJob(system.broker, again.batch_id)).status).toBe("failed");
    await expect(readKept(settings, (kept) => kept.getManual(sha256Of(encrypted)))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("a long manual leaves room for a short one", async () => {
    // So long a one is put together in another way.
    const pages = LONG_MANUAL_PAGES + 1;
    const long = await manualPdf({ pages, title: "Long" });
    const short = await manualPdf({ pages: 2, title: "Short" });
    const first = await upload(system.broker, [{ name: "file", filename: "long.pdf", content: long }]);
    await eventually(
      async () => (await call(system.broker, "pipeline.job", { batch_id: first.batch_id })).progress.pages.done > 0,
    );
    const second = await upload(system.broker, [{ name: "file", filename: "short.pdf", content: short }]);
    expect((await endedJob(system.broker, second.batch_id)).status).toBe("completed");
    const meanwhile = await call(system.broker, "pipeline.job", { batch_id: first.batch_id });
    expect(meanwhile.status).toBe("processing");
    expect((await endedJob(system.broker, first.batch_id)).files[0]).toMatchObject({
      pages,
      parts: 2 * pages,
      status: "completed",
    });
  }, 120_000);

  test("a cancelled job ends at once, and what another job waits for goes on", async () => {
    const pages = 60;
    const alone = await manualPdf({ pages, title: "Alone" });
    const shared = await manualPdf({ pages, title: "Shared" });
    const one = await upload(system.broker, [{ name: "file", filename: "alone.pdf", content: alone }]);
    const two = await upload(system.broker, [{ name: "file", filename: "shared.pdf", content: shared }]);
    const three = await upload(system.broker, [{ name: "file", filename: "shared too.pdf", content: shared }]);
    await eventually(
      async () => (await call(system.broker, "pipeline.job", { batch_id: one.batch_id })).progress.pages.done > 0,
    );
    for (const { batch_id } of [one, two]) {
      const { status, progress, files } = await call(system.broker, "pipeline.cancel", { batch_id });
      expect([status, files[0]!.status, progress.files.done]).toEqual(["cancelled", "cancelled", 1]);
      const { done, total } = progress.pages;
      // Once all pages are read, the manual is still to be put together.
      expect(progress.percent).toBe(Math.min(99, Math.floor((100 * done) / Math.max(1, total))));
    }
    const stopped = await call(system.broker, "pipeline.job", { batch_id: two.batch_id });
    expect((await endedJob(system.broker, three.batch_id)).status).toBe("completed");
    expect(await call(system.broker, "pipeline.job", { batch_id: two.batch_id })).toMatchObject({
      status: "cancelled",
      progress: stopped.progress,
    });
    expect(await createdEvents(sha256Of(alone))).toEqual([]);
    const again = await upload(system.broker, [{ name: "file", filename: "again.pdf", content: alone }]);
    expect(again.job_id).toBe(`${sha256Of(alone)}-2`);
    expect((await endedJob(system.broker, again.batch_id)).files[0]).toMatchObject({
      status: "completed",
      pages,
      parts: 2 * pages,
    });
    expect(await call(system.broker, "pipeline.cancel", { batch_id: again.batch_id })).toMatchObject({
      status: "completed",
    });
    await expect(
      call(system.broker, "pipeline.cancel", { batch_id: "batch_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  }, 120_000);

  test("reads the PDFs of a folder of the object store, each for itself", async () => {
    const objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
    const good = await manualPdf({ pages: 2, title: "In the bucket" });
    for (const [key, content] of [
      ["incoming/a.pdf", good],
      ["incoming/deep/b.PDF", good],
      ["incoming/c.pdf", Buffer.from("no pdf")],
      ["incoming/d.txt", good],
      ["elsewhere/e.pdf", good],
    ] as const) {
      await objects.put(key, Readable.from([content]));
    }
    objects.close();
    await putByOthers("incoming/GT-2254 Ersatzteile (für alle).pdf", good);
    const { batch_id, total } = await call(system.broker, "pipeline.processBucket", {});
    expect(total).toBe(4);
    const job = await endedJob(system.broker, batch_id);
    expect(job.status).toBe("partially_failed");
    expect(job.files.map(({ name, status, sha256 }) => [name, status, sha256])).toEqual([
      ["GT-2254 Ersatzteile (für alle).pdf", "completed", sha256Of(good)],
      ["a.pdf", "completed", sha256Of(good)],
      ["c.pdf", "failed", null],
      ["b.PDF", "completed", sha256Of(good)],
    ]);
    expect(job.files[2]!.error).toBe("The file is not a PDF");
    const names: string[][] = [];
    for (let after: string | undefined; names.length === 0 || after !== undefined;) {
      const part = await call(system.broker, "pipeline.processBucket", { prefix: "incoming", limit: 2, after });
      names.push((await endedJob(system.broker, part.batch_id)).files.map(({ name }) => name));
      after = part.next;
    }
    expect(names).toEqual([
      ["GT-2254 Ersatzteile (für alle).pdf", "a.pdf"],
      ["c.pdf", "b.PDF"],
    ]);
    for (const after of ["elsewhere/e.pdf", "incoming", ""])
      await expect(call(system.broker, "pipeline.processBucket", { after })).rejects.toMatchObject({
        data: [
          { field: "after", message: "The 'after' field must be the 'next' of an answer for the folder incoming/." },
        ],
      });
    const none = await call(system.broker, "pipeline.processBucket", { prefix: "nothing-there/" });
    expect([none.total, (await call(system.broker, "pipeline.job", { batch_id: none.batch_id })).status]).toEqual([
      0,
      "completed",
    ]);
    for (const prefix of ["../etc", "manuals/", "manuals/x", "a//b", "a\\b"]) {
      await expect(call(system.broker, "pipeline.processBucket", { prefix })).rejects.toMatchObject({
        data: [{ field: "prefix" }],
      });
    }
  }, 60_000);

  test("lists jobs newest first, and shows each step of one in order", async () => {
    const content = await manualPdf({ pages: 21, title: "Followed" });
    const { batch_id } = await upload(system.broker, [{ name: "file", filename: "followed.pdf", content }]);
    const seen: { position: number; percent: number; status: string }[] = [];
    await eventually(async () => {
      const { events, after } = await call(system.broker, "pipeline.jobEvents", {
        batch_id,
        after: seen.at(-1)?.position,
      });
      for (const { position, status, progress } of events) seen.push({ position, percent: progress.percent, status });
      expect(after).toBe(seen.at(-1)!.position);
      return seen.at(-1)!.status === "completed";
    }, 60_000);
    expect(seen.map(({ position }) => position)).toEqual(
      [...new Set(seen.map(({ position }) => position))].sort((one, other) => one - other),
    );
    expect(seen.map(({ percent }) => percent)).toEqual(
      seen.map(({ percent }) => percent).sort((one, other) => one - other),
    );
    expect(
      (await call(system.broker, "pipeline.jobEvents", { batch_id, after: seen.at(-1)!.position })).events,
    ).toEqual([]);
    const { jobs, pagination } = await call(system.broker, "pipeline.jobs", { pageSize: 2 });
    expect(jobs[0]).toMatchObject({ batch_id, status: "completed" });
    expect(pagination.total).toBeGreaterThan(2);
    expect(jobs[0]!.expires_at.getTime() - jobs[0]!.created_at.getTime()).toBe(7 * 24 * 60 * 60_000);
    expect(jobs[0]!.created_at.getTime()).toBeGreaterThanOrEqual(jobs[1]!.created_at.getTime());
  });

  test("says of a manual which chapters it has, and that pages are pictures", async () => {
    const picture = fileOf(await quarters(612, 792).png().toBuffer());
    const content = await drawnPdf((document) => {
      const text = "Operator's manual of the GT-2254. ".repeat(20);
      document.fontSize(10).text(text, 72, 72, { width: 400 });
      document.addPage().text(text, 72, 72, { width: 400 });
      for (const _ of [1, 2]) document.addPage().image(picture, 0, 0, { width: 612, height: 792 });
      document.outline.addItem("Pictures");
      document.addPage().text(text, 72, 72, { width: 400 });
    });
    const {
      files: [file],
    } = await readManual(system.broker, content);
    const note = "2 pages are pictures without text: PIPELINE_OCR=on reads them";
    expect(file).toMatchObject({ status: "completed", pages: 5, pages_scanned: 2, note });
    expect(await call(system.broker, "pipeline.overview", { sha256: sha256Of(content) })).toMatchObject({
      pages: 5,
      chapters: [{ title: "Pictures", page: 4 }],
      pages_scanned: 2,
    });
  });

  test("reports how many images of a file are left out for their size", async () => {
    const bomb = fileOf(await pngBomb(8_000, 8_000));
    const content = await drawnPdf((document) => void document.text("Too large").image(bomb, 50, 60, { width: 200 }));
    const {
      files: [file],
    } = await readManual(system.broker, content);
    expect(file).toMatchObject({ status: "completed", images: 0, images_left_out: 1 });
  });
});
