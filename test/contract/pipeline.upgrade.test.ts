import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { DELIVERIES } from "../../broker/channels/deliveries.ts";
import { TASKS } from "../../broker/tasks/task.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { openObjectStore } from "../../mixins/object-store/open.ts";
import type { ObjectStore } from "../../mixins/object-store/port.ts";
import { call, outbox, type Events } from "../../services/contracts.ts";
import { READINGS, type ReadingDocument } from "../../services/pipeline/collections.ts";
import { newBatchId, newJob } from "../../services/pipeline/jobs/jobs.ts";
import { createReadings } from "../../services/pipeline/readings.ts";
import { createStaging } from "../../services/pipeline/uploads/staging.ts";
import { eventually } from "../support/eventually.ts";
import { endedJob, manualPdf, readManual, sha256Of } from "../support/manuals.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** What a version whose work was events of channels (before 0.2) has left is done. */

const stores = ["embedded", ...(process.env.MONGO_URL ? ["mongodb"] : [])];

describe.each(stores)("Work that a version without tasks has left (%s)", (backend) => {
  let settings: ReturnType<typeof testSettings>;
  let documents: DocumentStore;
  let objects: ObjectStore;
  let system: TestBroker | undefined;
  beforeEach(async () => {
    settings = testSettings(backend === "mongodb" ? { MONGO_URL: mongoTestUrl("upgrade") } : {});
    documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: settings.mongoUrl });
    objects = await openObjectStore({ dataDir: settings.dataDir });
  });
  afterEach(async () => {
    await system?.stop();
    system = undefined;
    objects.close();
    await documents.close();
  });
  const start = async (): Promise<TestBroker> =>
    (system = await startTestBroker({ services: ["pipeline"], settings, documents }));
  /** A job whose file waits to be opened, as that version leaves it: the work itself is to be written by the test. */
  const queued = async (content: Buffer): Promise<{ batch: string; reading: string }> => {
    const batch = newBatchId();
    const readings = createReadings(documents, { onChange: () => undefined, onCancelled: () => Promise.resolve() });
    const { _id } = await createStaging(objects).during(Readable.from([content]), (staged) =>
      readings.want({ ...staged, filename: "old.pdf", equipment: [] }, batch, (reading) => [
        newJob(batch, [{ name: "old.pdf", reading }]),
      ]),
    );
    await documents.collection(TASKS).deleteMany({});
    await documents
      .collection<ReadingDocument>(READINGS)
      .updateOne({ _id }, { $set: { tries: { open: { begun: 1, failed: 1 } } } });
    return { batch, reading: _id };
  };
  /** An event that the process which took it did not live to acknowledge. */
  const taken = (payload: Events["pipeline.work"]) => ({
    collection: DELIVERIES,
    insertOne: {
      _id: "pipeline:old",
      channel: "pipeline.work",
      group: "pipeline",
      eventId: "old",
      occurredAt: new Date(),
      payload,
      state: "pending",
      attempts: 1,
      dueAt: new Date(Date.now() + 2_000),
    },
  });
  const nothingWaits = () =>
    eventually(async () => {
      const [events, tasks] = [await system!.channels.depth(), await system!.tasks.depth()];
      return events.pending + events.outbox + events.dead + tasks.waiting + tasks.dead === 0;
    }, 20_000);

  test("is a file that waits, in the outbox or taken by a process that died", async () => {
    const contents = await Promise.all(["Outbox", "Taken"].map((title) => manualPdf({ pages: 12, title })));
    const [waiting, dead] = [await queued(contents[0]!), await queued(contents[1]!)];
    await documents.atomically([
      outbox("pipeline.work", { kind: "open", reading: waiting.reading }, `${waiting.reading}-open`),
      taken({ kind: "open", reading: dead.reading }),
    ]);
    const { broker } = await start();
    for (const { batch } of [waiting, dead])
      expect(await endedJob(broker, batch)).toMatchObject({ status: "completed", files: [{ pages: 12, parts: 24 }] });
    await nothingWaits();
  }, 60_000);

  test("is a file that is queued by such a node while this one runs", async () => {
    const { broker, channels } = await start();
    const { batch, reading } = await queued(await manualPdf({ pages: 2, title: "Rolling" }));
    await documents.atomically([outbox("pipeline.work", { kind: "open", reading })]);
    channels.wake();
    expect(await endedJob(broker, batch)).toMatchObject({ status: "completed", files: [{ parts: 4 }] });
    await nothingWaits();
  });

  test("is a file that is half read, a file of the store and a correction, of which no event is left", async () => {
    const [half, stored] = [
      await manualPdf({ pages: 25, title: "Half read" }),
      await manualPdf({ pages: 2, title: "Stored" }),
    ];
    const corrected = await manualPdf({ pages: 2, title: "Uncorrected" });
    const first = await startTestBroker({ services: ["pipeline"], settings, documents });
    await readManual(first.broker, corrected);
    await first.stop();
    const { batch, reading } = await queued(half);
    const readings = documents.collection<ReadingDocument>(READINGS);
    await readings.updateOne({ _id: reading }, { $set: { status: "processing", pages: 25 } });
    await readings.updateOne(
      { sha256: sha256Of(corrected) },
      { $set: { correction: { equipment: ["BR600"], number: 1 } } },
    );
    await objects.put("incoming/stored.pdf", Readable.from([stored]));
    const bucket = newBatchId();
    await documents.atomically([newJob(bucket, [{ name: "stored.pdf", key: "incoming/stored.pdf" }])]);

    const { broker } = await start();
    expect(await endedJob(broker, batch)).toMatchObject({ status: "completed", files: [{ pages: 25, parts: 50 }] });
    expect(await endedJob(broker, bucket)).toMatchObject({
      status: "completed",
      files: [{ name: "stored.pdf", sha256: sha256Of(stored), pages: 2 }],
    });
    await eventually(async () => (await readings.findOne({ sha256: sha256Of(corrected) }))!.equipment[0] === "BR600");
    await nothingWaits();
  }, 60_000);

  test("is a manual that is to be removed", async () => {
    const content = await manualPdf({ pages: 2, title: "To be removed" });
    const sha256 = sha256Of(content);
    const first = await startTestBroker({ services: ["pipeline"], settings, documents });
    await readManual(first.broker, content);
    await first.tasks.stop();
    await call(first.broker, "pipeline.remove", { sha256 });
    await first.stop();
    await documents.collection(TASKS).deleteMany({});
    await documents.atomically([outbox("pipeline.removal", { kind: "remove", reading: `${sha256}-1` })]);
    await start();
    await eventually(
      async () => (await documents.collection<ReadingDocument>(READINGS).findOne({ sha256 }))!.leftovers === undefined,
      20_000,
    );
    await nothingWaits();
  });
});
