import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import type { ObjectStore } from "../../packages/durable/src/object-store/port.ts";
import { call, enqueue } from "../../services/contracts.ts";
import { READINGS, type ReadingDocument } from "../../services/pipeline/collections.ts";
import { getRangeKey, getTextKey } from "../../services/pipeline/object-keys.ts";
import { getWorkId, enqueueWork } from "../../services/pipeline/work/work-item.ts";
import { eventually } from "../support/eventually.ts";
import { endedJob, readKept, manualPdf, readManual, sha256Of, upload } from "../support/manuals.ts";
import { mongoSetting } from "../support/mongo.ts";
import { endlessForms, saying, writtenPdf } from "../support/pdf.ts";
import { removeTestBucket, s3Settings } from "../support/s3.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

describe("A manual that is removed", () => {
  const settings = testSettings({ ...mongoSetting("removal"), ...s3Settings() });
  let system: TestBroker;
  let objects: ObjectStore;
  beforeAll(async () => {
    system = await startTestBroker({ services: ["pipeline"], transport: "fake", settings });
    objects = await openObjectStore({ s3: settings.s3, dataDir: settings.dataDir });
  });
  afterAll(async () => {
    objects.close();
    await system.stop();
    if (settings.s3) await removeTestBucket(settings.s3);
  });

  const remove = (sha256: string) => call(system.broker, "pipeline.remove", { sha256 });
  const keptOf = async (sha256: string): Promise<number> => {
    let count = 0;
    for await (const _ of objects.list(`manuals/${sha256}/`)) count += 1;
    return count;
  };
  const isGone = (sha256: string) =>
    eventually(async () => {
      const { leftovers } = (await system.documents
        .collection<ReadingDocument>(READINGS)
        .findOne({ sha256 }, { sort: { run: -1 } }))!;
      return leftovers === undefined && (await keptOf(sha256)) === 0;
    }, 30_000);
  const isIdle = async (): Promise<void> => {
    system.tasks.wake();
    await eventually(async () => (await system.tasks.depth()).waiting === 0);
  };
  const eventsOf = async (channel: string, sha256: string): Promise<string[]> => {
    const rows = await system.documents.collection<OutboxRow>(OUTBOX).find({ channel });
    return rows
      .filter(({ payload }) => payload.sha256 === sha256)
      .map(({ _id }) => _id)
      .sort();
  };

  test("is not found any more, its jobs say so, and sent again it is read again", async () => {
    const content = await manualPdf({ pages: 12, title: "Removed" });
    const sha256 = sha256Of(content);
    const { batch_id } = await upload(system.broker, [{ name: "file", filename: "removed.pdf", content }]);
    await endedJob(system.broker, batch_id);
    const { after } = await call(system.broker, "pipeline.jobEvents", { batch_id });
    await call(system.broker, "pipeline.pageImage", { sha256, page: 2, file: {} });

    expect(await remove(sha256)).toEqual({ deleted: true });
    const gone = { code: "NOT_FOUND" };
    await expect(call(system.broker, "pipeline.overview", { sha256 })).rejects.toMatchObject(gone);
    await expect(call(system.broker, "pipeline.source", { sha256, file: {} })).rejects.toMatchObject(gone);
    for (const action of ["pipeline.pageImage", "pipeline.pageText"] as const)
      await expect(call(system.broker, action, { sha256, page: 2, file: {} })).rejects.toMatchObject(gone);
    await expect(remove(sha256)).rejects.toMatchObject(gone);
    await expect(remove("0".repeat(64))).rejects.toMatchObject(gone);
    const job = await call(system.broker, "pipeline.job", { batch_id });
    expect(job).toMatchObject({
      status: "completed",
      progress: { percent: 100 },
      files: [{ status: "completed", removed: true, pages: 12, parts: 24 }],
    });
    expect((await call(system.broker, "pipeline.jobParts", { batch_id })).parts).toEqual([]);
    expect((await call(system.broker, "pipeline.jobEvents", { batch_id, after })).events).toMatchObject([
      { status: "completed" },
    ]);
    await isGone(sha256);
    await expect(readKept(settings, (kept) => kept.getManual(sha256))).rejects.toMatchObject(gone);
    expect(await eventsOf("document.deleted", sha256)).toEqual([`manual_${sha256}-1-deleted`]);

    const again = await upload(system.broker, [
      { name: "file", filename: "again.pdf", content },
      { name: "equipment", value: "GT-9" },
    ]);
    expect(again).toMatchObject({ job_id: `${sha256}-2`, status: "queued" });
    expect((await endedJob(system.broker, again.batch_id)).files[0]).toMatchObject({
      status: "completed",
      pages: 12,
      parts: 24,
    });
    expect(await call(system.broker, "pipeline.overview", { sha256 })).toMatchObject({
      filename: "again.pdf",
      equipment: ["GT-9"],
      counts: { parts: 24, tables: 12 },
    });
    expect(await eventsOf("document.created", sha256)).toEqual([`manual_${sha256}`, `manual_${sha256}-2`]);

    // The work of removing comes once more.
    const kept = await keptOf(sha256);
    await system.documents.atomically([enqueue("pipeline.removal", `${sha256}-1`, { reading: `${sha256}-1` })]);
    await isIdle();
    expect(await keptOf(sha256)).toBe(kept);
    await remove(sha256);
    await isGone(sha256);
    expect(await eventsOf("document.deleted", sha256)).toEqual([
      `manual_${sha256}-1-deleted`,
      `manual_${sha256}-2-deleted`,
    ]);
  }, 90_000);

  test("is stopped being corrected", async () => {
    const content = await manualPdf({ pages: 2, title: "Removed while it is corrected" });
    const sha256 = sha256Of(content);
    const { batch_id } = await upload(system.broker, [{ name: "file", filename: "both.pdf", content }]);
    await endedJob(system.broker, batch_id);
    await call(system.broker, "pipeline.correct", { sha256, equipment: ["BR600"] });
    await remove(sha256);
    expect(await system.tasks.find(getWorkId({ kind: "assemble", reading: `${sha256}-1` }))).toBeUndefined();
    await isGone(sha256);
    expect(await eventsOf("document.created", sha256)).toEqual([`manual_${sha256}`]);
  }, 60_000);

  test("is corrected before that: put together again, once for each correction", async () => {
    const content = await manualPdf({ pages: 12, title: "Corrected" });
    const sha256 = sha256Of(content);
    const given = [
      { name: "equipment", value: "GT-2254" },
      { name: "manufacturer", value: "Kohler" },
    ];
    const { batch_id } = await upload(system.broker, [{ name: "file", filename: "corrected.pdf", content }, ...given]);
    await expect(call(system.broker, "pipeline.correct", { sha256, manufacturer: null })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await endedJob(system.broker, batch_id);
    await expect(call(system.broker, "pipeline.correct", { sha256 })).rejects.toMatchObject({
      data: [{ field: "body" }],
    });
    const manual = () => readKept(settings, (kept) => kept.getManual(sha256));
    const correction = { equipment: [" BR600 ", "BR600", "BR700"], manufacturer: "Stihl" };
    expect(await call(system.broker, "pipeline.correct", { sha256, ...correction })).toEqual({
      sha256,
      equipment: ["BR600", "BR700"],
      manufacturer: "Stihl",
    });
    // One is under way, or it was that fast.
    const second = await call(system.broker, "pipeline.correct", { sha256, manufacturer: "Stihl AG" }).catch(
      (error: unknown) => error,
    );
    if (second instanceof Error) expect(second).toMatchObject({ code: "VERSION_CONFLICT" });
    const done = () =>
      eventually(
        async () => (await call(system.broker, "pipeline.overview", { sha256 })).correction === undefined,
        30_000,
      );
    await done();
    expect(await manual()).toMatchObject({
      equipment: ["BR600", "BR700"],
      manufacturer: expect.stringContaining("Stihl"),
    });
    expect((await endedJob(system.broker, batch_id)).files[0]).toMatchObject({
      status: "completed",
      pages: 12,
      parts: 24,
    });

    await call(system.broker, "pipeline.correct", { sha256, equipment: null });
    await done();
    expect((await manual()).equipment).not.toContain("BR600");
    expect((await manual()).manufacturer).toContain("Stihl");
    const corrections = (await eventsOf("document.created", sha256)).filter((id) => id.includes("-corrected-"));
    expect(corrections).toHaveLength(second instanceof Error ? 2 : 3);

    // The work comes once more, and changes nothing.
    await system.documents.atomically([enqueueWork({ kind: "assemble", reading: `${sha256}-1` })]);
    await isIdle();
    expect((await eventsOf("document.created", sha256)).length).toBe(corrections.length + 1);
    await remove(sha256);
    await expect(call(system.broker, "pipeline.correct", { sha256, manufacturer: null })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await isGone(sha256);
  }, 90_000);

  test("is not read on where it was being read, and everybody who waits for it is informed", async () => {
    const content = writtenPdf(
      Array.from({ length: 12 }, (_, index) =>
        index === 2 ? "/F0 Do" : saying(`Removed while read, sheet ${index + 1}`),
      ),
      { forms: endlessForms() },
    );
    const sha256 = sha256Of(content);
    const sent = await Promise.all(
      ["one.pdf", "two.pdf"].map((filename) => upload(system.broker, [{ name: "file", filename, content }])),
    );
    // All but the third page and what waits behind it is kept: from here on nothing is added.
    await Promise.all(
      [getTextKey(sha256, 2), getRangeKey(sha256, 1)].map((key) =>
        eventually(async () => !!(await objects.head(key)), 30_000),
      ),
    );
    await remove(sha256);
    for (const { batch_id } of sent) {
      expect(await call(system.broker, "pipeline.job", { batch_id })).toMatchObject({
        status: "cancelled",
        files: [{ status: "cancelled", error: "The manual was removed" }],
      });
    }
    await isGone(sha256);
    expect([...(await eventsOf("document.created", sha256)), ...(await eventsOf("document.deleted", sha256))]).toEqual(
      [],
    );
    // The processes that were reading it read others.
    expect((await readManual(system.broker, await manualPdf({ pages: 2, title: "Behind it" }))).status).toBe(
      "completed",
    );
  }, 90_000);

  test("waits behind no page that is being read or waits to be read", async () => {
    const busy = await startTestBroker({ services: ["pipeline"], settings: { ...testSettings(), pipelineWorkers: 1 } });
    try {
      const content = await manualPdf({ pages: 1, title: "Behind none" });
      await readManual(busy.broker, content);
      const hanging = writtenPdf(
        ["/F0 Do", ...Array.from({ length: 19 }, (_, index) => saying(`Hangs, sheet ${index}`))],
        { forms: endlessForms() },
      );
      const { batch_id } = await upload(busy.broker, [{ name: "file", filename: "hanging.pdf", content: hanging }]);
      const isProcessing = async () => (await call(busy.broker, "pipeline.job", { batch_id })).status === "processing";
      await eventually(isProcessing, 30_000);
      const sha256 = sha256Of(content);
      await call(busy.broker, "pipeline.remove", { sha256 });
      await eventually(
        async () =>
          (await busy.documents.collection<ReadingDocument>(READINGS).findOne({ sha256 }))!.leftovers === undefined,
      );
      const { done } = (await call(busy.broker, "pipeline.job", { batch_id })).progress.pages;
      expect([await isProcessing(), done]).toEqual([true, 0]);
      await call(busy.broker, "pipeline.cancel", { batch_id });
    } finally {
      await busy.stop();
    }
  }, 90_000);

  test("may be removed by many at once, once", async () => {
    const content = await manualPdf({ pages: 1, title: "By many" });
    const sha256 = sha256Of(content);
    await readManual(system.broker, content);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => remove(sha256)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "NOT_FOUND" });
    expect(await eventsOf("document.deleted", sha256)).toHaveLength(1);
  });
});
